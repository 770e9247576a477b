// Plays any game: it picks one of the legal moves that the arena lists after `searchmoves`.
//
// C++17, standard library only. As it is, it picks at random: change choose_move(). It must
// choose at once; nim_bot.cpp shows how to read lines while thinking.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::string>;
using Random = std::mt19937_64;

// -------------------------------------------------------------------------------------------
// Your idea goes here.
//
// `position` is a text such as "kayles:3,4+nim:5 moves 1=2": where the game began, and the
// moves since. `moves` are the legal ones: "1=2" makes heap 1 a heap of 2, "1=1,1" splits it
// into two. Return one of them; there is at least one.

std::string choose_move(const std::string& position, const Words& moves, Random& chance) {
    (void)position;  // not used by this idea
    return moves[chance() % moves.size()];
}

// -------------------------------------------------------------------------------------------
// From here on: the protocol, which you need not change.

void say(const std::string& line) {
    std::cout << line << std::endl;  // unflushed lines never leave: the arena would wait
}

Words split(const std::string& line) {
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), {}};
}

// The words after `fen` in a `position` line.
std::string read_position(const Words& words) {
    const bool is_fen = words.size() > 1 && words[1] == "fen";
    std::string position = is_fen ? "" : "nim:1,3,5,7";
    for (std::size_t i = 2; i < words.size(); ++i) {
        position += (position.empty() ? "" : " ") + words[i];
    }
    return position;
}

// The words after `searchmoves` in a `go` line.
Words read_moves(const Words& words) {
    const auto found = std::find(words.begin(), words.end(), "searchmoves");
    return Words(found == words.end() ? found : found + 1, words.end());
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    Random chance(0);
    std::string position = "nim:1,3,5,7";
    std::string pending;  // the answer to `go infinite`, which is not due before `stop`
    for (std::string line; std::getline(std::cin, line);) {
        const Words words = split(line);
        const std::string command = words.empty() ? "" : words[0];
        if (command == "ugi") {
            say("id name random_bot\nid author the Nimarena authors");
            say("option name Seed type spin default 0 min 0 max 9223372036854775807");
            // A bot that prints this option gets the legal moves with every `go`.
            say("option name LegalMoves type check default true\nugiok");
        } else if (command == "isready") {
            say("readyok");
        } else if (command == "setoption" && words.size() == 5 && words[2] == "Seed") {
            chance.seed(std::strtoull(words[4].c_str(), nullptr, 10));
        } else if (command == "position") {
            position = read_position(words);
        } else if (command == "go") {
            const Words moves = read_moves(words);
            const std::string answer =
                "bestmove " + (moves.empty() ? "0000" : choose_move(position, moves, chance));
            const bool infinite = std::count(words.begin(), words.end(), "infinite") > 0;
            infinite ? void(pending = answer) : say(answer);
        } else if (command == "stop" && !pending.empty()) {
            say(pending);
            pending.clear();
        } else if (command == "quit") {
            return 0;
        }
    }
    if (!pending.empty()) say(pending);
}

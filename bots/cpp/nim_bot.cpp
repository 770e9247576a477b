// Plays Nim by a strategy of its own: yours, once you have changed choose_move() below.
//
// C++17, standard library only. It reads positions of `nim:` heaps (numbers only), normal and
// misere, follows the moves itself, and reads lines while choose_move() thinks.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <iterator>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using Heaps = std::vector<std::int64_t>;
using Random = std::mt19937_64;

struct Move {
    std::size_t heap;   // counted from 0 here
    std::int64_t left;  // how many stones to leave in it
};

[[maybe_unused]] bool time_is_up();

// -------------------------------------------------------------------------------------------
// Your idea goes here.
//
// `heaps` holds numbers such as 3, 4, 5. Choose a heap and how many stones to leave in it:
// return {1, 0} to clear the 4 (heaps count from 0 here). There is at least one stone.
// The player who takes the last stone wins; under misere that player loses.
// Choose at random by `chance`, so that a game can be repeated. If you think for long, ask
// time_is_up() now and then, and return what you have once it says true.

// Leaves two equal heaps if it can, else takes one stone from any heap.
Move choose_move(const Heaps& heaps, bool misere, Random& chance) {
    std::vector<std::size_t> standing;
    for (std::size_t i = 0; i < heaps.size(); ++i) {
        if (heaps[i] > 0) standing.push_back(i);
    }
    if (standing.size() == 1) {
        const std::size_t only = standing[0];
        return {only, misere && heaps[only] > 1 ? 1 : 0};
    }
    if (standing.size() == 2) {
        std::size_t small = standing[0], large = standing[1];
        if (heaps[small] > heaps[large]) std::swap(small, large);
        if (heaps[small] < heaps[large]) return {large, heaps[small]};
    }
    if (standing.size() == 3) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t first = standing[(i + 1) % 3], second = standing[(i + 2) % 3];
            if (heaps[first] == heaps[second]) return {standing[i], 0};
        }
    }
    const std::size_t heap = standing[chance() % standing.size()];
    return {heap, heaps[heap] - 1};
}

// -------------------------------------------------------------------------------------------
// From here on: the protocol, which you need not change.

// ---- positions and moves ----

using Words = std::vector<std::string>;

struct Position {
    Heaps heaps{1, 3, 5, 7};
    bool misere = false;
    std::size_t moves_made = 0;
};

[[noreturn]] void refuse(const std::string& why, const std::string& read) {
    std::string shown = read.substr(0, 60);  // an answer must fit a line, too
    for (char& c : shown) {
        if (c < ' ' || c > '~') c = '?';
    }
    throw std::runtime_error(why + ", read '" + shown + "'");
}

Words split(const std::string& line) {
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), {}};
}

std::int64_t read_number(const std::string& text) {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || text[0] == '-')
        refuse("expected a number", text);
    return number;
}

// "nim:3,4+5" -> 3, 4, 5
Heaps read_heaps(const std::string& sum) {
    Heaps heaps;
    std::istringstream components(sum + "+");
    for (std::string component; std::getline(components, component, '+');) {
        const auto colon = component.rfind(':');
        if (colon != std::string::npos && component.substr(0, colon) != "nim") {
            refuse("I play nim only", component);
        }
        // With another comma, so that a missing last number is noticed.
        std::istringstream numbers(component.substr(colon + 1) + ",");
        if (component.size() == colon + 1) refuse("expected a heap", sum);
        for (std::string number; std::getline(numbers, number, ',');) {
            heaps.push_back(read_number(number));
        }
    }
    return heaps;
}

// "2=1": heap number 2, counted from 1, becomes 1.
void apply_move(Heaps& heaps, const std::string& move) {
    const auto equals = move.find('=');
    if (equals == std::string::npos) refuse("expected a move such as 2=1", move);
    const auto number = static_cast<std::size_t>(read_number(move.substr(0, equals)));
    const std::int64_t left = read_number(move.substr(equals + 1));
    if (number < 1 || number > heaps.size() || left >= heaps[number - 1]) {
        refuse("expected a legal move", move);
    }
    heaps[number - 1] = left;
}

void apply_moves(Position& position, Words::const_iterator move, Words::const_iterator end) {
    for (; move != end; ++move, ++position.moves_made) apply_move(position.heaps, *move);
}

// Reads a `position` line.
Position read_position(const Words& words) {
    Position position;
    const auto moves = std::find(words.begin(), words.end(), "moves");
    const auto length = moves - words.begin();
    if (length >= 3 && length <= 4 && words[1] == "fen") {
        position.heaps = read_heaps(words[2]);
        const std::string convention = length == 4 ? words[3] : "normal";
        position.misere = convention == "misere";
        if (!position.misere && convention != "normal") refuse("expected misere", convention);
    } else if (length != 2 || words[1] != "startpos") {
        refuse("expected position startpos or position fen nim:3,4,5 [misere]",
               words.size() > 2 ? words[2] : "");
    }
    if (moves != words.end()) apply_moves(position, moves + 1, words.end());
    return position;
}

// ---- time ----

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

std::atomic<bool> stopped = false;
Clock::time_point deadline;

bool time_is_up() { return stopped || Clock::now() >= deadline; }

// The number after `name`, or `otherwise`.
double limit(const Words& words, const std::string& name, double otherwise) {
    const auto found = std::find(words.begin(), words.end(), name);
    if (found == words.end() || found + 1 == words.end()) return otherwise;
    return std::atof((found + 1)->c_str());
}

// How long to think after this `go` if it is not infinite; `player` is "p1" or "p2".
Milliseconds time_for(const Words& words, const std::string& player) {
    constexpr double kAWeek = 7 * 24 * 3600 * 1000.0;
    const double left = limit(words, player + "time", -1);
    const double mine = std::min(left / 2, left / 20 + limit(words, player + "inc", 0) / 2);
    const double time = left >= 0 ? mine : 0.8 * limit(words, "movetime", 1000);
    return Milliseconds(std::clamp(time, 0.0, kAWeek));
}

// ---- the conversation ----

void say(const std::string& line) {
    std::cout << line << std::endl;  // unflushed lines never leave: the arena would wait
}

class Bot {
  public:
    void run() {
        std::ios::sync_with_stdio(false);
        std::cin.tie(nullptr);  // else reading flushes std::cout while the other thread writes
        for (std::string line; std::getline(std::cin, line);) {
            const std::lock_guard lock(mutex_);
            hear(split(line));
        }
        std::unique_lock lock(mutex_);
        input_ended_ = true;
        if (deadline == Clock::time_point::max()) stopped = true;
        changed_.notify_all();
        changed_.wait(lock, [&] { return !thinking_; });
        std::_Exit(0);  // all output has been flushed
    }

  private:
    void hear(const Words& words) {
        const std::string command = words.empty() ? "" : words[0];
        if (command == "quit") {
            std::_Exit(0);  // whatever the other thread does
        } else if (command == "isready") {
            say("readyok");
        } else if (command == "stop") {
            stopped = true;
            changed_.notify_all();
        } else if (thinking_) {
            waiting_.push_back(words);
        } else {
            carry_out(command, words);
        }
    }

    void carry_out(const std::string& command, const Words& words) {
        try {
            if (command == "ugi") {
                say("id name nim_bot\nid author the Nimarena authors");
                say("option name Seed type spin default 0 min 0 max "
                    "9223372036854775807\nugiok");
            } else if (command == "setoption") {
                if (words.size() == 5 && words[2] == "Seed")
                    chance_.seed(read_number(words[4]));
            } else if (command == "position") {
                position_ = read_position(words);
            } else if (command == "moves") {
                Position after = position_;
                apply_moves(after, words.begin() + 1, words.end());
                position_ = after;
            } else if (command == "go") {
                start_thinking(words);
            }
        } catch (const std::runtime_error& error) {
            say(std::string("info string error ") + error.what());
        }
    }

    void start_thinking(const Words& words) {
        const auto end = std::find(words.begin(), words.end(), "searchmoves");
        const Words limits(words.begin(), end);
        const bool infinite = std::count(limits.begin(), limits.end(), "infinite") > 0;
        const auto time = time_for(limits, position_.moves_made % 2 == 0 ? "p1" : "p2");
        deadline = Clock::time_point::max();
        if (!infinite)
            deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
        stopped = infinite && input_ended_;
        thinking_ = true;
        const Words allowed(end == words.end() ? end : end + 1, words.end());
        std::thread([=] { think(allowed, infinite); }).detach();
    }

    void think(const Words& allowed, bool infinite) {
        const std::string move = best_move(allowed);
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !infinite || stopped; });
        say("bestmove " + move);
        thinking_ = false;
        while (!thinking_ && !waiting_.empty()) {
            const Words words = waiting_.front();
            waiting_.pop_front();
            carry_out(words.empty() ? "" : words[0], words);
        }
        changed_.notify_all();
    }

    // The chosen move, or one that `searchmoves` lists if it does not list this one.
    std::string best_move(const Words& allowed) {
        const Heaps& heaps = position_.heaps;
        if (std::count(heaps.begin(), heaps.end(), 0) == std::ptrdiff_t(heaps.size())) {
            return "0000";
        }
        const Move chosen = choose_move(heaps, position_.misere, chance_);
        const std::string move =
            std::to_string(chosen.heap + 1) + "=" + std::to_string(chosen.left);
        const bool may = std::find(allowed.begin(), allowed.end(), move) != allowed.end();
        return may || allowed.empty() ? move : allowed[0];
    }

    Position position_;
    Random chance_{0};
    std::mutex mutex_;  // held while a line is carried out
    std::condition_variable changed_;
    std::deque<Words> waiting_;  // lines that came while the other thread thinks
    bool thinking_ = false;
    bool input_ended_ = false;
};

}  // namespace

int main() { Bot().run(); }

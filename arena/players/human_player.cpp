// A person at the terminal: sees the position as rows of stones and types moves.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/compute.hpp"
#include "arena/players/player.hpp"
#include "protocol/line_buffer.hpp"
#include "protocol/move.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Move;
using protocol::Result;

constexpr std::size_t kListedMoves = 60;
constexpr protocol::Number kLongestRow = 60;  // stones

constexpr std::string_view kHelp =
    "  2=1    heap 2 becomes 1        2 3   take 3 from heap 2\n"
    "  1=2,4  heap 1 becomes 2 and 4  ?     list the moves\n"
    "  quit   give up\n";

bool terminal_speaks_utf8() {
    for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(variable);
        if (value == nullptr || *value == '\0') continue;
        const std::string_view text(value);
        return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos;
    }
    return false;
}

std::string row_of(const protocol::Heap& heap) {
    const auto* stones = std::get_if<protocol::Number>(&heap);
    if (stones == nullptr) return {};
    static const std::string_view stone = terminal_speaks_utf8() ? "●" : "o";
    std::string row;
    for (protocol::Number i = 0; i < std::min(*stones, kLongestRow); ++i) row += stone;
    if (*stones > kLongestRow) row += " ...";
    return row;
}

std::string draw(const protocol::Position& position) {
    std::string board;
    std::size_t index = 0;
    for (const protocol::Component& component : position.components) {
        board += fmt::format("  {}\n", protocol::printable(component.ruleset.text, 200));
        for (const protocol::Heap& heap : component.heaps) {
            board += fmt::format("  {:>4}: {} {}\n", ++index, to_string(heap), row_of(heap));
        }
    }
    if (position.convention == protocol::Convention::Misere) board += "  (misere)\n";
    return board;
}

// "3 2": take 2 from heap 3, as text of the move. nullopt where it is no such thing.
std::optional<std::string> taking_move(std::string_view line, const engine::Game& game) {
    const auto words = protocol::split_words(line);
    if (words.size() != 2) return std::nullopt;
    const auto index = protocol::parse_number(words[0]);
    const auto count = protocol::parse_number(words[1]);
    if (!index || !count) return std::nullopt;
    const auto found = protocol::find_heap(game.position(), *index);
    const auto* stones = found ? std::get_if<protocol::Number>(&found.heap()) : nullptr;
    if (stones == nullptr || *count > *stones) return std::nullopt;
    return fmt::format("{}={}", *index, *stones - *count);
}

// There is one standard input, also for two persons. With persons, one game is played at a
// time.
protocol::LineBuffer& keyboard() {
    static protocol::LineBuffer typed;
    return typed;
}

class HumanPlayer : public Player {
  public:
    explicit HumanPlayer(const PlayerContext& context) : context_(context) {}

    Awaitable<std::optional<Cause>> prepare(std::uint64_t) override { co_return std::nullopt; }

    Awaitable<Answer> ask(const Question& question) override {
        const auto asked = Clock::now();
        const auto deadline = asked + question.referee.allowance();
        std::optional<Result<Move>> move;
        const std::function<void()> talk = [&] { move = converse(question, deadline); };
        co_await compute(context_.compute, talk);

        Answer answer;
        answer.used = std::chrono::duration_cast<Microseconds>(Clock::now() - asked);
        if (*move) {
            answer.word = to_string(**move);
        } else {
            const bool late = move->error().fault == Fault::TimedOut;
            answer.failure =
                Cause{late ? Reason::Timeout : Reason::Disconnected, move->error().text};
        }
        co_return answer;
    }

    Awaitable<void> end_game(bool) override { co_return; }
    Awaitable<void> quit() override { co_return; }

  private:
    // Asks until a legal move is typed, so a typo does not lose the game.
    Result<Move> converse(const Question& question, Clock::time_point deadline) {
        const engine::Game& game = question.referee.game();
        tell("\n" + last_move(question.history) + draw(game.position()));
        for (;;) {
            tell(fmt::format("You are player {}. Your move (? for help): ", game.player()));
            const auto line = read_line(deadline);
            if (!line) {
                tell("\n");
                return line.error();
            }
            const std::string_view typed = protocol::trim(*line);
            if (typed == "quit") return Error{Fault::Disconnected, "gave up", 0};
            if (typed == "?" || typed == "help") {
                tell(std::string(kHelp) + list_moves(game));
                continue;
            }
            auto move = game.read_move(taking_move(typed, game).value_or(std::string(typed)));
            if (move) return move;
            tell(describe(move.error()) + "\n");
        }
    }

    static std::string last_move(std::string_view history) {
        const std::size_t moves = history.find(" moves ");
        if (moves == history.npos) return {};
        return fmt::format("  the last move: {}\n", history.substr(history.rfind(' ') + 1));
    }

    static std::string list_moves(const engine::Game& game) {
        std::string list = " ";
        for (const Move& move : game.moves(kListedMoves)) list += " " + to_string(move);
        const engine::Count count = game.move_count();
        return list + (count > kListedMoves ? " ...\n" : "\n");
    }

    // One line of standard input: a terminal, a pipe or a file.
    Result<std::string> read_line(Clock::time_point deadline) {
        for (;;) {
            if (const auto line = keyboard().next_line()) {
                if (!*line) return line->error();
                return std::string(**line);
            }
            const auto left = std::chrono::ceil<Milliseconds>(deadline - Clock::now()).count();
            std::array<pollfd, 2> watched{
                {{STDIN_FILENO, POLLIN, 0}, {context_.stop_fd, POLLIN, 0}}};
            const int timeout = static_cast<int>(std::clamp<long>(left, 0, 1 << 30));
            if (::poll(watched.data(), watched.size(), timeout) < 0 && errno != EINTR) {
                return Error{Fault::Disconnected, "cannot wait for the keyboard", 0};
            }
            if (watched[1].revents != 0) return Error{Fault::Disconnected, "interrupted", 0};
            if (watched[0].revents == 0) {
                if (left > 0) continue;
                return Error{Fault::TimedOut, {}, 0};
            }
            const auto room = keyboard().space();
            const ssize_t size = ::read(STDIN_FILENO, room.data(), room.size());
            if (size > 0) {
                keyboard().commit(static_cast<std::size_t>(size));
            } else if (size == 0 || errno != EINTR) {
                return Error{Fault::Disconnected, "gave up (end of input)", 0};
            }
        }
    }

    void tell(std::string_view text) const {
        std::fwrite(text.data(), 1, text.size(), context_.console);
        std::fflush(context_.console);
    }

    const PlayerContext& context_;
};

}  // namespace

std::unique_ptr<Player> make_human_player(const PlayerContext& context) {
    return std::make_unique<HumanPlayer>(context);
}

}  // namespace arena

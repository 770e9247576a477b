// A person at the terminal: sees the position as rows of stones, types moves, and may ask the
// solver. A person who plays for fun (PlayerResources::leave) can also take moves back, and is
// asked after each game for another one.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/compute.hpp"
#include "arena/players/advice.hpp"
#include "arena/players/lobby.hpp"
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

constexpr std::string_view kHelp =
    "  2=1    heap 2 becomes 1        2 3   take 3 from heap 2\n"
    "  1=2,4  heap 1 becomes 2 and 4        (or: take 3 from 2)\n"
    "  ?      list the moves\n"
    "  hint   a good move             why   who wins, and why\n"
    "  values the nimber of each heap rules the rules again\n"
    "  undo   take back your last move and the answer to it\n"
    "  quit   give up\n";

constexpr std::chrono::seconds kAdviceTime{3};

bool leaves(std::string_view typed) {
    return typed == "quit" || typed == "q" || typed == "exit";
}

// The numbers of "take 2 from 3", "take 2 stones from heap 3": how many, and the heap.
std::optional<std::pair<std::string_view, std::string_view>> read_sentence(
    std::span<const std::string_view> words) {
    std::vector<std::string_view> numbers;
    for (const auto word : words) {
        constexpr std::array<std::string_view, 5> kFillers{"take", "stone", "stones", "from",
                                                           "heap"};
        if (std::ranges::find(kFillers, word) == kFillers.end()) numbers.push_back(word);
    }
    if (numbers.size() != 2 || std::ranges::find(words, "from") == words.end())
        return std::nullopt;
    return std::pair(numbers[0], numbers[1]);
}

// The move that was typed; "3 2" takes 2 from heap 3, and so does "take 2 from 3".
Result<Move> read_typed_move(std::string_view line, const engine::Game& game) {
    constexpr std::string_view kHowToTake =
        "write how many, and from which heap: take 2 from 3";
    const auto words = protocol::split_words(line);
    // "1 = 0"
    if (line.find('=') != line.npos)
        return game.read_move(fmt::format("{}", fmt::join(words, "")));

    const bool is_sentence = words[0] == "take";
    const auto sentence = is_sentence ? read_sentence(words) : std::nullopt;
    if (is_sentence && !sentence) return Error{Fault::BadInput, std::string(kHowToTake), 0};
    if (words.size() != 2 && !is_sentence) return game.read_move(line);
    const auto index = protocol::parse_number(is_sentence ? sentence->second : words[0]);
    const auto count = protocol::parse_number(is_sentence ? sentence->first : words[1]);
    if (is_sentence && (!index || !count))
        return Error{Fault::BadInput, std::string(kHowToTake), 0};
    if (!index || !count) return game.read_move(line);
    const auto found = protocol::find_heap(game.position(), *index);
    if (!found) {
        return bad_input("there is no heap {}, expected 1 to {}", *index,
                         game.position().heap_count());
    }
    const auto* stones = std::get_if<protocol::Number>(&found.heap());
    if (stones == nullptr) return game.read_move(line);
    if (*count == 0) return bad_input("take at least 1");
    if (*count > *stones) {
        return bad_input("heap {} has only {}", *index, *stones);
    }
    auto move = game.read_move(fmt::format("{}={}", *index, *stones - *count));
    if (move) return move;
    return bad_input("{} does not let you take {} from heap {}, which is {}",
                     found.component->ruleset.text, *count, *index, *stones);
}

// Two persons share the standard input. This needs no lock: with persons, games are not
// concurrent.
protocol::LineBuffer& keyboard() {
    static protocol::LineBuffer typed;
    return typed;
}

class HumanPlayer : public Player {
  public:
    explicit HumanPlayer(const PlayerContext& context) : context_(context) {}

    Awaitable<std::optional<Cause>> prepare(std::uint64_t) override {
        moves_.clear();
        was_asked_ = false;
        referee_ = nullptr;  // of a void game, whose end nobody told
        if (context_.shared.leave && has_played_) {
            bool goes_on = false;
            const std::function<void()> ask_person = [&] { goes_on = wants_another(); };
            if (!gave_up_) co_await compute(context_.loop.compute, ask_person);
            if (!goes_on) {
                context_.shared.leave();
                throw GameCalledOff();
            }
        }
        co_return std::nullopt;
    }

    void take_seat(const Referee& referee, int seat) override {
        referee_ = &referee;
        seat_ = seat;
    }

    Awaitable<Answer> ask(const Question& question) override {
        was_asked_ = true;
        // Forgets the moves that were taken back.
        std::erase_if(moves_, [&](const OwnMove& move) {
            return move.number > question.referee.plies();
        });
        const auto asked = Clock::now();
        const auto deadline = asked + question.referee.allowance();
        std::optional<Result<Move>> move;
        const std::function<void()> talk = [&] { move = converse(question, deadline); };
        co_await compute(context_.loop.compute, talk);

        Answer answer;
        answer.used = std::chrono::duration_cast<Microseconds>(Clock::now() - asked);
        if (takes_back_) {
            takes_back_ = false;
            answer.takes_back = true;
        } else if (*move) {
            moves_.push_back({question.referee.game(), **move, question.referee.plies() + 1});
            answer.word = to_string(**move);
        } else {
            const bool late = move->error().fault == Fault::TimedOut;
            answer.failure =
                Cause{late ? Reason::Timeout : Reason::Disconnected, move->error().text};
        }
        co_return answer;
    }

    // The referee of a game lives as long as the game.
    Awaitable<void> end_game(bool) override {
        if (referee_ != nullptr && referee_->verdict() &&
            !context_.shared.stop.stop_requested()) {
            const Cause& verdict = *referee_->verdict();
            const std::function<void()> tell_end = [&] {
                tell("\n" + last_board() +
                     ending_text(verdict, seat_, moves_, *context_.shared.analyst, budget()));
            };
            co_await compute(context_.loop.compute, tell_end);
        }
        has_played_ = has_played_ || referee_ != nullptr;
        referee_ = nullptr;
    }
    Awaitable<void> quit() override { co_return; }

  private:
    // Asks until a legal move is typed, so a typo does not lose the game.
    Result<Move> converse(const Question& question, Clock::time_point deadline) {
        const engine::Game& game = question.referee.game();
        const bool is_first = moves_.empty() && question.referee.plies() < 2;
        tell("\n" + (is_first ? rules_text(game.position()) + "\n" : "") +
             last_move(question.referee) + drawn(game.position()));
        for (;;) {
            tell(fmt::format("You are player {}. Your move (? for help): ", game.player()));
            const auto line = read_line(deadline);
            if (!line) {
                tell("\n");
                gave_up_ = line.error().fault == Fault::Disconnected;
                return line.error();
            }
            const std::string_view as_typed = protocol::trim(*line);
            const std::string typed = protocol::lower_case(as_typed);
            if (typed.empty()) continue;
            if (leaves(typed)) {
                gave_up_ = true;
                return Error{Fault::Disconnected, "gave up", 0};
            }
            if (typed == "?" || typed == "h" || typed == "help" || typed == "moves") {
                tell(std::string(kHelp) + list_moves(game));
                continue;
            }
            if (typed == "undo" || typed == "u") {
                if (takes_back_ = may_take_back(); takes_back_) return Move{};
                continue;
            }
            if (const auto advice = advice_on(typed, game)) {
                tell(*advice);
                continue;
            }
            const bool is_word = typed.starts_with("take");  // vertices may have capitals
            auto move = read_typed_move(is_word ? typed : as_typed, game);
            if (move) return move;
            tell(describe(move.error()) + "; ? for help\n");
        }
    }

    // The opponent's moves after the last question; the whole game if there was no question.
    std::string last_board() const {
        const engine::Game& game = referee_->game();
        const bool has_moved = !game.has_move() && referee_->seat_to_move() == seat_;
        if (!has_moved && was_asked_) return {};
        return (was_asked_ ? "" : rules_text(game.position()) + "\n") +
               (has_moved ? last_move(*referee_) : "") + drawn(game.position());
    }

    bool may_take_back() {
        if (!context_.shared.leave) {
            tell("undo is for a match of one person without --games and without a record\n");
        } else if (moves_.empty()) {
            tell("there is no move of yours to take back\n");
        } else {
            return true;
        }
        return false;
    }

    std::optional<std::string> advice_on(std::string_view typed, const engine::Game& game) {
        if (typed == "hint") return hint_text(game, *context_.shared.analyst, budget());
        if (typed == "values") return values_text(game, *context_.shared.analyst, budget());
        if (typed == "why") return why_text(game, *context_.shared.analyst, budget());
        if (typed == "rules") return rules_text(game.position());
        return std::nullopt;
    }

    engine::Budget budget() const {
        return {SteadyClock::now() + kAdviceTime, context_.shared.stop};
    }

    bool wants_another() {
        tell("Another game, the other player moving first? (y/n) ");
        for (;;) {
            const auto line = read_line(Clock::time_point::max());
            if (!line) {
                tell("\n");
                return false;
            }
            const std::string typed = protocol::lower_case(protocol::trim(*line));
            if (typed == "y" || typed == "yes") return true;
            if (typed == "n" || typed == "no" || leaves(typed)) return false;
            tell("expected y or n: ");
        }
    }

    // Empty before the first one.
    static std::string last_move(const Referee& referee) {
        const std::string& move = referee.last_move();
        return move.empty() ? "" : fmt::format("  the last move: {}\n", move);
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
                {{STDIN_FILENO, POLLIN, 0}, {context_.shared.stop_fd, POLLIN, 0}}};
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
            } else if (size == 0) {
                return last_line();
            } else if (errno != EINTR) {
                return given_up();
            }
        }
    }

    // What is typed before the end of the input: the last line of a file may have no end.
    static Result<std::string> last_line() {
        const auto rest = keyboard().rest();
        if (rest && *rest) return std::string(**rest);
        return given_up();
    }

    static Error given_up() {
        return Error{Fault::Disconnected, "gave up: the input has ended", 0};
    }

    void tell(std::string_view text) const {
        std::fwrite(text.data(), 1, text.size(), context_.shared.console);
        std::fflush(context_.shared.console);
    }

    const PlayerContext& context_;
    const Referee* referee_ = nullptr;  // of the current game; null: none
    int seat_ = 0;
    bool was_asked_ = false;
    std::vector<OwnMove> moves_;
    bool takes_back_ = false;
    bool has_played_ = false;  // an earlier game
    bool gave_up_ = false;
};

}  // namespace

std::unique_ptr<Player> make_human_player(const PlayerContext& context) {
    return std::make_unique<HumanPlayer>(context);
}

}  // namespace arena

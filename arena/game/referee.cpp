#include "arena/game/referee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "protocol/text.hpp"

namespace arena {
namespace {

std::size_t index(int seat) { return static_cast<std::size_t>(seat); }
int other(int seat) { return 1 - seat; }

std::string shown_position(const engine::Game& game) {
    return protocol::printable(protocol::to_string(game.position()), 200);
}

// "1050.3 ms": tenths, rounded up, so that a time over a limit is also shown over it.
std::string shown_time(Microseconds time) {
    const auto tenths = (time.count() + 99) / 100;
    return fmt::format("{}.{} ms", tenths / 10, tenths % 10);
}

std::string example_move(const engine::Game& game) {
    const auto moves = game.moves(1);
    return moves.empty() ? std::string() : protocol::printable(to_string(moves.front()), 60);
}

}  // namespace

bool is_costly(const protocol::Position& start) {
    // To look at a long one takes long, too.
    constexpr std::size_t kLong = 1000;
    const bool is_long = std::ranges::any_of(start.components, [](const auto& component) {
        return component.heaps.size() + component.ruleset.text.size() > kLong;
    });
    return is_long || engine::work_of(start) > 0;
}

// "3=1.5", "3=2."
bool has_fraction(std::string_view word) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto point = word.find('.');
    return point != word.npos && point > 0 && is_digit(word[point - 1]) &&
           (point + 1 == word.size() || is_digit(word[point + 1]));
}

std::string move_advice(const engine::Game& game, std::string_view line) {
    const auto words = protocol::split_words(line);
    if (words.size() < 2) return {};
    // "1 = 0", and "1 = 0" with a remark after it.
    std::string joined(words[1]);
    constexpr std::string_view kSigns = "=,";
    for (std::size_t i = 2; i < words.size() && i < 4; ++i) {
        const bool continues = kSigns.find(joined.back()) != kSigns.npos ||
                               kSigns.find(words[i].front()) != kSigns.npos;
        if (!continues) break;
        joined += words[i];
        if (game.read_move(joined)) return fmt::format("write it without blanks: {}", joined);
    }
    if (has_fraction(joined))
        return "write whole numbers: in Python, 6 // 2 is one and 6 / 2 is not";
    if (words.size() == 2 && (joined.ends_with('=') || joined.ends_with(','))) {
        return "is its line buffer too small? Lines have up to 1 MiB";
    }
    return {};
}

Referee::Referee(engine::Game start, std::array<TimeControl, 2> clocks, std::size_t max_plies,
                 std::array<std::string, 2> names)
    : game_(std::move(start)),
      names_(std::move(names)),
      clocks_(clocks),
      max_plies_(max_plies),
      text_bound_(to_string(game_.position()).size()) {
    for (std::size_t seat = 0; seat < 2; ++seat) {
        left_[seat] = clocks_[seat].base.value_or(Milliseconds(0));
    }
    settle();
}

std::optional<Milliseconds> Referee::time_left(int seat) const {
    if (!clock(seat).base) return std::nullopt;
    // Rounded down: a player must not be promised time that it does not have.
    return std::chrono::floor<Milliseconds>(left_[index(seat)]);
}

Microseconds Referee::allowance() const {
    const TimeControl& control = clock(seat_to_move());
    if (control.base) return left_[index(seat_to_move())] + control.margin;
    if (control.movetime) return *control.movetime + control.margin;
    return control.hang;
}

std::string Referee::allowed_text() const {
    const TimeControl& control = clock(seat_to_move());
    if (!control.base && !control.movetime) {
        return fmt::format("within {} ms, after which it counts as hung", control.hang.count());
    }
    const Microseconds time = control.base ? left_[index(seat_to_move())] : *control.movetime;
    return fmt::format("within {} and {} ms of margin", shown_time(time),
                       control.margin.count());
}

bool Referee::answer(std::string_view word, Microseconds used, std::string_view line) {
    if (verdict_ || at_limit_) return false;
    const auto received = [&] {
        return line.empty() ? "bestmove " + std::string(word) : std::string(line);
    };
    const std::string& who = name_to_move();
    if (used > allowance()) {
        fail_seat(seat_to_move(), {Reason::Timeout,
                                   fmt::format("{} answered after {}, expected a move {}", who,
                                               shown_time(used), allowed_text()),
                                   received(), "a move " + allowed_text()});
        return false;
    }
    if (word.empty()) {
        fail({Reason::Protocol, who + " answered 'bestmove' without a move", "bestmove",
              "bestmove and a legal move such as " + example_move(game_)},
             used);
        return false;
    }
    const auto move = game_.read_move(word);
    if (!move) {
        const std::string advice = move_advice(game_, received());
        fail({Reason::IllegalMove,
              fmt::format("{} played {} in {}: {}{}{}", who, protocol::quoted(word),
                          shown_position(game_), move.error().text, advice.empty() ? "" : "; ",
                          advice),
              received(), "a legal move such as " + example_move(game_)},
             used);
        return false;
    }
    play(*move, used);
    return true;
}

Cause Referee::overrule(const engine::Move& move, Microseconds used) {
    Cause fault = *std::move(verdict_);
    verdict_.reset();
    play(move, std::min(used, allowance()));
    return fault;
}

void Referee::play(const engine::Move& move, Microseconds used) {
    const TimeControl& control = clock(seat_to_move());
    Microseconds& left = left_[index(seat_to_move())];
    // An overrun within the margin leaves 0, to which the increment is added.
    if (control.base) left = std::max(left - used, Microseconds(0)) + control.increment;

    last_move_ = to_string(move);
    game_.play(move);
    ++plies_;
    text_bound_ += last_move_.size();
    settle();
}

void Referee::settle() {
    if (game_.end() != engine::End::None) {
        end_by_rules();
        return;
    }
    const bool can_go_on = game_.check_limits().has_value();
    at_limit_ = plies_ >= max_plies_ || !text_fits() || !can_go_on;
    if (!can_go_on) adjudicate(engine::Outcome::Unknown);  // an analyst cannot know
}

bool Referee::text_fits() {
    // The text is written only if the moves since the last time could have made it too long.
    if (text_bound_ > kMaxPositionText) text_bound_ = to_string(game_.position()).size();
    return text_bound_ <= kMaxPositionText;
}

void Referee::end_by_rules() {
    Cause verdict;
    const std::string& mover = name_to_move();
    if (game_.end() == engine::End::Repetition) {
        verdict.reason = Reason::Repetition;
        verdict.detail = fmt::format("{} stands for the third time with {} to move: a draw",
                                     shown_position(game_), mover);
    } else {
        verdict.reason = Reason::NoMoves;
        verdict.winner = *game_.winner() - 1;
        const bool wins = *verdict.winner == seat_to_move();
        verdict.detail = fmt::format("{} has no move and {}", mover,
                                     wins ? "wins, the play being misere" : "loses");
    }
    verdict_ = std::move(verdict);
}

void Referee::adjudicate(engine::Outcome value) {
    if (!awaits_adjudication()) return;
    const char* unit = plies_ == 1 ? "ply" : "plies";
    std::string limit =
        plies_ >= max_plies_ ? fmt::format("{} {}", plies_, unit) : "the length of a line";
    if (!game_.check_limits()) limit = "the bindings that are evaluated";
    const bool is_known = value != engine::Outcome::Unknown;
    Cause verdict;
    verdict.reason = is_known ? Reason::Adjudicated : Reason::PlyLimit;
    if (value == engine::Outcome::N) verdict.winner = seat_to_move();
    if (value == engine::Outcome::P) verdict.winner = other(seat_to_move());
    verdict.detail = "stopped at the limit of " + limit + ": " +
                     (verdict.winner ? names_[index(*verdict.winner)] + " wins the position"
                      : is_known     ? "the position is a draw"
                                     : "the winner is not known: a draw");
    verdict_ = std::move(verdict);
}

void Referee::fail(Cause fault, Microseconds used) {
    if (verdict_ || at_limit_) return;
    const bool was_timeout = fault.reason == Reason::Timeout;
    const bool is_late = used > allowance() && fault.reason != Reason::Startup;
    if (was_timeout || is_late) {
        // What it did after its time is reported, but the game is lost on time.
        const char* then = !was_timeout ? ", then: " : fault.detail.empty() ? "" : "; ";
        fault.detail = fmt::format("{} gave no move {}{}{}", name_to_move(), allowed_text(),
                                   then, fault.detail);
        if (!was_timeout || fault.expected.empty()) fault.expected = "a move " + allowed_text();
        fault.reason = Reason::Timeout;
    }
    fail_seat(seat_to_move(), std::move(fault));
}

void Referee::fail_seat(int seat, Cause fault) {
    if (verdict_) return;
    if (!fault.advice.empty()) fault.detail += "; " + std::exchange(fault.advice, {});
    fault.winner = other(seat);
    verdict_ = std::move(fault);
}

void Referee::fail_both(const std::array<Cause, 2>& faults) {
    if (verdict_) return;
    Cause verdict;
    verdict.detail =
        fmt::format("neither player starts, and the game does not count; p1: {}; p2: {}",
                    faults[0].detail, faults[1].detail);
    verdict_ = std::move(verdict);
}

}  // namespace arena

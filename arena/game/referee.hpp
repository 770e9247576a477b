// The referee of one game: rules, clocks and limits. It decides who won, and touches no socket
// and no clock: time comes in as an argument.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "arena/game/game_record.hpp"
#include "engine/rules/game.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/line_buffer.hpp"

namespace arena {

// The longest text of a position that a line can carry.
inline constexpr std::size_t kMaxPositionText =
    protocol::kMaxLine - std::string_view("position fen ").size();

// One player's time. Base and increment, or a fixed time a move, or none (then `hang` holds).
struct TimeControl {
    std::optional<Milliseconds> movetime = Milliseconds(1000);
    std::optional<Milliseconds> base;    // excludes movetime
    std::optional<std::uint64_t> nodes;  // sent, and not judged
    Milliseconds increment{0};
    Milliseconds margin{50};   // how late a reply may be
    Milliseconds hang{60000};  // the limit of a reply without another limit
};

// Whether starting a game from this position may take long.
bool is_costly(const protocol::Position& start);

// What is wrong with the form of the illegal move of a `bestmove` line: that it has blanks
// inside, has a fraction, or was cut off. Empty if none of these.
std::string move_advice(const engine::Game& game, std::string_view line);

// The first verdict is final: calls on a decided game are ignored.
class Referee {
  public:
    // `names`: what the texts of verdicts call the two seats.
    Referee(engine::Game start, std::array<TimeControl, 2> clocks, std::size_t max_plies,
            std::array<std::string, 2> names = {"p1", "p2"});

    // The verdict of a game that is over. A start position without moves is decided at once.
    const std::optional<Cause>& verdict() const { return verdict_; }

    // The limit of plies (or of the position's text) is reached and no rule has decided:
    // adjudicate() must be called.
    bool awaits_adjudication() const { return !verdict_ && at_limit_; }
    // `value`: of the position, for the player to move.
    void adjudicate(engine::Outcome value);

    int seat_to_move() const { return game_.player() - 1; }
    const engine::Game& game() const { return game_; }
    std::size_t plies() const { return plies_; }

    // Whether it takes more than 0.1 ms to judge a move: conditions of rules{…} may take a
    // second. If so, call answer(), overrule() and all that lists moves on a compute thread.
    bool is_costly() const { return game_.work() > kLittleWork; }

    // Time left on a seat's clock, for `go p1time …`; nullopt without base time.
    std::optional<Milliseconds> time_left(int seat) const;
    const TimeControl& clock(int seat) const { return clocks_[static_cast<std::size_t>(seat)]; }
    // How long the seat to move has for this reply, margin included. A reply at that very
    // moment is in time.
    Microseconds allowance() const;
    // By how much a reply is late that took this long; not positive: it is in time.
    Microseconds lateness(Microseconds used) const { return used - allowance(); }

    // The player to move answered `word` after `bestmove` (empty: `bestmove` stood alone),
    // `used` after it was asked. Judges time, legality, no moves left, repetition, limits, in
    // this order. True if the move was played: last_move() is its canonical text. `line`: the
    // whole reply, for the report; empty: the two words alone.
    bool answer(std::string_view word, Microseconds used, std::string_view line = {});
    const std::string& last_move() const { return last_move_; }

    // The player to move failed otherwise, `used` after it was asked. Time comes first: a fault
    // later than allowance() is a timeout, except Startup. The detail of a timeout says what
    // the player did instead; the limit is prepended to it.
    void fail(Cause fault, Microseconds used = Microseconds(0));

    // Withdraws and returns the verdict on a fault of the player to move, and plays the legal
    // `move` for it. Subtracts `used`, up to the time allowed, from its clock.
    Cause overrule(const engine::Move& move, Microseconds used);

    // A player failed to start; it need not be its turn.
    void fail_seat(int seat, Cause fault);
    // Neither player can start, in the order of the seats: the game does not count.
    void fail_both(const std::array<Cause, 2>& faults);

  private:
    void end_by_rules();  // no moves left, repetition
    void play(const engine::Move& move, Microseconds used);
    void settle();  // no moves, repetition, limits: after a move, and at the start
    bool text_fits();
    std::string allowed_text() const;

    static constexpr engine::Count kLittleWork = 400'000;

    const std::string& name_to_move() const {
        return names_[static_cast<std::size_t>(seat_to_move())];
    }

    engine::Game game_;
    std::array<std::string, 2> names_;
    std::array<TimeControl, 2> clocks_;
    std::array<Microseconds, 2> left_{};
    std::size_t max_plies_;
    std::size_t plies_ = 0;
    std::size_t text_bound_;  // the position's text is not longer than this
    bool at_limit_ = false;
    std::string last_move_;
    std::optional<Cause> verdict_;
};

}  // namespace arena

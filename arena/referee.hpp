// The referee of one game: rules, clocks and limits, in that part of the arena which decides
// who won. Touches no socket and no clock: time comes in as an argument.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "arena/game_record.hpp"
#include "engine/rules/game.hpp"

namespace arena {

// One player's time. Base and increment, or a fixed time a move, or none (then `hang` holds).
struct TimeControl {
    std::optional<Milliseconds> movetime = Milliseconds(1000);
    std::optional<Milliseconds> base;  // excludes movetime
    Milliseconds increment{0};
    Milliseconds margin{50};   // how late a reply may be
    Milliseconds hang{60000};  // the limit of a reply where there is no other
};

// How a game ended, and for whom.
struct Verdict {
    std::optional<int> winner;  // seat 0 or 1
    Reason reason = Reason::Void;
    std::string detail;    // one sentence for people, fit to be shown
    std::string received;  // for faults: what was read, as it came
    std::string expected;  // for faults: what would have been right
};

class Referee {
  public:
    Referee(engine::Game start, std::array<TimeControl, 2> clocks, std::size_t max_plies);

    // The verdict of a game that is over. A start position without moves is decided at once.
    const std::optional<Verdict>& verdict() const { return verdict_; }

    // The limit of plies (or of the position's text) is reached and no rule has decided:
    // adjudicate() must be called.
    bool awaits_adjudication() const;
    // `winner`: the seat that wins by proven value; nullopt where the value is not known.
    // `draw`: the value is proven to be a draw.
    void adjudicate(std::optional<int> winner, bool draw);

    int seat_to_move() const { return game_.player() - 1; }
    const engine::Game& game() const { return game_; }
    std::size_t plies() const { return plies_; }

    // Time left on a seat's clock, for `go p1time …`; nullopt without base time.
    std::optional<Milliseconds> left(int seat) const;
    const TimeControl& clock(int seat) const { return clocks_[static_cast<std::size_t>(seat)]; }
    // How long the seat to move has for this reply, margin included.
    Microseconds allowance() const;

    // The player to move answered `word` after `bestmove`, `used` after it was asked. Judges
    // time, legality, no moves left, repetition, limits, in this order. On success the
    // canonical text of the move is last_move().
    void answer(std::string_view word, Microseconds used);
    const std::string& last_move() const { return last_move_; }

    // The player to move failed otherwise. Time comes first: a fault later than allowance() is
    // a timeout, save a Startup.
    void fail(Reason reason, std::string detail, std::string received, std::string expected);

  private:
    void end(std::optional<int> winner, Reason reason, std::string detail,
             std::string received = {}, std::string expected = {});
    void settle();  // no moves, repetition, limits: after a move, and at the start

    engine::Game game_;
    std::array<TimeControl, 2> clocks_;
    std::array<Microseconds, 2> left_{};
    std::size_t max_plies_;
    std::size_t plies_ = 0;
    std::string last_move_;
    std::optional<Verdict> verdict_;
};

}  // namespace arena

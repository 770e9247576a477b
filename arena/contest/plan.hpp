// Entrants, plans and results: the view that formats and tables have of
// games.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arena/game/game_key.hpp"
#include "arena/game/game_record.hpp"

namespace arena {

// A player of the tournament, number 0 first.
struct Entrant {
    std::string name;     // as given or as the bot names itself; printable; distinct
    std::string spec;     // the text of the player: cmd=… option.…; compared between runs
    int first_round = 1;  // the first round (of stage 1) it may play in; above 1: a late joiner

    friend bool operator==(const Entrant&, const Entrant&) = default;
};

struct PlannedPair {
    PairKey key;
    // Numbers of entrants; the first of them moves first in leg 1.
    std::array<int, 2> players{0, 0};
    StartPosition position;  // names of rulesets expanded; drawn after the pairing

    friend bool operator==(const PlannedPair&, const PlannedPair&) = default;
};

// A round, recorded before its games start. A stage and round are planned once, except for
// further attempts, which are plans of their own.
struct RoundPlan {
    int stage = 1;
    int round = 1;
    int attempt = 1;
    std::vector<PlannedPair> pairs;      // sorted by key
    std::vector<int> byes;               // players that score without playing
    std::chrono::milliseconds spent{0};  // of the budget of time, when this was planned
    std::string note;                    // for people; "rematch: …"; empty mostly

    friend bool operator==(const RoundPlan&, const RoundPlan&) = default;
};

// The part of a played game that the tables need.
struct GameResult {
    GameKey key;
    std::array<int, 2> players{0, 0};  // by seat: p1 moved first
    std::optional<int> winner;         // seat
    Reason reason = Reason::Void;
    // By seat.
    std::array<int, 2> strikes{0, 0};
    std::array<Microseconds, 2> off_turn_cpu{};
    std::array<Microseconds, 2> thought{};    // from question to reply, all moves together
    std::array<std::int64_t, 2> moves{0, 0};  // of these

    // Half points of a seat: 2, 1 or 0.
    int halves(int seat) const { return !winner ? 1 : *winner == seat ? 2 : 0; }

    // `times`: of all `plies` moves of the game; what comes after them, such as the time of a
    // fault, does not count.
    void set_times(const std::vector<Microseconds>& times, std::size_t plies);
};

GameResult result_of(const GameRecord& record);

}  // namespace arena

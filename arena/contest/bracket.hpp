// The meetings of a knockout, round by round.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace arena {

struct BracketMeeting {
    // What decided a meeting: its last attempt; if that decided nothing, in this order, the
    // points of all attempts, fewer faults, lots.
    enum class Decision { Attempt, AllAttempts, Faults, Lots };

    int round = 1;
    int pairing = 1;
    std::array<std::optional<int>, 2> players;  // nullopt: nobody, so that the other has a bye
    std::array<std::int64_t, 2> halves{0, 0};   // half points of all attempts, void games apart
    int attempts = 0;                           // that have begun
    std::optional<int> winner;                  // a player; nullopt: not decided yet
    Decision decision = Decision::Attempt;      // of one with a winner
};

// By round, in the order of the bracket: the winners of meetings 2k-1 and 2k meet in meeting k
// of the next round. The last round is the final once it has one meeting.
using Bracket = std::vector<BracketMeeting>;

// "round 2", "final".
std::string round_name(const Bracket& bracket, int round);
// "in 2 attempts, decided by lots", after `before`; empty if a meeting was decided at once.
std::string decision_text(const BracketMeeting& meeting, std::string_view before = "");
// A line a meeting, and the winner; empty without meetings.
std::string bracket_text(const Bracket& bracket, const std::vector<std::string>& names);

}  // namespace arena

// Statistics that need the value of every position: how well players keep won positions, and
// how far they are from perfect play.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arena/contest/pentanomial.hpp"
#include "arena/game/game_analysis.hpp"
#include "arena/game/game_record.hpp"

namespace arena {

// The maximum-likelihood rate of mistakes, with the exact interval of Clopper and Pearson.
struct ErrorRate {
    std::uint64_t decisions = 0;  // that count
    std::uint64_t mistakes = 0;   // among them
    std::uint64_t repeats = 0;    // decisions left out because they repeat
    std::uint64_t beyond = 0;     // decisions left out: too many positions before
    double rate = 0;              // mistakes / decisions; 0 where there are none
    Interval interval{0, 1};      // 95 %
};

// "0.12 [0.09, 0.15]"; "unknown" without decisions.
std::string to_string(const ErrorRate& rate);

// Adds up the decisions of one player. A decision is a move where some legal moves keep the
// value of the position and some do not, and a mistake is one that does not.
//
// If a player is consistent, repeats carry no information: as long as it was always right or
// always wrong in each position, each position counts once. Once it was both right and wrong in
// one position, it plays at random, and every decision counts. So the counted decisions are
// independent trials, as the exact interval requires.
class DecisionCount {
  public:
    // At most this many positions are remembered; decisions in further ones are not counted.
    static constexpr std::size_t kMaxPositions = 65536;

    void add(std::string_view position, bool mistake);

    ErrorRate error_rate() const;
    std::uint64_t decisions() const { return decisions_; }  // all, repeats too
    std::uint64_t mistakes() const { return mistakes_; }

  private:
    struct Seen {
        std::uint32_t right = 0;
        std::uint32_t wrong = 0;
    };

    std::unordered_map<std::uint64_t, Seen> positions_;  // by hash
    std::uint64_t decisions_ = 0;
    std::uint64_t mistakes_ = 0;
    std::uint64_t repeats_ = 0;
    std::uint64_t wrong_positions_ = 0;
    std::uint64_t beyond_ = 0;
    std::uint64_t beyond_mistakes_ = 0;
    bool varied_ = false;
};

// Counts for one ply, over all games; the first ply is 0.
struct PlyAccuracy {
    std::uint64_t decisions = 0;
    std::uint64_t mistakes = 0;
    std::uint64_t first_mistakes = 0;  // games in which this was the player's first mistake
};

// How well a player keeps what its positions are worth. Moves that the arena made instead of it
// (strikes) are not counted. Neither are void games.
struct Accuracy {
    static constexpr std::size_t kMaxPlies = 200;  // later plies count as the last of these

    std::uint64_t theory_halves = 0;   // half points of perfect play from the same seats
    std::uint64_t theory_unknown = 0;  // games for which that is unknown

    std::uint64_t moves = 0;
    std::uint64_t unknown_moves = 0;  // not known whether they were mistakes
    std::uint64_t undecided = 0;      // of which it is, but not whether all moves were such
    std::uint64_t won_positions = 0;  // in which it moved, with the result known
    std::uint64_t won_kept = 0;
    std::uint64_t drawn_positions = 0;
    std::uint64_t drawn_held = 0;
    DecisionCount decisions;
    std::uint64_t games_with_mistakes = 0;
    std::vector<PlyAccuracy> plies;

    std::uint64_t games_stood_won = 0;   // at some time
    std::uint64_t games_thrown = 0;      // of these: not won
    std::uint64_t games_stood_lost = 0;  // at some time
    std::uint64_t steals = 0;            // of these: won, and not by a fault of the other

    std::uint64_t mistakes() const { return decisions.mistakes(); }
};

// Adds a game to what is known of its players, by seat. Memory is linear, up to a bound, in the
// distinct positions of a player's decisions; below that bound the order of games does not
// matter.
void add_accuracy(const GameRecord& record, const GameAnalysis& analysis,
                  const std::array<Accuracy*, 2>& players);

// The decisions of one seat in one game that are known: the position, and whether it erred
// there.
using Decisions = std::vector<std::pair<std::string, bool>>;
Decisions decisions_of(const GameRecord& record, const GameAnalysis& analysis,
                       std::size_t seat);

// "plays like perfect with ε = 0.12 [0.09, 0.15]", and over how many decisions that is.
std::string describe_error_rate(const Accuracy& accuracy);

}  // namespace arena

// All that is added up of finished games: points, tie-breaks, faults, pairs, starts, times, and
// how well players kept what their positions were worth.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "arena/contest/accuracy.hpp"
#include "arena/contest/elo.hpp"
#include "arena/contest/pentanomial.hpp"
#include "arena/contest/plan.hpp"
#include "arena/contest/start_tally.hpp"

namespace arena {

// "3", "3.5"; also tie-breaks, as 5.25.
std::string points_text(double points);
// Multiples of a half, as "3", "½", "3½".
std::string points_as_fraction(double points);

struct FaultCount {
    std::int64_t games = 0;
    GameKey first;  // the earliest of them
};

struct Standing {
    int player = 0;  // number
    int rank = 0;    // from 1; equal for tied players
    double points = 0;
    std::int64_t games = 0;  // that count: wins + draws + losses
    std::int64_t wins = 0;
    std::int64_t draws = 0;
    std::int64_t losses = 0;
    std::int64_t byes = 0;
    std::map<Reason, FaultCount> faults;  // its own, each of which lost a game
    double buchholz = 0;
    double sonneborn_berger = 0;
    double head_to_head = 0;
    int round_reached = 0;     // knockout only
    PairCounts pairs{};        // complete ones, without a void game
    std::int64_t strikes = 0;  // of void games too, as CPU time off turn
    Microseconds off_turn_cpu{};
    std::int64_t off_turn_games = 0;  // in which that was significant
    Microseconds thought{};
    std::int64_t moves = 0;  // for which it thought

    std::int64_t fault_count() const;
    // By game alone, without points for byes.
    double points_of_games() const {
        return static_cast<double>(wins) + static_cast<double>(draws) / 2;
    }
    // Milliseconds a move; nullopt without moves.
    std::optional<double> thinking_time() const;
};

// Adds results in any order. Memory is linear in players, pairs of players that met, pairs of
// games half of which is played, and players by starts. Void games give no points.
//
// - Points: 1 for a win, 1/2 for a draw; for a bye as many as a pairing has games.
// - Buchholz: the points of all opponents, once for each pairing with them.
// - Sonneborn-Berger: for all opponents, their points times those taken from them.
// - A bye counts in both as a pairing, won, with an opponent who has as many points as the
//   player itself (FIDE Tie-Break Regulations, 2023: the dummy opponent). Rounds before a late
//   joiner came count nothing.
// - Head to head: points taken from the players that are equal in all of the above, less points
//   conceded to them; 0 unless each two of these have played each other.
class Results {
  public:
    // `games_of_pairing`: the points of a bye. `most_starts`: see StartTally.
    explicit Results(int games_of_pairing,
                     std::size_t most_starts = std::numeric_limits<std::size_t>::max())
        : bye_points_(games_of_pairing), starts_(most_starts) {}

    void add(const Entrant& entrant);
    void add(const RoundPlan& plan);
    void add(const GameResult& result);
    // What the analysis of a game tells of its players. Games that are not analysed are left
    // out of accuracy().
    void add_analysis(const GameRecord& record, const GameAnalysis& analysis);

    // Ranked by points, Buchholz, Sonneborn-Berger, head to head; equals in their order. For a
    // knockout, where Format::rounds_reached() is given, by that alone. O(players log players +
    // pairs who met).
    std::vector<Standing> table(const std::vector<int>& rounds_reached = {}) const;

    // By number, without ranks and tie-breaks.
    const std::vector<Standing>& players() const { return players_; }
    // The scores of all pairs of players who met, in no order.
    std::vector<PairScore> pair_scores() const;
    // The results of one player against another one.
    PairScore encounter(int player, int other) const;
    const StartTally& starts() const { return starts_; }
    const std::vector<Accuracy>& accuracy() const { return accuracy_; }  // by player

  private:
    using Pair = std::uint64_t;  // the lower number, then the higher one
    static Pair pair(int a, int b);
    PairScore& met(int a, int b);

    void count(Standing& side, int seat, const GameResult& result);
    void count_use(Standing& side, std::size_t seat, const GameResult& result);
    void add_to_pairs(const GameResult& result);
    void add_tie_breaks(std::vector<Standing>& table) const;
    void add_head_to_head(std::vector<Standing>& table, std::size_t begin,
                          std::size_t end) const;

    double bye_points_;
    std::vector<Standing> players_;  // rank and tie-breaks empty
    std::vector<Accuracy> accuracy_;
    std::unordered_map<Pair, PairScore> encounters_;  // the lower number is the first
    // For pairs with one game played: the half points of the player with the lower number; none
    // if the game is void.
    std::map<PairKey, std::optional<int>> halves_;
    StartTally starts_;
};

}  // namespace arena

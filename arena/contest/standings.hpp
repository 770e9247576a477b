// The table of a tournament.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "arena/contest/elo.hpp"
#include "arena/contest/plan.hpp"

namespace arena {

// "3", "3.5"; also tie-breaks, as 5.25.
std::string points_text(double points);

// The results of one player against another one. Void games are not counted.
struct HeadToHead {
    std::int64_t meetings = 0;  // pairings that were planned; replays are not counted
    std::int64_t games = 0;
    double points = 0;    // of the one
    double conceded = 0;  // of the other one
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
    std::map<Reason, std::int64_t> faults;  // its own faults, each of which lost a game
    double buchholz = 0;
    double sonneborn_berger = 0;
    double head_to_head = 0;
    int round_reached = 0;  // knockout only

    std::int64_t fault_count() const;
};

// Adds results in any order. Memory is linear in players and pairs of players that met.
//
// - Points: 1 for a win, 1/2 for a draw; for a bye as many as a pairing has games.
// - Buchholz: the points of all opponents, once for each pairing with them.
// - Sonneborn-Berger: for all opponents, their points times those taken from them.
// - A bye counts in both as a pairing, won, with an opponent who has as many points as the
//   player itself (FIDE Tie-Break Regulations, 2023: the dummy opponent). Rounds before a late
//   joiner came count nothing.
// - Head to head: points taken from the players that are equal in all of the above, less points
//   conceded to them; 0 unless each two of these have played each other.
class Standings {
  public:
    // `games_of_pairing`: the points of a bye.
    explicit Standings(int games_of_pairing) : bye_points_(games_of_pairing) {}

    void add(const Entrant& entrant);
    void add(const RoundPlan& plan);
    void add(const GameResult& result);

    // Ranked by points, Buchholz, Sonneborn-Berger, head to head; equals in their order. For a
    // knockout, where Format::rounds_reached() is given, by that alone. O(players log players +
    // pairs who met).
    std::vector<Standing> table(const std::vector<int>& rounds_reached = {}) const;

    // The scores of all pairs of players who met, in no order.
    std::vector<PairScore> pair_scores() const;
    // The results of one player against another one.
    HeadToHead encounter(int player, int other) const;

  private:
    using Pair = std::uint64_t;  // the lower number, then the higher one
    static Pair pair(int a, int b);

    void count(Standing& side, int seat, const GameResult& result);
    void add_tie_breaks(std::vector<Standing>& table) const;
    void add_head_to_head(std::vector<Standing>& table, std::size_t begin,
                          std::size_t end) const;

    double bye_points_;
    std::vector<Standing> players_;                    // rank and tie-breaks empty
    std::unordered_map<Pair, HeadToHead> encounters_;  // from the view of the lower number
};

}  // namespace arena

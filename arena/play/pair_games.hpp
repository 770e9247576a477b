// From a planned pair to its games: where they start, and with which seeds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "arena/contest/plan.hpp"
#include "arena/game/game_record.hpp"
#include "arena/game/position_source.hpp"
#include "arena/play/tournament_options.hpp"
#include "arena/record/store.hpp"

namespace arena {

// One thread uses it; tasks_of() is safe from any.
class PairGames {
  public:
    // The references outlive it. Once `stop` is requested, no position is looked for.
    PairGames(const TournamentOptions& options, const PositionSource& positions,
              std::stop_token stop);

    // Counts the pairs of a recorded round: later pairs of the same two players get later
    // positions.
    void add(const RoundPlan& plan);
    // Gives each pair of a new round its start position. If all pairings recur, each pairing
    // gets the positions in sequence. Otherwise all pairings of a round get the same ones, and
    // each round and attempt gets new ones.
    protocol::Result<void> fill_positions(RoundPlan& plan) const;
    // The missing games of a pair, in the order of its legs.
    std::vector<GameTask> tasks_of(const Claim& claim) const;

  private:
    const TournamentOptions& options_;
    const PositionSource& positions_;
    const std::stop_token stop_;
    std::vector<std::optional<std::uint64_t>> own_seeds_;    // by player
    std::map<std::pair<int, int>, std::uint64_t> meetings_;  // pairs of games planned
};

}  // namespace arena

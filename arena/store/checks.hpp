// What every backend checks before it stores something, so that all refuse the same.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "arena/store/store.hpp"
#include "protocol/result.hpp"

namespace arena {

// Another configuration, told apart line by line.
protocol::Error other_configuration(const Configuration& recorded, const Configuration& now);

// Could these players join behind those that are there?
protocol::Result<void> check_join(const std::vector<Entrant>& present,
                                  const std::vector<Entrant>& joining);
protocol::Result<void> check_rename(const std::vector<Entrant>& present,
                                    const std::vector<std::pair<int, std::string>>& names);

// Does the plan make sense among so many players?
protocol::Result<void> check_plan(const RoundPlan& plan, std::size_t entrants);
// Is it the plan that was written before, with the same pairs and byes?
protocol::Result<void> check_same_plan(const RoundPlan& recorded, const RoundPlan& now);

// Is it a game of this pair?
protocol::Result<void> check_game(const GameRecord& record, const PlannedPair& pair);
protocol::Error not_planned(const GameKey& key);
protocol::Error not_recorded(const GameKey& key);

// Who sits where in a leg.
std::array<int, 2> players_of(const PlannedPair& pair, int leg);

// The record with texts from players made fit to be shown; stderr keeps its lines. Doing it
// again changes nothing.
void make_fit_to_store(GameRecord& record);

}  // namespace arena

// What the truth about every position tells of the players of a tournament.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "arena/store/store.hpp"
#include "engine/solver/analyst.hpp"

namespace arena {

// A line a player: what it got beside what theory allowed, what it kept of won and drawn
// positions, mistakes a game, and its error rate. Games without an analysis are analysed first,
// within `budget` in all, and the analysis kept; lines say how many are missing. `progress` as
// in annotate_games().
protocol::Result<std::string> truth_report(Store& store, const engine::Analyst& analyst,
                                           const engine::Budget& budget,
                                           const std::vector<std::string>& names,
                                           const std::function<void(std::uint64_t)>& progress);

}  // namespace arena

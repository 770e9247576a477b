// The analysis of games that were recorded, kept beside them.
#pragma once

#include <cstdint>
#include <functional>

#include "arena/store/store.hpp"
#include "engine/solver/analyst.hpp"
#include "protocol/result.hpp"

namespace arena {

struct Annotated {
    std::uint64_t games = 0;  // analysed now, or once more
    bool complete = true;     // false: time ran out before the last
};

// Analyses the games that have no annotation, in the schedule's order, and notes what was found
// (game_analysis.hpp); at most kAnalysisTime a game. A game that the budget cuts short is left
// for the next time. Then those that an earlier run left with something unknown get five times
// as long each, while time is left. `progress` is told how many were done so far, now and then; it may be empty.
protocol::Result<Annotated> annotate_games(Store& store, const engine::Analyst& analyst,
                                           const engine::Budget& budget,
                                           const std::function<void(std::uint64_t)>& progress);

}  // namespace arena

// The analysis of recorded games, stored with them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "arena/game/game_analysis.hpp"
#include "arena/record/store.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/result.hpp"

namespace arena {

// As it was noted, if the note has as many moves as the game.
std::optional<GameAnalysis> noted_analysis(const GameRecord& game);
// As it was noted; else made now, within kAnalysisTime, and not kept.
GameAnalysis analysis_of(const GameRecord& game, const engine::Analyst& analyst);

struct Annotated {
    std::uint64_t games = 0;  // analysed now, or once more
    bool complete = true;     // false: time ran out before the last
};

// Analyses the games without an annotation, in the order of the schedule, and stores the result
// (game_analysis.hpp); at most kAnalysisTime for each. A game cut short by the budget is left
// for the next time. Then games that an earlier run left with unknown values get five times as
// long each, while time is left. `progress` is called now and then with the number done so far;
// it may be empty.
protocol::Result<Annotated> annotate_games(Store& store, const engine::Analyst& analyst,
                                           const engine::Budget& budget,
                                           const std::function<void(std::uint64_t)>& progress);

}  // namespace arena

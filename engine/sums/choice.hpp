// Which move to play in a solved position.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "engine/sums/solution.hpp"

namespace engine {

// See Analyst::choose. The solution is that of the game; what is to be found out beside it ends
// with the budget.
std::optional<Move> choose_move(const Game& game, const Solution& solution,
                                const std::vector<Move>& candidates, const Style& style,
                                std::mt19937_64& random, const Budget& budget);

}  // namespace engine

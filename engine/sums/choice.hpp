// Which move to play in a solved position.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "engine/sums/solution.hpp"

namespace engine {

// A move, and the outcome that it is proven to keep for its player: N: it wins, D: it holds the
// draw, P: it loses, as perhaps every move does. Unknown: nothing is proven of it.
struct ChosenMove {
    Move move;
    Outcome keeps = Outcome::Unknown;
};

// See Analyst::choose. The solution is that of the game; further searches end with the budget.
std::optional<ChosenMove> choose_move(const Game& game, const Solution& solution,
                                      const std::vector<Move>& candidates, const Style& style,
                                      std::mt19937_64& random, const Budget& budget);

}  // namespace engine

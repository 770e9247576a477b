// Samples legal moves without listing all of them.
#pragma once

#include <random>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/rules/game.hpp"

namespace engine {

// The most units of text (see solution.hpp) that one of its heaps has, 1 at least.
std::size_t longest_heap(const Game& game);

// All moves if there are at most `limit`; else at most that many, each drawn from all. Fewer if
// they are long, such as those of a tuple with very many entries. If the budget ends before all
// moves are counted, they come from some heaps, or are the first ones found. There must be a
// move; at least one is found.
std::vector<Move> sample_moves(const Game& game, std::size_t limit, std::mt19937_64& random,
                               const Budget& budget);

}  // namespace engine

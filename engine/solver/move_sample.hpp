// Some of the legal moves, also where there is no time to list them.
#pragma once

#include <random>
#include <vector>

#include "engine/rules/game.hpp"
#include "engine/solver/budget.hpp"

namespace engine {

// The most units of text (see solution.hpp) that one of its heaps has, 1 at least.
std::size_t longest_heap(const Game& game);

// All moves where they are no more than `limit`; else so many or fewer, each drawn from all.
// Fewer, too, where they are long, such as those of a tuple of very many entries.
// Where the budget ends before all moves are counted, from those of some heaps, or the first
// that are found. There must be a move; one is found always.
std::vector<Move> sample_moves(const Game& game, std::size_t limit, std::mt19937_64& random,
                               const Budget& budget);

}  // namespace engine

// Sets traps for opponents that make mistakes.
#pragma once

#include <random>
#include <vector>

#include "engine/sums/solution.hpp"

namespace engine {

// Among these lost or drawn moves, the one after which the smallest share of replies is best
// (wins, or holds the draw); among equals the one after which play can last longest, then a
// random one. Each move costs solving a position; moves beyond the budget are left out. There
// must be a move.
Move best_trap(const Game& game, const std::vector<Move>& moves, std::mt19937_64& random,
               const Budget& budget);

}  // namespace engine

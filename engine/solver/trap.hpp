// Setting traps: opponents err.
#pragma once

#include <random>
#include <vector>

#include "engine/solver/solution.hpp"

namespace engine {

// Of these moves, lost or drawn, the one after which the least share of replies is best (wins
// or, in a draw, holds it); of equal ones the one after which play can last longest, and then
// one drawn at random. Each move costs the solving of a position; those that the budget leaves
// no time for are left out. There must be a move.
Move best_trap(const Game& game, const std::vector<Move>& moves, std::mt19937_64& random,
               const Budget& budget);

}  // namespace engine

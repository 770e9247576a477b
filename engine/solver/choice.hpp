// Which move to play in a solved sum.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "engine/solver/sum.hpp"

namespace engine {

// The winning moves, heap by heap, `limit` at most; nullopt where not all are known, or the
// budget ends before.
std::optional<MoveList> list_winning(const Sum& sum, std::size_t limit, const Budget& budget);

// See Analyst::choose. The sum is that of the game.
std::optional<Move> choose_move(const Game& game, const Sum& sum,
                                const std::vector<Move>& candidates, const Style& style,
                                std::mt19937_64& random, const Budget& budget);

}  // namespace engine

// A move is a decision if some legal moves keep the value of the position for the mover and
// some do not; a decision that does not keep it is a mistake. In a lost position there is
// nothing to throw.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "engine/sums/analyst.hpp"

namespace arena {

enum class Finding { No, Yes, Unknown };

// Whether a move from value `before` (for the mover) to value `after` (for the opponent) gives
// something away.
Finding is_mistake(engine::Outcome before, engine::Outcome after);

// All legal moves that keep the value of a won or drawn position; nullopt if not all are known,
// or there are more than 10,000.
std::optional<std::vector<engine::Move>> keeping_moves(const engine::Game& game,
                                                       const engine::Analyst& analyst,
                                                       const engine::Budget& budget);

// A random move that gives something away, each equally likely; nullopt if there is none, or
// none was found within the budget. Of more than 10,000 legal moves, tries at most 1,000 at
// random.
std::optional<engine::Move> random_mistake(const engine::Game& game, engine::Outcome before,
                                           const engine::Analyst& analyst,
                                           std::mt19937_64& random,
                                           const engine::Budget& budget);

}  // namespace arena

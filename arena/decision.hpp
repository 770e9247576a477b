// A move is a decision where some legal moves keep the value of the position for who moves and
// some do not; one that does not keep it is a mistake. In a lost position there is nothing to
// throw.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "engine/solver/analyst.hpp"

namespace arena {

enum class Finding { No, Yes, Unknown };

// From a position of value `before` (for who moves) to one of value `after` (for who moves
// next): was something given away?
Finding is_mistake(engine::Outcome before, engine::Outcome after);

// All legal moves that keep the value of a position that is won or drawn; nullopt where not all
// are known, or there are more than 10,000.
std::optional<std::vector<engine::Move>> keeping_moves(const engine::Game& game,
                                                       const engine::Analyst& analyst,
                                                       const engine::Budget& budget);

// One of the moves that give something away, each as likely as any other; nullopt where there
// is none, or none was found within the budget. Of more than 10,000 legal moves it is found by
// trying, up to 1,000 of them.
std::optional<engine::Move> random_mistake(const engine::Game& game, engine::Outcome before,
                                           const engine::Analyst& analyst,
                                           std::mt19937_64& random,
                                           const engine::Budget& budget);

}  // namespace arena

// The choice of moves by the built-in players: plain code, without clocks and threads.
#pragma once

#include <optional>
#include <random>

#include "arena/players/player_spec.hpp"
#include "engine/sums/analyst.hpp"

namespace arena {

// A move of the built-in player `spec` (perfect, eps, greedy, random); nullopt if there is
// none. Perfect play picks one of the best moves at random, or any move if all lose.
std::optional<engine::Move> builtin_choice(const PlayerSpec& spec, const engine::Game& game,
                                           const engine::Analyst& analyst,
                                           std::mt19937_64& random,
                                           const engine::Budget& budget);

}  // namespace arena

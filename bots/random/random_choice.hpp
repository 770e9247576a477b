// Random play: all legal moves are equally likely.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "engine/rules/game.hpp"

namespace bots {

// nullopt if there is no move. The same generator gives the same moves on every platform.
std::optional<protocol::Move> random_choice(const engine::Game& game, std::mt19937_64& random);
std::optional<protocol::Move> random_choice(const std::vector<protocol::Move>& candidates,
                                            std::mt19937_64& random);

}  // namespace bots

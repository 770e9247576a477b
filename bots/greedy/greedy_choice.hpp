// Greedy play: take as many as you can from the largest heap.
#pragma once

#include <optional>
#include <vector>

#include "engine/rules/game.hpp"

namespace bots {

// nullopt where there is no move. O(heaps).
std::optional<protocol::Move> greedy_choice(const engine::Game& game);

// The same among given moves, for positions whose rules are not known.
std::optional<protocol::Move> greedy_choice(const protocol::Position& position,
                                            const std::vector<protocol::Move>& candidates);

}  // namespace bots

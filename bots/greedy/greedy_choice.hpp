// Greedy play: take as much as possible from the largest heap.
#pragma once

#include <optional>
#include <vector>

#include "engine/rules/game.hpp"

namespace bots {

// nullopt if there is no move. O(heaps).
std::optional<protocol::Move> greedy_choice(const engine::Game& game);

// The same among given moves, for positions whose rules are unknown.
std::optional<protocol::Move> greedy_choice(const protocol::Position& position,
                                            const std::vector<protocol::Move>& candidates);

// Whether greedy_choice() takes microseconds, as random_choice() does: listing the moves of
// rules{} may take a while.
bool is_quick(const protocol::Position& position);

}  // namespace bots

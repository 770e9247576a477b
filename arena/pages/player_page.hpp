// The page of one player: its numbers, its faults, and its games to be looked at.
#pragma once

#include <string>

#include "arena/pages/summary.hpp"
#include "engine/solver/analyst.hpp"

namespace arena::pages {

std::string player_page(const Summary& summary, std::size_t player,
                        const engine::Analyst& analyst, const engine::Budget& budget);

}  // namespace arena::pages

// The page of one player: its numbers, its faults, and its games.
#pragma once

#include <string>

#include "arena/report/html.hpp"
#include "arena/report/summary.hpp"
#include "engine/sums/analyst.hpp"

namespace arena::pages {

std::string player_page(const Summary& summary, std::size_t player,
                        const engine::Analyst& analyst, const engine::Budget& budget,
                        const Place& place = {});

}  // namespace arena::pages

// The first page: who stands where, and what happened.
#pragma once

#include <string>

#include "arena/pages/summary.hpp"

namespace arena::pages {

std::string index_page(const Summary& summary);

// What the tournament is called; where it was given no name, what it was.
std::string title_of(const Summary& summary);
std::string file_of_player(std::size_t player);  // "player-1.html"

// "12½"; of half points.
std::string points_text(double points);

// A share of fewer decisions says little, and is not drawn.
inline constexpr std::uint64_t kFewDecisions = 5;
std::string time_bars(const ThinkTimes& times);

// The faults of a player, with what was read and what was expected. Empty where there are none.
std::string fault_list(const Summary& summary, std::size_t player);

}  // namespace arena::pages

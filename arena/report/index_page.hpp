// The pages of a report, and what both have.
#pragma once

#include <string>
#include <string_view>

#include "arena/report/html.hpp"
#include "arena/report/summary.hpp"
#include "engine/sums/analyst.hpp"

namespace arena::pages {

// Standings, faults and charts.
std::string index_page(const Summary& summary, const PageContext& context = {});
// The page of one player: its numbers, its faults, and its games.
std::string player_page(const Summary& summary, std::size_t player,
                        const engine::Analyst& analyst, const engine::Budget& budget,
                        const PageContext& context = {});

// The name of the tournament, or its format if it has none.
std::string title_of(const Summary& summary);
std::string file_of_player(std::size_t player);  // "player-1.html"

// The class that shades a cell by the share of points, "h0" (none) to "h10" (all); and the
// cell's link to the games of `player` against `other`.
std::string shade(double points, double games);
std::string file_of_games(std::size_t player, std::size_t other);  // "player-1.html#vs-2"

// The share of decisions that were right, by ply. A share of fewer decisions is not significant
// and not drawn; empty where fewer than two are drawn.
inline constexpr std::uint64_t kFewDecisions = 5;
std::string accuracy_by_ply(const std::string& caption, const std::vector<PlyAccuracy>& plies);
std::string time_bars(const ThinkTimes& times);  // empty where no move was made

// A visit to a clinic in short: when it began, what the check found (passed or FAILED, marked
// up), and the share of right answers, empty where none were asked.
struct VisitShort {
    std::string began, check, right;
};
VisitShort in_short(const Visit& visit);

// The faults of a player, with what was read and what was expected. Empty where there are none.
std::string fault_list(const Summary& summary, std::size_t player);

}  // namespace arena::pages

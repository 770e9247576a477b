#include "arena/pages/player_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "arena/counted.hpp"
#include "arena/pages/assets.hpp"
#include "arena/pages/charts.hpp"
#include "arena/pages/games_data.hpp"
#include "arena/pages/html.hpp"
#include "arena/pages/index_page.hpp"

namespace arena::pages {
namespace {

std::string card(const std::string& value, const std::string& meaning) {
    return fmt::format("<div class=\"card\"><b>{}</b><span>{}</span></div>\n", value, meaning);
}

std::string share_card(std::uint64_t part, std::uint64_t whole, const std::string& meaning) {
    if (whole == 0) return {};
    return card(fmt::format("{} of {}", part, whole), meaning);
}

std::string cards(const Summary& summary, std::size_t player) {
    const PlayerNumbers& numbers = summary.statistics.of(player);
    const Rating& rating = summary.ratings[player];
    std::string html = "<div class=\"cards\">\n";
    html += card(points_text(static_cast<double>(numbers.halves()) / 2),
                 fmt::format("points from {}; theory: {}{}", counted(numbers.games, "game"),
                             points_text(static_cast<double>(numbers.theory_halves) / 2),
                             numbers.theory_unknown == 0
                                 ? ""
                                 : ", unknown of " + counted(numbers.theory_unknown, "game")));
    html += card(rating_text(summary, rating), "Elo");
    html +=
        share_card(numbers.won_kept, numbers.won_positions, "moves in won positions kept won");
    html += share_card(numbers.drawn_held, numbers.drawn_positions,
                       "moves in drawn positions held the draw");
    html += share_card(numbers.games_stood_won - numbers.games_thrown, numbers.games_stood_won,
                       "games that stood won were won");
    html += share_card(numbers.steals, numbers.games_stood_lost,
                       "games that stood lost were won by play (steals)");
    html += share_card(numbers.games_with_mistakes, numbers.games, "games with a mistake");
    if (summary.players[player].times.moves > 0) {
        const auto& times = summary.players[player].times;
        html += card(fmt::format("{:.3g} ms", static_cast<double>(times.total.count()) / 1000 /
                                                  static_cast<double>(times.moves)),
                     "a move, on average");
    }
    return html + "</div>\n";
}

std::string charts(const Summary& summary, std::size_t player) {
    const PlayerNumbers& numbers = summary.statistics.of(player);
    std::string html;
    Line accuracy;
    std::vector<Bar> first;
    for (std::size_t i = 0; i < numbers.plies.size(); ++i) {
        const PlyAccuracy& ply = numbers.plies[i];
        if (ply.decisions >= kFewDecisions) {
            accuracy.points.emplace_back(
                static_cast<double>(i + 1),
                1 - static_cast<double>(ply.mistakes) / static_cast<double>(ply.decisions));
        }
        first.push_back({std::to_string(i + 1), ply.first_mistakes});
    }
    if (accuracy.points.size() > 1) {
        html += line_chart(
            fmt::format("Accuracy by ply: share of decisions that were right, where there "
                        "were {} or more",
                        kFewDecisions),
            {accuracy}, true);
    }
    while (!first.empty() && first.back().count == 0) first.pop_back();
    if (first.size() > 40) first.resize(40);
    if (!first.empty()) html += bar_chart("First mistake of a game, by ply", first);
    return html + time_bars(summary.players[player].times);
}

std::string viewer(const Summary& summary, std::size_t player, const std::string& data) {
    const PlayerPages& pages = summary.players[player];
    std::string html = "<h2>Games</h2>\n";
    if (pages.games.empty())
        return html + "<p>None was thrown, and none ended by a fault.</p>\n";
    if (pages.games.size() < pages.games_of_that_kind) {
        html += fmt::format("<p class=\"soft\">{} of {}.</p>\n", pages.games.size(),
                            pages.games_of_that_kind);
    }
    html += "<noscript><p class=\"note\">The games are drawn by a script.</p></noscript>\n";
    html += "<div id=\"viewer\" class=\"viewer\"></div>\n";
    html +=
        "<script type=\"application/json\" id=\"games\">" + for_script(data) + "</script>\n";
    return html;
}

}  // namespace

std::string player_page(const Summary& summary, std::size_t player,
                        const engine::Analyst& analyst, const engine::Budget& budget) {
    const std::string& name = summary.entrants[player].name;
    const std::string list = fault_list(summary, player);
    const std::string data = games_json(summary, player, analyst, budget);
    std::string body = fmt::format(
        "<header><p><a href=\"index.html\">{}</a></p>\n<h1>{}</h1>\n<p class=\"soft\">{}</p>"
        "<p>{}.</p></header>\n<main>\n",
        escaped(title_of(summary)), escaped(name), escaped(summary.entrants[player].spec),
        escaped(describe_error_rate(summary.statistics.of(player))));
    body += cards(summary, player);
    body += viewer(summary, player, data);
    body += "<h2>How it plays</h2>\n" + charts(summary, player);
    if (!list.empty()) body += "<h2>Faults</h2>\n" + list;
    body += "</main>\n<footer>Made by nim-arena report.</footer>\n";
    const bool games = !summary.players[player].games.empty();
    return document(name + " – " + title_of(summary), body, games ? kViewer : "");
}

}  // namespace arena::pages

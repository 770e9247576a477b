#include "arena/web/clinic_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "arena/play/roster.hpp"
#include "arena/report/index_page.hpp"

namespace arena::web {
namespace {

using pages::escaped;
using pages::Summary;

std::string row(const Summary& summary, std::size_t player) {
    const Standing& standing = summary.standings->players()[player];
    const std::int64_t faults = standing.fault_count();
    return fmt::format(
        "<tr><th scope=\"row\" class=\"name\"><a href=\"{}\">{}</a></th>"
        "<td class=\"{}\">{}</td><td>{}</td><td{}>{}</td></tr>\n",
        pages::file_of_player(player), escaped(summary.entrants[player].name),
        pages::shade(standing.points_of_games(), static_cast<double>(standing.games)),
        points_as_fraction(standing.points_of_games()), standing.games,
        faults > 0 ? " class=\"bad\"" : "", faults);
}

}  // namespace

std::string class_page(const Summary& summary, const std::vector<Tokens::Entry>& tokens,
                       const pages::Place& place) {
    std::string came, missing;
    for (const Tokens::Entry& token : tokens) {
        if (const auto player = player_of_token(summary, token.name)) {
            came += row(summary, *player);
        } else if (token.name != kInstructor) {
            missing += fmt::format("<li>{}</li>\n", escaped(token.name));
        }
    }
    const std::string title = pages::title_of(summary);
    std::string body = fmt::format(
        "<header><h1>{}</h1>\n<p><a href=\"index.html\">All numbers</a></p></header>\n<main>\n",
        escaped(title));
    if (!came.empty()) {
        body += "<h2>Who has connected</h2>\n" +
                pages::scrolling("Who has connected",
                                 "<table class=\"sortable\"><thead><tr>"
                                 "<th scope=\"col\" class=\"name\">student</th>"
                                 "<th scope=\"col\">points</th><th scope=\"col\">games</th>"
                                 "<th scope=\"col\">faults</th></tr></thead><tbody>\n" +
                                     came + "</tbody></table>");
    }
    if (!missing.empty()) body += "<h2>Who has not</h2>\n<ul>\n" + missing + "</ul>\n";
    return pages::document(title, body + "</main>\n", place);
}

std::string welcome_page(std::string_view name, const pages::Place& place) {
    return pages::document(
        "Clinic",
        fmt::format("<main><h1>{}</h1>\n<p>No bot has come with your token yet. "
                    "<a href=\"/bot\">How to connect one</a></p></main>\n",
                    escaped(name)),
        place);
}

std::optional<std::size_t> player_of_token(const Summary& summary, const std::string& name) {
    const auto player =
        std::ranges::find(summary.entrants, token_entrant(name).spec, &Entrant::spec);
    if (player == summary.entrants.end()) return std::nullopt;
    return static_cast<std::size_t>(player - summary.entrants.begin());
}

}  // namespace arena::web

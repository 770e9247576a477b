#include "arena/web/clinic_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "arena/play/roster.hpp"
#include "arena/report/index_page.hpp"

namespace arena::web {
namespace {

using pages::escaped;
using pages::Summary;

// Of its visits, how many there were and what came of the last.
std::string row(const Summary& summary, std::size_t player) {
    const Standing& standing = summary.standings->players()[player];
    const auto& visits = summary.players[player].visits;
    const Visit last = visits.empty() ? Visit() : visits.back();
    const auto told = visits.empty() ? pages::VisitShort() : pages::in_short(last);
    const auto shade = [](double part, std::uint64_t whole) {
        if (whole == 0) return std::string();
        return pages::shade(part, static_cast<double>(whole));
    };
    const std::int64_t faults = standing.fault_count();
    const auto right = static_cast<double>(last.right);
    const auto asked = static_cast<double>(last.asked);
    return fmt::format(
        "<tr><th scope=\"row\" class=\"name\"><a href=\"{}\">{}</a></th><td>{}</td>"
        "<td data-sort=\"{}\">{}</td><td data-sort=\"{}\">{}</td>"
        "<td class=\"{}\" data-sort=\"{:.4f}\">{}</td><td class=\"list\">{}</td><td "
        "class=\"{}\">{}</td>"
        "<td>{}</td><td{}>{}</td></tr>\n",
        pages::file_of_player(player), escaped(summary.entrants[player].name), visits.size(),
        last.began.time_since_epoch().count(), told.began, last.passed ? int{*last.passed} : -1,
        told.check, shade(right, last.asked), last.asked == 0 ? -1 : right / asked, told.right,
        escaped(last.position),
        shade(standing.points_of_games(), static_cast<std::uint64_t>(standing.games)),
        points_as_fraction(standing.points_of_games()), standing.games,
        faults > 0 ? " class=\"bad\"" : "", faults);
}

}  // namespace

std::string class_page(const Summary& summary, const std::vector<Tokens::Entry>& tokens,
                       const pages::PageContext& context) {
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
        std::string heads = "<th scope=\"col\" class=\"name\">student</th>";
        for (const char* head : {"visits", "last", "check", "right answers", "first wrong in",
                                 "points", "games", "faults"}) {
            heads += fmt::format("<th scope=\"col\">{}</th>", head);
        }
        body += pages::section("Who has connected", pages::table("sortable", heads, came));
    }
    if (!missing.empty()) body += "<h2>Who has not</h2>\n<ul>\n" + missing + "</ul>\n";
    return pages::document(title, body + "</main>\n", context);
}

std::string welcome_page(std::string_view name, const pages::PageContext& context) {
    return pages::document(
        "Clinic",
        fmt::format("<main><h1>{}</h1>\n<p>No bot has come with your token yet. "
                    "<a href=\"/bot\">How to connect one</a></p></main>\n",
                    escaped(name)),
        context);
}

std::optional<std::size_t> player_of_token(const Summary& summary, const std::string& name) {
    const auto player =
        std::ranges::find(summary.entrants, token_entrant(name).spec, &Entrant::spec);
    if (player == summary.entrants.end()) return std::nullopt;
    return static_cast<std::size_t>(player - summary.entrants.begin());
}

}  // namespace arena::web

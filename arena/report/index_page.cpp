// The first page of a report, one function for each part of it: index_page() puts the parts in
// order.
//
// All numbers come from a Summary, which is read from the record once; nothing is computed
// here but shares and places. A part without content (no knockout, no faults) is an empty
// text. Large tournaments are cut: constants below say how many players each table and chart
// shows. Each name passes escaped() before it becomes HTML, as players choose their own.
#include "arena/report/index_page.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "arena/base/counted.hpp"
#include "arena/contest/standings_table.hpp"
#include "arena/report/html.hpp"

namespace arena::pages {
namespace {

constexpr std::size_t kMaxCross = 40;   // players in the cross table
constexpr std::size_t kMaxLines = 60;   // players in the chart of ratings
constexpr std::size_t kMaxRows = 5000;  // players in the table

std::string name_of(const Summary& summary, int player) {
    return escaped(summary.entrants[static_cast<std::size_t>(player)].name);
}

std::string link_to(const Summary& summary, int player) {
    return fmt::format("<a href=\"{}\">{}</a>",
                       file_of_player(static_cast<std::size_t>(player)),
                       name_of(summary, player));
}

std::string standings_cell(const Summary& summary, const Column& column,
                           const StandingRow& row) {
    if (column.kind == CellKind::Name) {
        return fmt::format("<th scope=\"row\" class=\"name\">{}</th>",
                           link_to(summary, row.standing->player));
    }
    const Cell cell = column.cell(row);
    const double* number = std::get_if<double>(&cell);
    std::string text = cell_text(column, row, "–");
    if (column.kind == CellKind::Points && number != nullptr) {
        text = "<b>" + points_as_fraction(*number) + "</b>";
    } else if ((column.key == "faults" || column.key == "strikes") && text != "0") {
        text = "<b class=\"bad\">" + text + "</b>";
    }
    return "<td>" + text + "</td>";
}

std::string standings_head(const Column& column) {
    const std::string unit = column.unit.empty() ? "" : fmt::format(" [{}]", column.unit);
    const std::string meaning =
        column.meaning.empty() ? "" : fmt::format(" title=\"{}\"", column.meaning);
    return fmt::format("<th scope=\"col\"{}{}>{}{}</th>",
                       column.kind == CellKind::Name ? " class=\"name\"" : "", meaning,
                       column.head, unit);
}

std::string standings(const Summary& summary) {
    const auto columns = columns_of(kReport);
    std::string head, rows;
    for (const Column* column : columns) head += standings_head(*column);
    const std::size_t shown = std::min(summary.table.size(), kMaxRows);
    for (const Standing& standing : std::span(summary.table).first(shown)) {
        const auto player = static_cast<std::size_t>(standing.player);
        StandingRow row;
        row.standing = &standing;
        row.rating = summary.ratings[player];
        row.has_errors = summary.with_errors;
        row.accuracy = &summary.standings->accuracy()[player];
        rows += "<tr>";
        for (const Column* column : columns) rows += standings_cell(summary, *column, row);
        rows += "</tr>\n";
    }
    return section("Standings", table("standings sortable", head, rows)) +
           first_of(shown, summary.table.size(), " players");
}

// Points of all games against one opponent, as a link to them.
std::string cross_cell(const Summary& summary, int player, int other) {
    if (player == other) return "<td class=\"self\"></td>";
    const PairScore met = summary.standings->encounter(player, other);
    if (met.games == 0) return "<td class=\"soft\" title=\"they have not met\">·</td>";
    return fmt::format(
        "<td class=\"{}\"><a href=\"{}\" title=\"{} of {}\">{}</a></td>",
        shade(met.points, static_cast<double>(met.games)),
        file_of_games(static_cast<std::size_t>(player), static_cast<std::size_t>(other)),
        points_as_fraction(met.points), counted(static_cast<std::uint64_t>(met.games), "game"),
        points_as_fraction(met.points));
}

// Players by rank, with a cell in each column, whose heads are written upwards so that the
// columns stay narrow.
std::string player_table(const Summary& summary, std::span<const Standing> players,
                         const std::vector<std::string>& columns, const auto& cell) {
    std::string head = "<th scope=\"col\">#</th><th scope=\"col\" class=\"name\">player</th>";
    for (const std::string& column : columns) {
        head += fmt::format(
            "<th scope=\"col\" class=\"upright\" title=\"{0}\"><span>{0}</span></th>", column);
    }
    std::string rows;
    for (const Standing& standing : players) {
        rows += fmt::format("<tr><td>{}</td><th scope=\"row\" class=\"name\">{}</th>",
                            standing.rank, link_to(summary, standing.player));
        for (std::size_t i = 0; i < columns.size(); ++i) rows += cell(standing.player, i);
        rows += "</tr>\n";
    }
    return table("cross sortable", head, rows);
}

std::string cross_table(const Summary& summary) {
    const std::size_t shown = std::min(summary.table.size(), kMaxCross);
    const auto players = std::span(summary.table).first(shown);
    std::vector<std::string> names;
    for (const Standing& standing : players) names.push_back(name_of(summary, standing.player));
    const auto cell = [&](int player, std::size_t other) {
        return cross_cell(summary, player, players[other].player);
    };
    return section("Cross table", player_table(summary, players, names, cell),
                   "<p class=\"soft\">Points of the player on the left against the one above; "
                   "each cell leads to the games. A dot: they have not met.</p>\n") +
           first_of(shown, summary.table.size(), " players");
}

std::string start_cell(const Start& start, int player) {
    const auto found = start.scores.find(player);
    if (found == start.scores.end()) return "<td class=\"soft\">·</td>";
    const double points = static_cast<double>(found->second.halves) / 2;
    const auto games = static_cast<double>(found->second.games);
    return fmt::format("<td class=\"{}\" data-sort=\"{:.4f}\">{}<small>/{}</small></td>",
                       shade(points, games), games > 0 ? points / games : 0,
                       points_as_fraction(points), found->second.games);
}

std::string start_table(const Summary& summary, const char* what,
                        const std::vector<Start>& starts) {
    const std::size_t shown = std::min(summary.table.size(), kMaxRows);
    const auto players = std::span(summary.table).first(shown);
    std::vector<std::string> names;
    for (const Start& start : starts) names.push_back(escaped(start.text));
    const auto cell = [&](int player, std::size_t start) {
        return start_cell(starts[start], player);
    };
    return section(fmt::format("Points by {}", what),
                   player_table(summary, players, names, cell),
                   "<p class=\"soft\">Points of games played. A dot: the player has played "
                   "none.</p>\n") +
           first_of(shown, summary.table.size(), " players");
}

std::string start_tables(const Summary& summary) {
    const auto& rulesets = summary.standings->starts().rulesets();
    const auto& positions = summary.standings->starts().positions();
    std::string html;
    if (rulesets.size() > 1) html += start_table(summary, "ruleset", rulesets);
    // Positions that were drawn have few games each.
    const bool given = !setting(summary.configuration, "positions").empty();
    const bool has_more = positions.size() > rulesets.size() || rulesets.empty();
    if (given && has_more && positions.size() > 1) {
        html += start_table(summary, "start position", positions);
    }
    return html;
}

std::string bracket_side(const Summary& summary, const BracketMeeting& meeting,
                         std::size_t side) {
    const auto& player = meeting.players[side];
    if (!player) return "<div class=\"soft\">a bye</div>";
    std::string points;
    if (meeting.attempts > 0) {
        points = points_as_fraction(static_cast<double>(meeting.halves[side]) / 2);
    }
    return fmt::format("<div{}>{}<b>{}</b></div>",
                       meeting.winner == player ? " class=\"winner\"" : "",
                       link_to(summary, *player), points);
}

std::string bracket(const Summary& summary) {
    if (summary.bracket.empty()) return {};
    std::string html = "<div class=\"bracket\">";
    int round = 0;
    for (const BracketMeeting& meeting : summary.bracket) {
        if (meeting.round != round) {
            if (round > 0) html += "</div></div>\n";
            round = meeting.round;
            html += fmt::format("<div class=\"round\"><h3>{}</h3><div>\n",
                                round_name(summary.bracket, round));
        }
        html += "<div class=\"meeting\">" + bracket_side(summary, meeting, 0) +
                bracket_side(summary, meeting, 1);
        const auto& [first, second] = meeting.players;
        if (second && meeting.attempts > 0) {
            html += fmt::format("<small><a href=\"{}\">games</a>{}</small>",
                                file_of_games(static_cast<std::size_t>(*first),
                                              static_cast<std::size_t>(*second)),
                                decision_text(meeting, ": "));
        }
        html += "</div>\n";
    }
    html += "</div></div></div>\n";
    std::string winner;
    const BracketMeeting& last = summary.bracket.back();
    if (last.winner && round_name(summary.bracket, last.round) == "final") {
        winner = fmt::format("<p><b>{}</b> wins. ", link_to(summary, *last.winner));
    } else {
        winner = "<p>It is not over. ";
    }
    return section("Bracket", html,
                   winner + fmt::format("Players stand by the round that they reached; their "
                                        "points are those of all their games, and {} for each "
                                        "bye.</p>\n",
                                        setting(summary.configuration, "games")));
}

std::string ratings_chart(const Summary& summary) {
    if (summary.progress.size() < 2) return {};
    std::vector<Line> lines;
    for (std::size_t i = 0; i < std::min(summary.table.size(), kMaxLines); ++i) {
        const auto player = static_cast<std::size_t>(summary.table[i].player);
        Line line{summary.entrants[player].name, {}};
        for (const RatingsAt& at : summary.progress) {
            line.points.emplace_back(static_cast<double>(at.games), at.elo[player]);
        }
        lines.push_back(std::move(line));
    }
    return "<h2>Progress of ratings</h2>\n" +
           line_chart(
               lines.size() < summary.table.size()
                   ? fmt::format("Elo by games played, of the first {} players", kMaxLines)
                   : "Elo by games played",
               lines);
}

std::string times_chart(const Summary& summary) {
    ThinkTimes all;
    for (const PlayerPages& player : summary.players) {
        for (std::size_t i = 0; i < ThinkTimes::kBins; ++i) {
            all.counts[i] += player.times.counts[i];
        }
    }
    const std::string bars = time_bars(all);
    return bars.empty() ? bars : "<h2>Think time</h2>\n" + bars;
}

std::string accuracy_chart(const Summary& summary) {
    std::vector<PlyAccuracy> plies;
    for (const Accuracy& player : summary.standings->accuracy()) {
        plies.resize(std::max(plies.size(), player.plies.size()));
        for (std::size_t i = 0; i < player.plies.size(); ++i) {
            plies[i].decisions += player.plies[i].decisions;
            plies[i].mistakes += player.plies[i].mistakes;
        }
    }
    const std::string chart = accuracy_by_ply(
        fmt::format(
            "Share of decisions that were right, of all players, at plies with {} or more",
            kFewDecisions),
        plies);
    return chart.empty() ? chart : "<h2>Accuracy by ply</h2>\n" + chart;
}

std::string pair_numbers(const Summary& summary) {
    if (summary.entrants.size() != 2) return {};
    const PairCounts& counts = summary.standings->players()[0].pairs;
    const PairStatistics seen = pair_statistics(counts);
    std::string html = fmt::format(
        "<h2>Pairs of games</h2>\n<p>{} against {}, {}: {} with 2 points, {} with 1½, {} "
        "with 1, {} with ½, {} with 0. ",
        name_of(summary, 0), name_of(summary, 1), counted(seen.pairs, "pair"), counts[4],
        counts[3], counts[2], counts[1], counts[0]);
    if (seen.no_difference) return html + "No difference was seen.</p>\n";
    const auto half = [](const Interval& interval) {
        return (interval.high - interval.low) / 2;
    };
    return html + fmt::format(
                      "Elo {:+.1f} ± {:.1f}, normalized Elo {:+.1f} ± {:.1f}; the first is the "
                      "stronger one with a likelihood of {:.1f} % (LOS).</p>\n",
                      seen.elo, half(*seen.elo_interval), seen.normalized_elo,
                      half(*seen.normalized_interval), 100 * seen.superiority);
}

// "nim:3,4,5, nim:1,2", of many the first ones; the suite; or what is drawn without either.
std::string starts_text(const Configuration& configuration) {
    constexpr std::size_t kListed = 6;
    const std::string suite = setting(configuration, "suite");
    if (!suite.empty()) return "positions of the suite " + suite;
    const auto positions = split_printable(setting(configuration, "positions"));
    if (positions.empty()) return "random heaps of nim";
    const std::size_t shown = std::min(positions.size(), kListed);
    std::string text = fmt::format(
        "{}", fmt::join(positions.begin(),
                        positions.begin() + static_cast<std::ptrdiff_t>(shown), "; "));
    if (shown < positions.size())
        text += fmt::format("; and {} more", positions.size() - shown);
    return text;
}

std::string clock_text(const Configuration& configuration) {
    const std::string base = setting(configuration, "tc");
    const std::string movetime = setting(configuration, "movetime");
    if (!base.empty()) return base + " ms, for a game and more for each move";
    if (!movetime.empty()) return movetime + " ms for a move";
    return "no limit for a move but --hang";
}

std::string date_text(const Summary& summary) {
    if (!summary.began || !summary.last_began) return {};
    const auto day = [](auto time) { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(time)); };
    const std::string first = day(*summary.began), last = day(*summary.last_began);
    return first == last ? first : first + " to " + last;
}

// What was played: enough to play it again. A page that is served while games are played keeps
// the seed, which determines what is still to be drawn.
std::string terms(const Summary& summary, const PageContext& context) {
    const Configuration& configuration = summary.configuration;
    std::string html = "<dl>";
    const auto add = [&html](std::string_view what, const std::string& text) {
        if (text.empty()) return;
        html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", what, escaped(text));
    };
    const std::string sandbox = setting(configuration, "sandbox");
    add("played", date_text(summary));
    add("games of a pairing", setting(configuration, "games"));
    add("start positions", starts_text(configuration));
    add("time", clock_text(configuration));
    if (!context.served) add("seed", setting(configuration, "seed"));
    if (sandbox != "none") add("sandbox", sandbox);
    return html + "</dl>\n";
}

std::string head(const Summary& summary, const PageContext& context) {
    std::string html = fmt::format(
        "<header><h1>{}</h1>\n<p class=\"soft\">{}: {}, {}, {}.</p>\n",
        escaped(title_of(summary)), escaped(setting(summary.configuration, "format")),
        counted(summary.entrants.size(), "player"), counted(summary.games, "game"),
        counted(summary.plies, "move"));
    html += terms(summary, context);
    if (summary.void_games > 0) {
        html += fmt::format(
            "<p class=\"note\">{} void, which count for nobody: neither player started, or "
            "the arena failed.</p>\n",
            counted(summary.void_games, "game"));
    }
    if (summary.not_analysed > 0) {
        html += fmt::format(
            "<p class=\"note\">Not analysed: {} of {}. What was thrown there is not known, and "
            "all that is said of mistakes here leaves that out.{}</p>\n",
            summary.not_analysed, counted(summary.games, "game"),
            context.served ? " <code>nim-arena report</code> analyses them, and keeps what it "
                             "found in the record."
                           : "");
    }
    if (!summary.damage.empty()) {
        html +=
            "<p class=\"note\">The record is damaged; what follows is left out:</p>\n<ul>\n";
        for (const std::string& line : summary.damage)
            html += "<li>" + escaped(line) + "</li>\n";
        html += "</ul>\n";
    }
    return html + "</header>\n";
}

constexpr std::string_view kMeaning = R"html(<h2>What the numbers mean</h2>
<dl>
<dt>theory</dt><dd>the points that perfect play would have got from the same seats against perfect play; +? where that is not known of some games</dd>
<dt>Elo ± error</dt><dd>the strengths under which the results are likeliest (Bradley–Terry, one virtual draw a player), with the mean at 0, and half the width of the 95 % interval</dd>
<dt>ε</dt><dd>mistakes by decisions: moves where some legal moves kept the value of the position and some did not; with the exact 95 % interval (Clopper–Pearson), which repeats by a player that always does the same do not narrow. Perfect play has 0</dd>
<dt>kept won</dt><dd>of the moves made in won positions, the share that kept the win</dd>
<dt>steals</dt><dd>games won by play after having stood lost</dd>
<dt>Buchholz, S.-B.</dt><dd>the sum of the opponents' points; the same, each times the points taken from that opponent</dd>
</dl>
)html";

std::string where_text(const Summary& summary, const FaultCase& shown) {
    return fmt::format("against {}, game {}", name_of(summary, shown.opponent),
                       to_string(shown.key));
}

// `kind`: of fault, in bold; `more`: what stands below all.
std::string fault_html(const FaultCase& shown, std::string_view kind, std::string_view where,
                       std::string_view more = {}) {
    constexpr std::size_t kMostBytes = 1000;  // of a line
    const std::string text = fault_text(shown.fault, kMostBytes);
    return fmt::format(
        "<details><summary><b class=\"bad\">{}</b>{}: {}</summary>\n{}{}</details>\n", kind,
        where, escaped(shown.fault.detail),
        text.empty() ? "" : "<pre>" + escaped_lines(text) + "</pre>\n", more);
}

// One kind of fault of a player: how many there were, and the first.
std::string fault_group(const Summary& summary, std::size_t player, std::string_view kind,
                        const std::string& count, const FaultCase* first) {
    const std::string all =
        fmt::format("<a href=\"{}#faults\">all of them</a>", file_of_player(player));
    if (first == nullptr)
        return fmt::format("<p><b class=\"bad\">{}</b>: {}, {}</p>\n", kind, count, all);
    return fault_html(*first, kind,
                      fmt::format(": {}; the first {}", count, where_text(summary, *first)),
                      "<p>" + all + "</p>\n");
}

// Each kind once: all of them stand on the player's page.
std::string fault_groups(const Summary& summary, std::size_t player) {
    const Standing& standing = summary.standings->players()[player];
    const auto& cases = summary.players[player].faults;
    const auto find_case = [&](const auto& is_wanted) -> const FaultCase* {
        const auto found = std::ranges::find_if(cases, is_wanted);
        return found == cases.end() ? nullptr : &*found;
    };
    std::string html;
    for (const auto& [reason, count] : standing.faults) {
        const auto* first = find_case([reason = reason](const FaultCase& shown) {
            return shown.strike_ply == 0 && shown.fault.reason == reason;
        });
        html += fault_group(summary, player, name(reason),
                            counted(static_cast<std::uint64_t>(count.games), "game"), first);
    }
    if (standing.strikes == 0) return html;
    const auto* first = find_case([](const FaultCase& shown) { return shown.strike_ply > 0; });
    return html + fault_group(summary, player, "strikes",
                              counted(static_cast<std::uint64_t>(standing.strikes), "move") +
                                  " made by the arena",
                              first);
}

std::string faults(const Summary& summary) {
    std::string html;
    for (const Standing& standing : summary.table) {
        const auto player = static_cast<std::size_t>(standing.player);
        const std::string groups = fault_groups(summary, player);
        if (groups.empty()) continue;
        html += fmt::format("<h3>{}</h3>\n{}", link_to(summary, standing.player), groups);
    }
    if (html.empty()) html = "<p>There were none.</p>\n";
    return "<h2>Faults</h2>\n" + html;
}

}  // namespace

std::string title_of(const Summary& summary) {
    const std::string given = setting(summary.configuration, "name");
    if (!given.empty()) return given;
    const std::string format = setting(summary.configuration, "format");
    if (format == "match" || format == "clinic") return "Nimarena " + format;
    return "Nimarena tournament";
}

std::string file_of_player(std::size_t player) {
    return fmt::format("player-{}.html", player + 1);
}

std::string shade(double points, double games) {
    return fmt::format("h{:.0f}", games > 0 ? 10 * points / games : 0);
}

std::string file_of_games(std::size_t player, std::size_t other) {
    return fmt::format("{}#vs-{}", file_of_player(player), other + 1);
}

std::string accuracy_by_ply(const std::string& caption, const std::vector<PlyAccuracy>& plies) {
    Line line;
    for (std::size_t i = 0; i < plies.size(); ++i) {
        if (plies[i].decisions < kFewDecisions) continue;
        line.points.emplace_back(static_cast<double>(i + 1),
                                 1 - static_cast<double>(plies[i].mistakes) /
                                         static_cast<double>(plies[i].decisions));
    }
    return line.points.size() < 2 ? std::string() : line_chart(caption, {line}, true);
}

std::string time_bars(const ThinkTimes& times) {
    std::size_t first = 0, end = ThinkTimes::kBins;
    while (first + 1 < end && times.counts[first] == 0) ++first;
    while (end > first + 1 && times.counts[end - 1] == 0) --end;
    if (times.counts[first] == 0) return {};
    std::vector<Bar> bars;
    for (std::size_t i = first; i < end; ++i) {
        bars.push_back({ThinkTimes::bin_name(i), times.counts[i]});
    }
    return bar_chart("Moves by time from question to reply, from the time named on", bars);
}

VisitShort in_short(const Visit& visit) {
    VisitShort told{fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(visit.began)),
                    !visit.passed   ? "–"
                    : *visit.passed ? "<b class=\"good\">passed</b>"
                                    : "<b class=\"bad\">FAILED</b>",
                    {}};
    if (visit.asked > 0) {
        told.right = fmt::format("{} of {} ({})", visit.right, visit.asked,
                                 percent_text(visit.right, visit.asked));
    }
    return told;
}

std::string fault_list(const Summary& summary, std::size_t player) {
    const auto& faults = summary.players[player].faults;
    if (faults.empty()) return {};
    std::string html;
    for (const FaultCase& fault : faults) {
        const std::string strike =
            fault.strike_ply > 0 ? fmt::format(" (a strike, at ply {})", fault.strike_ply) : "";
        html += fault_html(fault, name(fault.fault.reason),
                           strike + " " + where_text(summary, fault));
    }
    const Standing& standing = summary.standings->players()[player];
    const auto all = static_cast<std::size_t>(standing.fault_count() + standing.strikes);
    return all > faults.size() ? html + first_of(faults.size(), all) : html;
}

std::string index_page(const Summary& summary, const PageContext& context) {
    std::string body = head(summary, context) + "<main>\n" + bracket(summary) +
                       standings(summary) + pair_numbers(summary) + cross_table(summary) +
                       start_tables(summary) + ratings_chart(summary) +
                       accuracy_chart(summary) + times_chart(summary) + faults(summary);
    body += kMeaning;
    body += "</main>\n<footer>Made by nim-arena report.</footer>\n";
    return document(title_of(summary), body, context);
}

}  // namespace arena::pages

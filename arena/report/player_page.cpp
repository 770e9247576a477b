#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <boost/json.hpp>

#include "arena/base/counted.hpp"
#include "arena/contest/standings_table.hpp"
#include "arena/report/drawing.hpp"
#include "arena/report/html.hpp"
#include "arena/report/index_page.hpp"
#include "arena/report/move_words.hpp"
#include "protocol/move.hpp"
#include "protocol/text.hpp"

namespace arena::pages {
namespace {

// ---- games as the script of the page reads them ----

namespace json = boost::json;
using engine::Game;
using protocol::Heap;
using protocol::RulesetText;

constexpr std::size_t kMostRuleset = 4096;    // bytes of a ruleset whose piles are drawn
constexpr std::size_t kMostDrawn = 1U << 20;  // bytes of all drawings of a page

// What a page tells of positions: of each different pile once, and of sums. What is not known
// within the budget, or has no nimber, is left empty.
class Teller {
  public:
    Teller(const engine::Analyst& analyst, const engine::Budget& budget)
        : analyst_(analyst), budget_(budget) {}

    // The number of the pile on this page. Only a pile of normal play is told its nimber.
    std::size_t pile(const RulesetText& ruleset, const Heap& heap, bool is_misere) {
        const auto [found, is_new] = numbers_.try_emplace({ruleset.text, heap}, piles_.size());
        if (is_new) {
            json::object drawing{{"kind", "text"}};
            if (drawn_ < kMostDrawn && ruleset.text.size() <= kMostRuleset) {
                drawing = drawing_of(ruleset, heap);
                drawn_ += json::serialize(drawing).size();
            }
            piles_.push_back(json::object{{"ruleset", protocol::printable(ruleset.text, 200)},
                                          {"heap", protocol::to_string(heap)},
                                          {"drawing", std::move(drawing)}});
        }
        json::object& told = piles_[found->second].as_object();
        if (!is_misere && !told.contains("nimber"))
            told["nimber"] = nimber({{{ruleset, {heap}}}, {}});
        return found->second;
    }

    json::array piles_of(const protocol::Position& position) {
        const bool is_misere = position.convention == protocol::Convention::Misere;
        json::array all;
        for (const protocol::Component& component : position.components) {
            for (const Heap& heap : component.heaps)
                all.emplace_back(pile(component.ruleset, heap, is_misere));
        }
        return all;
    }

    std::string nimber(const protocol::Position& position) const {
        if (budget_.is_spent()) return {};
        const auto game = Game::start(position);
        if (!game) return {};
        const auto nimber = analyst_.nimber(*game, budget_);
        return nimber ? protocol::printable(engine::to_string(*nimber), 60) : std::string();
    }

    json::array piles() && { return std::move(piles_); }

  private:
    const engine::Analyst& analyst_;
    const engine::Budget& budget_;
    std::map<std::pair<std::string, Heap>, std::size_t> numbers_;
    json::array piles_;
    std::size_t drawn_ = 0;
};

// N, P, D or ?, a letter as those of the plies.
std::string end_of(const GameAnalysis& analysis) {
    if (analysis.end == engine::Outcome::Unknown) return "?";
    return engine::to_string(analysis.end);
}

// "Ann won (no-moves)".
std::string result_of(const GameRecord& record, const std::array<std::string, 2>& names) {
    const std::string text = record.winner
                                 ? names[static_cast<std::size_t>(*record.winner)] + " won"
                             : record.reason == Reason::Void ? "void"
                                                             : "drawn";
    return fmt::format("{} ({})", text, name(record.reason));
}

// What the viewer shows of the moves: lists with an entry for each.
struct MoveLists {
    json::array moves, words, moved, sums;
    json::object better, better_words;
};

MoveLists lists_of(const GameRecord& record, const GameAnalysis& analysis, Teller& teller) {
    protocol::Position position = *record.task.position;
    const bool misere = position.convention == protocol::Convention::Misere;
    MoveLists lists;
    lists.sums.emplace_back(teller.nimber(position));
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
        const auto move = protocol::parse_move(record.moves[i], position);
        if (!move) break;  // no record of ours
        const RulesetText& ruleset = find_heap(position, move->heap).component->ruleset;
        json::array left;
        for (const Heap& heap : move->result)
            left.emplace_back(teller.pile(ruleset, heap, misere));
        lists.moved.push_back(json::array{move->heap - 1, std::move(left)});
        lists.words.emplace_back(move_words(position, *move));
        const std::string& right = analysis.plies[i].better;
        if (!right.empty()) {
            lists.better[std::to_string(i + 1)] = right;
            lists.better_words[std::to_string(i + 1)] = told_move(position, right);
        }
        protocol::apply(position, *move);
        lists.sums.emplace_back(teller.nimber(position));
        lists.moves.emplace_back(record.moves[i]);
    }
    return lists;
}

json::array times_of(const GameRecord& record, std::size_t moves) {
    json::array times;
    for (std::size_t i = 0; i < std::min(moves, record.times.size()); ++i) {
        times.emplace_back(
            fmt::format("{:.3f} ms", static_cast<double>(record.times[i].count()) / 1000));
    }
    return times;
}

// The moves that the arena made, by the faults in whose place it made them.
json::object moves_by_arena(const GameRecord& record) {
    json::object moves;
    for (const auto& strikes : record.strikes) {
        for (const Strike& strike : strikes)
            moves[std::to_string(strike.ply)] = name(strike.reason);
    }
    return moves;
}

json::object game_json(const Summary& summary, const GameRecord& record, Teller& teller) {
    const GameAnalysis analysis = known_analysis(record);
    std::array<std::string, 2> names;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const auto player = static_cast<std::size_t>(record.task.players[seat]);
        names[seat] = protocol::printable(summary.entrants[player].name);
    }
    const protocol::Position& position = *record.task.position;
    const bool misere = position.convention == protocol::Convention::Misere;
    json::array piles = teller.piles_of(position);
    MoveLists lists = lists_of(record, analysis, teller);
    json::array times = times_of(record, lists.moves.size());
    const std::string result = result_of(record, names);
    return json::object{
        {"key", to_string(record.task.key)},
        {"title", fmt::format("{}: {} – {}, {}{}", to_string(record.task.key), names[0],
                              names[1], result, misere ? ", misere" : "")},
        {"players", {names[0], names[1]}},
        {"start", record.task.position.text()},
        {"misere", misere},
        {"piles", std::move(piles)},
        {"moves", std::move(lists.moves)},
        {"words", std::move(lists.words)},
        {"moved", std::move(lists.moved)},
        {"times", std::move(times)},
        {"letters", letters_of(analysis)},
        {"end", end_of(analysis)},
        {"better", std::move(lists.better)},
        {"better_words", std::move(lists.better_words)},
        {"by_arena", moves_by_arena(record)},
        {"sums", std::move(lists.sums)},
        {"over", record.reason == Reason::NoMoves || record.reason == Reason::Repetition},
        {"result", record.detail.empty()
                       ? result
                       : result + ": " + protocol::printable(record.detail, 300)}};
}

std::size_t seat_of(const GameRecord& game, std::size_t player) {
    return game.task.players[0] == static_cast<int>(player) ? 0 : 1;
}

// The place of the game to show first: with moves, and one in which the player erred, if
// possible.
std::size_t first_shown(const std::vector<std::shared_ptr<const GameRecord>>& games,
                        std::size_t player) {
    const auto rank = [&](const std::shared_ptr<const GameRecord>& game) {
        return std::pair(!game->moves.empty(),
                         has_erred(*game, known_analysis(*game), seat_of(*game, player)));
    };
    return static_cast<std::size_t>(std::ranges::max_element(games, {}, rank) - games.begin());
}

// {"games":[…],"piles":[…],"first":INDEX}: texts are printable; games name piles by index.
std::string games_json(const Summary& summary, std::size_t player,
                       const engine::Analyst& analyst, const engine::Budget& budget) {
    const auto& chosen = summary.players[player].games;
    Teller teller(analyst, budget);
    json::array games;
    for (const auto& game : chosen) {
        json::object object = game_json(summary, *game, teller);
        object["seat"] = seat_of(*game, player);
        games.push_back(std::move(object));
    }
    return json::serialize(json::object{{"games", std::move(games)},
                                        {"piles", std::move(teller).piles()},
                                        {"first", first_shown(chosen, player)}});
}

// ---- visits to a clinic ----

// The part of an address after #p= that names the position.
std::string position_in_link(const std::string& position) {
    std::string text;
    for (const char c : position) text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return text;
}

std::string wrong_answer(const Visit& visit, const PageContext& context) {
    if (visit.position.empty()) return {};
    std::string html =
        fmt::format("<p>The smallest position with a wrong answer: <code>{}</code>. ",
                    escaped(visit.position));
    html += fmt::format("The bot said <code>{}</code>", escaped(visit.said));
    if (!visit.better.empty())
        html += fmt::format("; right is <code>{}</code>", escaped(visit.better));
    if (context.served) {
        html +=
            fmt::format(". <a href=\"/#p={}\">Play it</a>", position_in_link(visit.position));
    }
    return html + "</p>\n";
}

std::string visit_html(const Visit& visit, bool is_open, const PageContext& context) {
    const VisitShort told = in_short(visit);
    return fmt::format(
        "<details{}><summary>{}: check {}{}</summary>\n{}<pre>{}</pre></details>\n",
        is_open ? " open" : "", told.began, told.check,
        told.right.empty() ? "" : ", right answers: " + told.right,
        wrong_answer(visit, context), escaped_lines(visit.check));
}

// The newest first.
std::string visits_html(const std::vector<Visit>& visits, const PageContext& context) {
    constexpr std::size_t kMostVisits = 50;
    if (visits.empty()) return {};
    std::string html = "<h2>Visits to the clinic</h2>\n";
    const std::size_t shown = std::min(visits.size(), kMostVisits);
    for (std::size_t i = 0; i < shown; ++i)
        html += visit_html(visits[visits.size() - 1 - i], i == 0, context);
    if (shown < visits.size()) {
        html += fmt::format("<p class=\"soft\">The last {} of {}.</p>\n", shown, visits.size());
    }
    return html;
}

// ---- the page ----

std::string card(const std::string& value, const std::string& meaning) {
    return fmt::format("<div class=\"card\"><b>{}</b><span>{}</span></div>\n", value, meaning);
}

std::string share_card(std::uint64_t part, std::uint64_t whole, const std::string& meaning) {
    if (whole == 0) return {};
    return card(fmt::format("{} of {}", part, whole), meaning);
}

std::string cards(const Summary& summary, std::size_t player, bool has_others) {
    const Standing& standing = summary.standings->players()[player];
    const auto games = static_cast<std::uint64_t>(standing.games);
    const Accuracy& numbers = summary.standings->accuracy()[player];
    const Rating& rating = summary.ratings[player];
    std::string html = "<div class=\"cards\">\n";
    html += card(points_as_fraction(standing.points_of_games()),
                 fmt::format("points from {}; theory: {}{}", counted(games, "game"),
                             points_as_fraction(static_cast<double>(numbers.theory_halves) / 2),
                             numbers.theory_unknown == 0
                                 ? ""
                                 : ", unknown of " + counted(numbers.theory_unknown, "game")));
    if (has_others) html += card(rating_text(rating, summary.with_errors), "Elo");
    html +=
        share_card(numbers.won_kept, numbers.won_positions, "moves in won positions kept won");
    html += share_card(numbers.drawn_held, numbers.drawn_positions,
                       "moves in drawn positions held the draw");
    html += share_card(numbers.games_stood_won - numbers.games_thrown, numbers.games_stood_won,
                       "games that stood won were won");
    html += share_card(numbers.steals, numbers.games_stood_lost,
                       "games that stood lost were won by play (steals)");
    html += share_card(numbers.games_with_mistakes, games, "games with a mistake");
    if (const auto time = standing.thinking_time())
        html += card(fmt::format("{:.3g} ms", *time), "a move, on average");
    return html + "</div>\n";
}

std::string charts(const Summary& summary, std::size_t player) {
    const Accuracy& numbers = summary.standings->accuracy()[player];
    std::string html = accuracy_by_ply(
        fmt::format("Accuracy by ply: share of decisions that were right, where there "
                    "were {} or more",
                    kFewDecisions),
        numbers.plies);
    std::vector<Bar> first;
    for (std::size_t i = 0; i < numbers.plies.size(); ++i)
        first.push_back({std::to_string(i + 1), numbers.plies[i].first_mistakes});
    while (!first.empty() && first.back().count == 0) first.pop_back();
    if (first.size() > 40) first.resize(40);
    if (!first.empty()) html += bar_chart("First mistake of a game, by ply", first);
    return html + time_bars(summary.players[player].times);
}

std::string why_no_games(const PlayerPages& pages, bool has_played) {
    if (pages.not_analysed > 0) {
        return fmt::format(
            "<p class=\"note\">None ended by a fault. Whether one was thrown is not known of "
            "{}, which {} not analysed: nim-arena report analyses them.</p>\n",
            counted(pages.not_analysed, "game"), pages.not_analysed == 1 ? "is" : "are");
    }
    return has_played ? "<p>None was thrown, and none ended by a fault.</p>\n"
                      : "<p>None was played yet.</p>\n";
}

std::string viewer(const Summary& summary, std::size_t player, const std::string& data) {
    const PlayerPages& pages = summary.players[player];
    std::string html = "<h2>Games</h2>\n";
    if (pages.games.empty())
        return html + why_no_games(pages, summary.standings->players()[player].games > 0);
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

// A game against an opponent: "1", "½" or "0", a link to it where this page shows it.
std::string result_html(const GameResult& result, int player, bool is_shown) {
    const std::string key = to_string(result.key);
    if (result.reason == Reason::Void) {
        return fmt::format("<span title=\"{}, void\">–</span>", key);
    }
    const bool won =
        result.winner && result.players[static_cast<std::size_t>(*result.winner)] == player;
    const std::string points = !result.winner ? "½" : won ? "1" : "0";
    if (is_shown) {
        return fmt::format("<a href=\"#game-{0}\" title=\"{0}\">{1}</a>", key, points);
    }
    return fmt::format("<span title=\"{}\">{}</span>", key, points);
}

struct Opponent {
    int number = 0;
    std::vector<const GameResult*> games;
};

// In the order of the first games against each.
std::vector<Opponent> opponents_of(const Summary& summary, std::size_t player) {
    const int number = static_cast<int>(player);
    std::vector<Opponent> opponents;
    std::map<int, std::size_t> places;
    for (const std::size_t index : summary.players[player].results) {
        const GameResult& result = summary.results[index];
        const int other = result.players[result.players[0] == number ? 1 : 0];
        const auto [place, is_new] = places.emplace(other, opponents.size());
        if (is_new) opponents.push_back({other, {}});
        opponents[place->second].games.push_back(&result);
    }
    return opponents;
}

std::string opponent_row(const Summary& summary, int player, const Opponent& met,
                         const std::set<GameKey>& shown, bool has_others) {
    constexpr std::size_t kMostGames = 100;
    const auto other = static_cast<std::size_t>(met.number);
    const PairScore score = summary.standings->encounter(player, met.number);
    std::string name = escaped(summary.entrants[other].name);
    if (has_others) name = fmt::format("<a href=\"{}\">{}</a>", file_of_player(other), name);
    std::string html = fmt::format(
        "<tr id=\"vs-{}\"><th scope=\"row\" class=\"name\">{}</th>"
        "<td class=\"{}\">{}</td><td>{}</td><td class=\"list\">",
        other + 1, name, shade(score.points, static_cast<double>(score.games)),
        points_as_fraction(score.points), score.games);
    for (std::size_t i = 0; i < std::min(met.games.size(), kMostGames); ++i) {
        if (i > 0) html += ' ';
        html += result_html(*met.games[i], player, shown.contains(met.games[i]->key));
    }
    if (met.games.size() > kMostGames)
        html += fmt::format(" and {} more", met.games.size() - kMostGames);
    return html + "</td></tr>\n";
}

constexpr std::string_view kOtherGames =
    "<p class=\"soft\">Underlined games are on this page. Of the others, "
    "<code>nim-arena show FILE.db KEY</code> prints one, and <code>nim-arena report "
    "--pages all</code> puts all here.</p>\n";

std::string results(const Summary& summary, std::size_t player, bool has_others) {
    constexpr std::size_t kMostOpponents = 2000;
    const PlayerPages& pages = summary.players[player];
    std::set<GameKey> shown;
    for (const auto& game : pages.games) shown.insert(game->task.key);
    const auto opponents = opponents_of(summary, player);
    if (opponents.empty()) return {};
    const std::size_t listed = std::min(opponents.size(), kMostOpponents);
    std::string rows;
    for (std::size_t i = 0; i < listed; ++i)
        rows +=
            opponent_row(summary, static_cast<int>(player), opponents[i], shown, has_others);
    std::string html =
        section("Opponents", table("sortable",
                                   "<th scope=\"col\" class=\"name\">opponent</th>"
                                   "<th scope=\"col\">points</th><th scope=\"col\">games</th>"
                                   "<th scope=\"col\" class=\"list\">game by game</th>",
                                   rows)) +
        first_of(listed, opponents.size());
    if (shown.size() < pages.results.size() && has_others) html += kOtherGames;
    return html;
}

}  // namespace

std::string player_page(const Summary& summary, std::size_t player,
                        const engine::Analyst& analyst, const engine::Budget& budget,
                        const PageContext& context) {
    const std::string& name = summary.entrants[player].name;
    const std::string list = fault_list(summary, player);
    const std::string data = games_json(summary, player, analyst, budget);
    const bool has_others = context.reader != Reader::Student;
    std::string title = escaped(title_of(summary));
    if (has_others) title = "<a href=\"index.html\">" + title + "</a>";
    std::string body = fmt::format(
        "<header><p>{}</p>\n<h1>{}</h1>\n<p class=\"soft\">{}</p><p>{}.</p></header>\n<main>\n",
        title, escaped(name), escaped(summary.entrants[player].spec),
        escaped(describe_error_rate(summary.standings->accuracy()[player])));
    body += visits_html(summary.players[player].visits, context);
    body += cards(summary, player, has_others);
    body += viewer(summary, player, data);
    body += results(summary, player, has_others);
    const std::string drawn = charts(summary, player);
    if (!drawn.empty()) body += "<h2>How it plays</h2>\n" + drawn;
    if (!list.empty()) body += "<h2 id=\"faults\">Faults</h2>\n" + list;
    body += "</main>\n<footer>Made by nim-arena report.</footer>\n";
    return document(name + " – " + title_of(summary), body, context);
}

}  // namespace arena::pages

#include "arena/play/theory_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "arena/base/counted.hpp"
#include "arena/contest/standings_table.hpp"
#include "arena/game/game_analysis.hpp"
#include "arena/record/annotate.hpp"

namespace arena {
namespace {

using protocol::Result;

constexpr std::size_t kMostThrows = 10;  // listed for a player
constexpr std::string_view kLegend =
    "theory: points of perfect play from the same seats; won kept, draws held: moves that kept "
    "a\n"
    "won or drawn position; mistakes: a game; steals: games won by play after having stood "
    "lost\n";

constexpr std::string_view kErrorLegend =
    "ε: it plays as builtin:eps:ε does, with the interval of 95 %\n";

}  // namespace

void TheoryComparison::add(const GameRecord& record, Milliseconds most, std::stop_token stop) {
    const auto began = SteadyClock::now();
    const SteadyClock::duration left = most - spent_;
    if (left.count() <= 0) {
        ++missing_;
        return;
    }
    const engine::Budget budget{began + std::min<SteadyClock::duration>(left, kAnalysisTime),
                                std::move(stop)};
    add(record, analyse_game(record, analyst_, budget, Depth::Mistakes));
    spent_ += SteadyClock::now() - began;
}

Result<void> TheoryComparison::read(Store& store, const engine::Budget& budget,
                                    const std::function<void(std::uint64_t)>& progress) {
    const auto annotated = annotate_games(store, analyst_, budget, progress);
    if (!annotated) return annotated.error();
    knows_decisions_ = true;
    return store.for_each_game([&](const GameRecord& game) {
        // Another process may just have let one more in.
        const auto last = std::ranges::max(game.task.players);
        if (static_cast<std::size_t>(last) >= thrown_.size()) return true;
        const auto analysis = noted_analysis(game);
        if (analysis) {
            add(game, *analysis);
        } else {
            ++missing_;
        }
        return true;
    });
}

void TheoryComparison::add(const GameRecord& record, const GameAnalysis& analysis) {
    results_.add(result_of(record));
    results_.add_analysis(record, analysis);
    if (thrown_.size() != 2 || record.reason == Reason::Void) return;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        if (record.winner != static_cast<int>(seat)) add_throw(record, analysis, seat);
    }
}

void TheoryComparison::add_throw(const GameRecord& record, const GameAnalysis& analysis,
                                 std::size_t seat) {
    const std::size_t ply = first_throw(record, analysis, seat);
    if (ply == 0) return;
    Thrown& thrown = thrown_[static_cast<std::size_t>(record.task.players[seat])];
    ++thrown.games;
    const GameKey& key = record.task.key;
    const bool is_full = thrown.first.size() >= kMostThrows;
    if (is_full && thrown.first.rbegin()->first < key) return;
    const engine::Budget budget{SteadyClock::now() + kAnalysisTime, {}};
    thrown.first[key] = fmt::format("game {}, {}", game_name(key, is_match_),
                                    throw_text(record, analysis, ply, analyst_, budget));
    if (is_full) thrown.first.erase(std::prev(thrown.first.end()));
}

std::string TheoryComparison::text(const std::vector<std::string>& names,
                                   const std::vector<Standing>& standings) const {
    std::vector<StandingRow> rows;
    std::uint64_t unknown = 0;
    for (const Standing& standing : standings) {
        const auto player = static_cast<std::size_t>(standing.player);
        StandingRow& row = rows.emplace_back();
        row.standing = &results_.players()[player];
        row.name = names[player];
        row.accuracy = &results_.accuracy()[player];
        unknown += row.accuracy->theory_unknown;
    }
    std::string text = terminal_table(rows, knows_decisions_ ? kTheoryDecisions : kTheory);
    text += kLegend;
    if (std::ranges::any_of(standings, [](const auto& row) { return row.byes > 0; }))
        text += "points and theory: of games alone, without those for byes\n";
    if (knows_decisions_) text += kErrorLegend;
    if (unknown > 0) {
        text += fmt::format("theory: without {}, whose outcome is not known\n",
                            counted(unknown / 2, "game"));
    }
    if (missing_ > 0) {
        text += fmt::format(
            "without {} not analysed {}\n", counted(missing_, "game"),
            knows_decisions_ ? "yet: nim-arena report goes on" : "in the time of --analysis");
    }
    if (thrown_.size() == 2) {
        for (std::size_t i = 0; i < thrown_.size(); ++i) text += throws_text(names[i], i);
    }
    text.pop_back();
    return text;
}

std::string TheoryComparison::throws_text(const std::string& who, std::size_t player) const {
    const Thrown& thrown = thrown_[player];
    const Standing& standing = results_.players()[player];
    const Accuracy& seen = results_.accuracy()[player];
    if (thrown.games == 0) {
        // A win that was given away and given back shows in the table alone.
        const bool flawless =
            seen.won_positions + seen.drawn_positions > 0 &&
            seen.won_kept == seen.won_positions && seen.drawn_held == seen.drawn_positions &&
            seen.theory_unknown == 0 && missing_ == 0 && standing.faults.empty();
        return flawless ? who + " threw nothing\n" : std::string();
    }
    std::string text =
        fmt::format("{} threw {} of {}, by its first losing move from a won position:\n", who,
                    thrown.games, counted(static_cast<std::uint64_t>(standing.games), "game"));
    for (const auto& [key, line] : thrown.first) text += fmt::format("    {}\n", line);
    const std::uint64_t more = thrown.games - thrown.first.size();
    if (more > 0) text += fmt::format("    and {} more\n", more);
    return text;
}

}  // namespace arena

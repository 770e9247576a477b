#include "arena/play/theory_comparison.hpp"

#include <fmt/format.h>

#include <iterator>

#include "arena/base/counted.hpp"
#include "arena/base/text_table.hpp"
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

// "98 % of 120"; "-" of none.
std::string share_text(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    return fmt::format("{:.0f} % of {}",
                       100 * static_cast<double>(part) / static_cast<double>(whole), whole);
}

// Mistakes are counted among decisions; where these are not known, among the moves in won and
// drawn positions.
std::string mistakes_a_game(const Accuracy& seen, std::int64_t games, bool knows_decisions) {
    const std::uint64_t positions = seen.won_positions + seen.drawn_positions;
    const std::uint64_t chances = knows_decisions ? seen.decisions.decisions() : positions;
    if (chances == 0) return "-";
    const std::uint64_t mistakes =
        knows_decisions ? seen.mistakes() : positions - seen.won_kept - seen.drawn_held;
    return fmt::format("{:.2f}", static_cast<double>(mistakes) / static_cast<double>(games));
}

}  // namespace

void TheoryComparison::add(const GameRecord& record, std::stop_token stop) {
    const engine::Budget budget{SteadyClock::now() + kAnalysisTime, std::move(stop)};
    add(record, analyse_game(record, analyst_, budget, Depth::Mistakes));
}

Result<void> TheoryComparison::read(Store& store, const engine::Budget& budget,
                                    const std::function<void(std::uint64_t)>& progress) {
    const auto annotated = annotate_games(store, analyst_, budget, progress);
    if (!annotated) return annotated.error();
    knows_decisions_ = true;
    return store.for_each_game([&](const GameRecord& game) {
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
    const std::size_t ply = first_throw(analysis, seat);
    if (ply == 0) return;
    Thrown& thrown = thrown_[static_cast<std::size_t>(record.task.players[seat])];
    ++thrown.games;
    const GameKey& key = record.task.key;
    const bool is_full = thrown.first.size() >= kMostThrows;
    if (is_full && thrown.first.rbegin()->first < key) return;
    const engine::Budget budget{SteadyClock::now() + kAnalysisTime, {}};
    thrown.first[key] = fmt::format(
        "game {}, {}", is_match_ ? std::to_string(match_number(key)) : to_string(key),
        throw_text(record, analysis, ply, analyst_, budget));
    if (is_full) thrown.first.erase(std::prev(thrown.first.end()));
}

std::string TheoryComparison::text(const std::vector<std::string>& names,
                                   const std::vector<int>& order, bool has_byes) const {
    std::vector<std::vector<std::string>> rows{
        {"player", "points", "theory", "won kept", "draws held", "mistakes", "steals"}};
    if (knows_decisions_) rows.front().emplace_back("ε");
    std::uint64_t unknown = 0;
    for (const int number : order) {
        const auto player = static_cast<std::size_t>(number);
        rows.push_back(cells_of(names[player], player));
        unknown += results_.accuracy()[player].theory_unknown;
    }
    std::string text = knows_decisions_ ? aligned(rows, {0, 7}) : aligned(rows, {0});
    text += kLegend;
    if (has_byes) text += "points and theory: of games alone, without those for byes\n";
    if (knows_decisions_) text += kErrorLegend;
    if (unknown > 0) {
        text += fmt::format("theory: without {}, whose outcome is not known\n",
                            counted(unknown / 2, "game"));
    }
    if (missing_ > 0) {
        text += fmt::format("without {} not analysed yet: nim-arena report goes on\n",
                            counted(missing_, "game"));
    }
    if (thrown_.size() == 2) {
        for (std::size_t i = 0; i < thrown_.size(); ++i) text += throws_text(names[i], i);
    }
    text.pop_back();
    return text;
}

std::vector<std::string> TheoryComparison::cells_of(const std::string& who,
                                                    std::size_t player) const {
    const Standing& standing = results_.players()[player];
    const Accuracy& seen = results_.accuracy()[player];
    std::vector<std::string> cells{
        who,
        points_text(standing.points_of_games()),
        fmt::format("{}{}", static_cast<double>(seen.theory_halves) / 2,
                    seen.theory_unknown > 0 ? "+?" : ""),
        share_text(seen.won_kept, seen.won_positions),
        share_text(seen.drawn_held, seen.drawn_positions),
        mistakes_a_game(seen, standing.games, knows_decisions_),
        std::to_string(seen.steals)};
    if (knows_decisions_) {
        const ErrorRate rate = seen.decisions.error_rate();
        cells.push_back(rate.decisions == 0 ? "-" : to_string(rate));
    }
    return cells;
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

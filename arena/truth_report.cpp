#include "arena/truth_report.hpp"

#include <fmt/format.h>

#include "arena/counted.hpp"
#include "arena/pages/annotate.hpp"
#include "arena/report.hpp"
#include "arena/statistics/player_statistics.hpp"

namespace arena {
namespace {

using protocol::Result;

// "98 % of 120"; "-" of none.
std::string share_text(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    return fmt::format("{:.0f} % of {}",
                       100 * static_cast<double>(part) / static_cast<double>(whole), whole);
}

std::vector<std::string> cells_of(const std::string& who, const PlayerNumbers& numbers) {
    const bool any = numbers.games > 0 && numbers.decisions.decisions() > 0;
    const std::string mistakes =
        any ? fmt::format("{:.2f}", static_cast<double>(numbers.mistakes()) /
                                        static_cast<double>(numbers.games))
            : "-";
    return {who,
            fmt::format("{}", static_cast<double>(numbers.halves()) / 2),
            fmt::format("{}{}", static_cast<double>(numbers.theory_halves) / 2,
                        numbers.theory_unknown > 0 ? "+?" : ""),
            share_text(numbers.won_kept, numbers.won_positions),
            share_text(numbers.drawn_held, numbers.drawn_positions),
            mistakes,
            std::to_string(numbers.steals),
            describe_error_rate(numbers)};
}

}  // namespace

Result<std::string> truth_report(Store& store, const engine::Analyst& analyst,
                                 const engine::Budget& budget,
                                 const std::vector<std::string>& names,
                                 const std::function<void(std::uint64_t)>& progress) {
    const auto annotated = annotate_games(store, analyst, budget, progress);
    if (!annotated) return annotated.error();
    PlayerStatistics statistics(names.size());
    std::uint64_t missing = 0;
    const auto read = store.for_each_game([&](const StoredGame& game) {
        const auto analysis = parse_game_analysis(game.annotation);
        if (analysis) {
            statistics.add(game.record, *analysis);
        } else {
            ++missing;
        }
        return true;
    });
    if (!read) return read.error();
    std::vector<std::vector<std::string>> rows{
        {"player", "points", "theory", "won kept", "draws held", "mistakes", "steals", ""}};
    for (std::size_t i = 0; i < names.size(); ++i) {
        rows.push_back(cells_of(names[i], statistics.of(i)));
    }
    std::string text = aligned(rows, {0, 7});
    if (missing > 0) {
        text += fmt::format("without {} not analysed yet: nim-arena report goes on\n",
                            counted(missing, "game"));
    }
    text.pop_back();
    return text;
}

}  // namespace arena

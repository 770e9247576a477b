#include "arena/report/exports.hpp"

#include <array>
#include <string_view>

#include "arena/contest/standings_table.hpp"
#include "arena/contest/start_tally.hpp"

namespace arena {
namespace {

// "-12", "-0.5": a spreadsheet makes no formula of that.
bool is_negative_number(std::string_view cell) {
    return cell.size() > 1 && cell.front() == '-' &&
           cell.find_first_not_of("0123456789.", 1) == cell.npos;
}

std::string cell_text(const std::string& cell) {
    std::string text = cell;
    const bool begins_formula =
        !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != text.npos;
    if (begins_formula && !is_negative_number(cell)) text.insert(0, "'");
    // A spreadsheet may separate cells by semicolons.
    if (text.find_first_of(",;\t\"\r\n") == text.npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

}  // namespace

std::string csv_line(std::span<const std::string> cells) {
    std::string line;
    for (const std::string& cell : cells) {
        if (&cell != &cells.front()) line += ',';
        line += cell_text(cell);
    }
    return line + "\r\n";
}

std::string cross_table(const Results& results, std::span<const std::string> names) {
    std::vector<std::string> cells{"player", "points", "games", "byes"};
    cells.insert(cells.end(), names.begin(), names.end());
    std::string text = csv_line(cells);
    for (const Standing& row : results.players()) {
        const double points = row.points_of_games();
        cells = {names[static_cast<std::size_t>(row.player)], points_text(points),
                 std::to_string(row.games), points_text(row.points - points)};
        for (int other = 0; other < static_cast<int>(names.size()); ++other) {
            const PairScore met = results.encounter(row.player, other);
            cells.push_back(met.games == 0 ? "" : points_text(met.points));
        }
        text += csv_line(cells);
    }
    return text;
}

std::string start_table(const StartTally& tally, std::span<const std::string> names) {
    constexpr std::array kHead{"player", "ruleset", "position", "games",
                               "won",    "drawn",   "lost",     "points"};
    std::string text = csv_line(std::vector<std::string>(kHead.begin(), kHead.end()));
    for (int player = 0; player < static_cast<int>(names.size()); ++player) {
        for (const Start& start : tally.positions()) {
            const auto found = start.scores.find(player);
            if (found == start.scores.end()) continue;
            const Start::Score& score = found->second;
            const std::uint64_t draws = score.halves - 2 * score.wins;
            const std::vector<std::string> cells{
                names[static_cast<std::size_t>(player)],
                start.ruleset,
                start.text,
                std::to_string(score.games),
                std::to_string(score.wins),
                std::to_string(draws),
                std::to_string(score.games - score.wins - draws),
                points_text(static_cast<double>(score.halves) / 2)};
            text += csv_line(cells);
        }
    }
    return text;
}

std::string grade_table(const Results& results, std::span<const std::string> names) {
    const auto columns = columns_of(kGrades);
    std::vector<std::string> cells;
    for (const Column* column : columns) cells.emplace_back(column->key);
    std::string text = csv_line(cells);
    for (const Standing& standing : results.players()) {
        const auto player = static_cast<std::size_t>(standing.player);
        StandingRow row;
        row.standing = &standing;
        row.name = names[player];
        row.accuracy = &results.accuracy()[player];
        cells.clear();
        for (const Column* column : columns) cells.push_back(cell_text(*column, row, ""));
        text += csv_line(cells);
    }
    return text;
}

}  // namespace arena

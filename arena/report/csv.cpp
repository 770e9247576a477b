#include "arena/report/exports.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "arena/contest/standings.hpp"
namespace arena {
namespace {

constexpr std::array kFaults{Reason::IllegalMove, Reason::Timeout, Reason::Disconnected,
                             Reason::Protocol,    Reason::Startup, Reason::OffTurn};

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

std::string text_of_halves(std::uint64_t halves) {
    return points_text(static_cast<double>(halves) / 2);
}

std::uint64_t halves_of(const GameRecord& record, int seat) {
    if (!record.winner) return 1;
    return *record.winner == seat ? 2 : 0;
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

void CrossTable::add(const GameRecord& record) {
    if (record.reason == Reason::Void) return;
    const auto [first, second] = record.task.players;
    for (const int seat : {0, 1}) {
        Score& score = scores_[seat == 0 ? std::pair(first, second) : std::pair(second, first)];
        ++score.games;
        score.halves += halves_of(record, seat);
    }
}

std::string CrossTable::text(std::span<const std::string> names,
                             std::span<const std::uint64_t> byes) const {
    std::vector<std::string> cells{"player", "points", "games", "byes"};
    cells.insert(cells.end(), names.begin(), names.end());
    std::string text = csv_line(cells);
    for (int player = 0; player < static_cast<int>(names.size()); ++player) {
        cells.assign(4 + names.size(), {});
        Score total;
        const auto end = scores_.lower_bound({player + 1, 0});
        for (auto score = scores_.lower_bound({player, 0}); score != end; ++score) {
            const auto& [against, made] = *score;
            total.games += made.games;
            total.halves += made.halves;
            cells[4 + static_cast<std::size_t>(against.second)] = text_of_halves(made.halves);
        }
        cells[0] = names[static_cast<std::size_t>(player)];
        cells[1] = text_of_halves(total.halves);
        cells[2] = std::to_string(total.games);
        cells[3] = std::to_string(byes[static_cast<std::size_t>(player)]);
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
                ruleset_of(start.text),
                start.text,
                std::to_string(score.games),
                std::to_string(score.wins),
                std::to_string(draws),
                std::to_string(score.games - score.wins - draws),
                text_of_halves(score.halves)};
            text += csv_line(cells);
        }
    }
    return text;
}

std::string grade_table(std::span<const PlayerNumbers> players,
                        std::span<const std::string> names,
                        std::span<const std::uint64_t> byes) {
    std::vector<std::string> cells{"player", "games",     "points",   "byes",   "attainable",
                                   "share",  "decisions", "mistakes", "faults", "strikes"};
    for (const Reason fault : kFaults) cells.emplace_back(name(fault));
    cells.insert(cells.end(), {"error_rate", "error_low", "error_high"});
    std::string text = csv_line(cells);
    for (std::size_t player = 0; player < names.size(); ++player) {
        const PlayerNumbers grade = player < players.size() ? players[player] : PlayerNumbers{};
        std::uint64_t faults = 0;
        for (const auto& [reason, count] : grade.faults) faults += count;
        const bool known = grade.theory_unknown == 0;
        const double share =
            static_cast<double>(grade.halves()) /
            static_cast<double>(std::max<std::uint64_t>(grade.theory_halves, 1));
        cells = {names[player],
                 std::to_string(grade.games),
                 text_of_halves(grade.halves()),
                 std::to_string(byes[player]),
                 known ? text_of_halves(grade.theory_halves) : "",
                 known && grade.theory_halves > 0 ? fmt::format("{:.4f}", share) : "",
                 std::to_string(grade.decisions.decisions()),
                 std::to_string(grade.mistakes()),
                 std::to_string(faults),
                 std::to_string(grade.strikes)};
        for (const Reason fault : kFaults) {
            const auto count = grade.faults.find(fault);
            cells.push_back(std::to_string(count == grade.faults.end() ? 0 : count->second));
        }
        const ErrorRate error = grade.decisions.error_rate();
        for (const double value : {error.rate, error.interval.low, error.interval.high})
            cells.push_back(error.decisions == 0 ? "" : fmt::format("{:.4f}", value));
        text += csv_line(cells);
    }
    return text;
}

}  // namespace arena

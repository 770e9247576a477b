#include "arena/contest/standings_table.hpp"

#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/text_table.hpp"

namespace arena {
namespace {

using Row = StandingRow;

Cell known(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

Cell as_cell(std::uint64_t number) { return static_cast<std::int64_t>(number); }

template <auto kMember>
Cell of(const Row& row) {
    return std::invoke(kMember, *row.standing);
}

Cell points_of_halves(std::uint64_t halves) { return static_cast<double>(halves) / 2; }

Cell ratio(double part, double whole) { return whole == 0 ? Cell() : Cell(part / whole); }

template <Reason kReason>
Cell faults_by(const Row& row) {
    const auto found = row.standing->faults.find(kReason);
    return found == row.standing->faults.end() ? 0 : found->second.games;
}

Cell elo(const Row& row) { return row.rating.played ? Cell(elo_text(row.rating.elo)) : Cell(); }

Cell elo_error(const Row& row) {
    return row.rating.played && row.rating.error > 0 ? Cell(row.rating.error) : Cell();
}

Cell elo_with_error(const Row& row) { return rating_text(row.rating, row.has_errors); }

Cell superiority(const Row& row) {
    return row.superiority ? Cell(fmt::format("{:.0f}%", 100 * *row.superiority)) : Cell();
}

Cell pairs(const Row& row) {
    const PairCounts& counts = row.standing->pairs;
    return total_pairs(counts) == 0 ? Cell() : Cell(fmt::format("{}", fmt::join(counts, "-")));
}

template <auto kText>
Cell theory(const Row& row) {
    return kText(static_cast<double>(row.accuracy->theory_halves) / 2) +
           (row.accuracy->theory_unknown > 0 ? "+?" : "");
}

Cell attainable(const Row& row) {
    return row.accuracy->theory_unknown > 0 ? Cell()
                                            : points_of_halves(row.accuracy->theory_halves);
}

Cell share(const Row& row) {
    if (row.accuracy->theory_unknown > 0) return {};
    return ratio(2 * row.standing->points_of_games(),
                 static_cast<double>(row.accuracy->theory_halves));
}

Cell mistakes_a_game(const Row& row) {
    if (row.accuracy->decisions.decisions() == 0) return {};
    return fmt::format("{:.2f}", static_cast<double>(row.accuracy->mistakes()) /
                                     static_cast<double>(row.standing->games));
}

// Where decisions are not known: among the moves in won and drawn positions.
Cell lapses_a_game(const Row& row) {
    const Accuracy& seen = *row.accuracy;
    const auto positions = seen.won_positions + seen.drawn_positions;
    if (positions == 0) return {};
    return fmt::format("{:.2f}",
                       static_cast<double>(positions - seen.won_kept - seen.drawn_held) /
                           static_cast<double>(row.standing->games));
}

// "98 % of 120".
template <auto kPart, auto kWhole>
Cell share_of(const Row& row) {
    const auto whole = row.accuracy->*kWhole;
    if (whole == 0) return {};
    return fmt::format(
        "{:.0f} % of {}",
        100 * static_cast<double>(row.accuracy->*kPart) / static_cast<double>(whole), whole);
}

Cell kept_won(const Row& row) {
    const auto won = row.accuracy->won_positions;
    if (won == 0) return {};
    return fmt::format("{:.0f} %", 100.0 * static_cast<double>(row.accuracy->won_kept) /
                                       static_cast<double>(won));
}

template <auto kMember>
Cell error_rate(const Row& row) {
    const ErrorRate rate = row.accuracy->decisions.error_rate();
    return rate.decisions == 0 ? Cell() : Cell(kMember(rate));
}

constexpr auto kEverywhere = kTerminal | kReport | kLivePage | kGrades;
constexpr auto kTheories = kTheory | kTheoryDecisions;

// A new column is a row here. Order is that of each view; two views that have a thing at
// different places have a row for it each.
const Column kStandingsColumns[] = {
    {kTerminal | kReport | kLivePage | kLive, "rank", "#", CellKind::Count,
     of<&Standing::rank>},
    {kTerminal | kReport | kGrades | kTheories | kLive, "player", "player", CellKind::Name,
     [](const Row& row) -> Cell { return row.name; }},
    {kLivePage, "player", "player", CellKind::Count, of<&Standing::player>},
    {kReport | kLivePage, "points", "points", CellKind::Points, of<&Standing::points>},
    {kReport, "theory", "theory", CellKind::Text, theory<points_as_fraction>},
    {kEverywhere | kLive, "games", "games", CellKind::Count, of<&Standing::games>},
    {kTerminal | kReport | kLiveWide, "won", "won", CellKind::Count, of<&Standing::wins>},
    {kTerminal | kReport | kLiveWide, "drawn", "drawn", CellKind::Count, of<&Standing::draws>},
    {kTerminal | kReport | kLiveWide, "lost", "lost", CellKind::Count, of<&Standing::losses>},
    {kTerminal | kLive, "points", "points", CellKind::Points, of<&Standing::points>},
    {kTieBreaks, "buchholz", "BH", CellKind::Points, of<&Standing::buchholz>,
     "Buchholz, where points are equal"},
    {kTieBreaks, "sonneborn_berger", "SB", CellKind::Points, of<&Standing::sonneborn_berger>,
     "Sonneborn-Berger, where BH is equal too"},
    {kGrades | kTheories, "points", "points", CellKind::Points, of<&Standing::points_of_games>},
    {kTheories, "theory", "theory", CellKind::Text, theory<points_text>},
    {kTheories, "kept_won", "won kept", CellKind::Text,
     share_of<&Accuracy::won_kept, &Accuracy::won_positions>},
    {kTheories, "held_drawn", "draws held", CellKind::Text,
     share_of<&Accuracy::drawn_held, &Accuracy::drawn_positions>},
    {kTheory, "mistakes_a_game", "mistakes", CellKind::Text, lapses_a_game},
    {kTheoryDecisions, "mistakes_a_game", "mistakes", CellKind::Text, mistakes_a_game},
    {kGrades, "byes", "", CellKind::Points,
     [](const Row& row) -> Cell {
         return row.standing->points - row.standing->points_of_games();
     }},
    {kGrades, "attainable", "", CellKind::Points, attainable},
    {kGrades, "share", "", CellKind::Ratio, share},
    {kGrades, "decisions", "", CellKind::Count,
     [](const Row& row) { return as_cell(row.accuracy->decisions.decisions()); }},
    {kGrades, "mistakes", "", CellKind::Count,
     [](const Row& row) { return as_cell(row.accuracy->mistakes()); }},
    {kTerminal, "elo", "Elo", CellKind::Text, elo},
    {kTerminal, "elo_error", "+/-", CellKind::Whole, elo_error},
    {kTerminal, "los", "LOS", CellKind::Text, superiority,
     "likelihood to be better than the next"},
    {kReport, "elo", "Elo", CellKind::Text, elo_with_error},
    {kReport, "error_rate", "ε [95 %]", CellKind::Text,
     [](const Row& row) -> Cell { return to_string(row.accuracy->decisions.error_rate()); }},
    {kReport, "mistakes_a_game", "mistakes a game", CellKind::Text, mistakes_a_game},
    {kReport, "kept_won", "kept won", CellKind::Text, kept_won},
    {kReport | kTheories, "steals", "steals", CellKind::Count,
     [](const Row& row) { return as_cell(row.accuracy->steals); }},
    {kTheoryDecisions, "error_rate", "ε", CellKind::Text,
     error_rate<[](const ErrorRate& rate) { return to_string(rate); }>},
    {kEverywhere | kLive, "faults", "faults", CellKind::Count, of<&Standing::fault_count>},
    {kReport | kGrades, "strikes", "strikes", CellKind::Count, of<&Standing::strikes>,
     "faults after which the arena moved instead"},
    {kGrades, "illegal-move", "", CellKind::Count, faults_by<Reason::IllegalMove>},
    {kGrades, "timeout", "", CellKind::Count, faults_by<Reason::Timeout>},
    {kGrades, "disconnected", "", CellKind::Count, faults_by<Reason::Disconnected>},
    {kGrades, "protocol", "", CellKind::Count, faults_by<Reason::Protocol>},
    {kGrades, "startup", "", CellKind::Count, faults_by<Reason::Startup>},
    {kGrades, "off-turn", "", CellKind::Count, faults_by<Reason::OffTurn>},
    {kGrades, "error_rate", "", CellKind::Ratio,
     error_rate<[](const ErrorRate& rate) { return rate.rate; }>},
    {kGrades, "error_low", "", CellKind::Ratio,
     error_rate<[](const ErrorRate& rate) { return rate.interval.low; }>},
    {kGrades, "error_high", "", CellKind::Ratio,
     error_rate<[](const ErrorRate& rate) { return rate.interval.high; }>},
    {kReport, "buchholz", "Buchholz", CellKind::Tenths, of<&Standing::buchholz>},
    {kReport, "sonneborn_berger", "S.-B.", CellKind::Tenths, of<&Standing::sonneborn_berger>},
    {kEverywhere, "think_ms", "think", CellKind::Tenths,
     [](const Row& row) { return known(row.standing->thinking_time()); },
     "average thinking time of a move", "ms"},
    {kTerminal, "pairs", "pairs", CellKind::Text, pairs, "how many gave 0-½-1-1½-2 points"},
};

}  // namespace

std::string rating_text(const Rating& rating, bool has_errors) {
    if (!rating.played) return "-";
    if (!has_errors) return elo_text(rating.elo);
    return fmt::format("{} ± {:.0f}", elo_text(rating.elo), rating.error);
}

std::vector<const Column*> columns_of(unsigned views) {
    std::vector<const Column*> columns;
    for (const Column& column : kStandingsColumns) {
        if (column.views & views) columns.push_back(&column);
    }
    return columns;
}

std::string cell_text(const Column& column, const StandingRow& row, std::string_view unknown) {
    const Cell cell = column.cell(row);
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* number = std::get_if<std::int64_t>(&cell))
        return fmt::format("{}", *number);
    const auto* value = std::get_if<double>(&cell);
    if (value == nullptr) return std::string(unknown);
    switch (column.kind) {
        case CellKind::Whole:
            return fmt::format("{:.0f}", *value);
        case CellKind::Tenths:
            return fmt::format("{:.1f}", *value);
        case CellKind::Ratio:
            return fmt::format("{:.4f}", *value);
        default:
            return points_text(*value);
    }
}

std::string terminal_table(const std::vector<StandingRow>& rows, unsigned views,
                           std::size_t least) {
    const auto columns = columns_of(views);
    std::vector<std::vector<std::string>> cells(1);
    for (const Column* column : columns) cells[0].emplace_back(column->head);
    for (const StandingRow& row : rows) {
        auto& line = cells.emplace_back();
        for (const Column* column : columns) line.push_back(cell_text(*column, row, "-"));
    }
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool is_last = i + 1 == columns.size();
        const CellKind kind = columns[i]->kind;
        if (kind == CellKind::Name || (is_last && kind == CellKind::Text)) left.push_back(i);
    }
    return aligned(cells, left, least);
}

std::string terminal_legend(unsigned views) {
    std::string text;
    for (const Column* column : columns_of(views)) {
        if (column->meaning.empty()) continue;
        text += fmt::format("{}: {}", column->head, column->meaning);
        text += column->unit.empty() ? "\n" : fmt::format(", in {}\n", column->unit);
    }
    return text;
}

}  // namespace arena

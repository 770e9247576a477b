// The columns of the standings, each described once. The terminal, the report, the live page
// and the CSV of grades are printers of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arena/contest/elo.hpp"
#include "arena/contest/results.hpp"

namespace arena {

inline const Accuracy kNoAccuracy{};

// What the cells of a player are made from. What a view does not show may be left out.
struct StandingRow {
    const Standing* standing = nullptr;
    std::string name;
    Rating rating;
    bool has_errors = true;             // false: too many players for error bars
    std::optional<double> superiority;  // LOS against the next one below
    const Accuracy* accuracy = &kNoAccuracy;
};

// Nothing: unknown.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

enum class CellKind {
    Name,
    Count,
    Points,  // halves
    Whole,   // rounded to 1, …
    Tenths,
    Ratio,  // … to 1/10,000
    Text,
};

// Views of the standings, as bits.
enum View : unsigned {
    kTerminal = 1,
    kTieBreaks = 2,  // of a terminal, where they tell
    kReport = 4,
    kLivePage = 8,
    kGrades = 16,           // CSV
    kTheory = 32,           // of a terminal, compared with perfect play
    kTheoryDecisions = 64,  // … where decisions are known, instead
    kLive = 128,            // of a terminal, while games are played
    kLiveWide = 256,        // … with room for more, besides
};

struct Column {
    unsigned views;
    std::string_view key;   // for programs: JSON, CSV
    std::string_view head;  // for people
    CellKind kind;
    Cell (*cell)(const StandingRow& row);
    std::string_view meaning = {};  // for people, where the head does not say it
    std::string_view unit = {};     // "ms"; empty: none
};

// The columns of these views, in their order.
std::vector<const Column*> columns_of(unsigned views);

// "12.3", "0.6667"; `unknown` for an unknown value.
std::string cell_text(const Column& column, const StandingRow& row, std::string_view unknown);

// "+12 ± 30"; "-" without games. `has_errors`: see StandingRow.
std::string rating_text(const Rating& rating, bool has_errors);

// These views of the standings for a terminal, where each column has `least` columns of it or
// more; and a line for each head that does not explain itself.
std::string terminal_table(const std::vector<StandingRow>& rows, unsigned views,
                           std::size_t least = 0);
std::string terminal_legend(unsigned views);

}  // namespace arena

#include "arena/contest/standings_table.hpp"

namespace arena::standings_table_test {
namespace {

using namespace testing;

TEST(StandingsTable, HasTheThinkingTimeInEachView) {
    Standing standing;
    standing.rank = 1;
    standing.thought = Microseconds(10'000);
    standing.moves = 4;
    StandingRow row;
    row.standing = &standing;
    for (const View view : {kTerminal, kReport, kLivePage, kGrades}) {
        const auto columns = columns_of(view);
        const auto found = std::ranges::find(columns, "think_ms", &Column::key);
        ASSERT_NE(found, columns.end());
        EXPECT_EQ(cell_text(**found, row, "-"), "2.5");
        EXPECT_EQ((*found)->unit, "ms");
    }
    EXPECT_EQ(columns_of(kGrades).back()->key, "think_ms") << "programs count the others";
}

TEST(StandingsTable, CountsFaultsAlikeInEachView) {
    Standing standing;
    standing.faults[Reason::Timeout].games = 1;
    standing.strikes = 2;
    StandingRow row;
    row.standing = &standing;
    for (const View view : {kTerminal, kReport, kLivePage, kGrades, kLive}) {
        for (const Column* column : columns_of(view)) {
            const std::string text = cell_text(*column, row, "-");
            if (column->key == "faults") {
                EXPECT_EQ(text, "1") << view;
            }
            if (column->key == "strikes") {
                EXPECT_EQ(text, "2") << view;
            }
        }
    }
}

TEST(StandingsTable, HasEachColumnWithoutAnAnalysis) {
    const Standing standing;
    StandingRow row;
    row.standing = &standing;
    std::map<std::string_view, std::string> cells;
    for (const Column* column : columns_of(~0u))
        cells[column->key] = cell_text(*column, row, "?");
    EXPECT_EQ(cells["kept_won"], "?");
    EXPECT_EQ(cells["steals"], "0");
}

TEST(StandingsTable, FitsATerminal) {
    Standing standing;
    standing.rank = 1;
    standing.games = 1000;
    standing.wins = standing.draws = standing.losses = 333;
    standing.points = 499.5;
    standing.pairs = {90, 90, 90, 90, 90};
    standing.thought = Microseconds(10'000'000);
    standing.moves = 4;
    StandingRow row;
    row.standing = &standing;
    row.name = "player";
    row.rating = {-120, 10, true};
    row.superiority = 0.5;
    const std::string table = terminal_table({row}, kTerminal);
    EXPECT_THAT(table, HasSubstr(" 2500.0 90-90-90-90-90\n"));
    EXPECT_LE(table.size() - table.find('\n') - 2, 80u) << table;
}

}  // namespace
}  // namespace arena::standings_table_test

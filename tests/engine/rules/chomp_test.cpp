#include "engine/sums/analyst.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test::chomp_test {

using protocol::kMaxNumber;

std::vector<Heap> all_boards(std::size_t rows, Number longest) {
    auto boards = all_tuples(rows, longest);
    std::erase_if(boards, [](const auto& board) {
        return !std::ranges::is_sorted(board, std::greater<>());
    });
    return heaps_with(boards);
}

// Cell by cell: what is below and to the right of the one taken goes.
Followers moves_of(const std::vector<Number>& rows) {
    Followers moves;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (Number column = 0; column < rows[row]; ++column) {
            if (row == 0 && column == 0) continue;
            auto left = rows;
            for (std::size_t r = row; r < rows.size(); ++r) {
                left[r] = 0;
                for (Number c = 0; c < rows[r]; ++c) left[r] += c < column ? 1 : 0;
            }
            moves.insert({heap_with(left)});
        }
    }
    return moves;
}

Outcome outcome_of(const std::string& text) {
    return make_analyst()->outcome(game_of("chomp:" + text), {});
}

std::vector<std::string> winning_moves(const std::string& text) {
    return texts_of(make_analyst()->best_moves(game_of("chomp:" + text), 100, {})->moves);
}

TEST(Chomp, TakesACellAndAllBelowAndRight) {
    const Followers results = tuple_results(4, 3);
    for (const std::size_t rows : {1u, 2u, 3u, 4u}) {
        expect_by_the_book("chomp", all_boards(rows, 3), moves_of, results);
        expect_by_the_book("chomp", all_boards(rows, rows == 2 ? 9 : 5), moves_of);
    }
    std::vector<Heap> boards;
    std::mt19937_64 random(1);
    for (int i = 0; i < 100; ++i) {
        std::vector<Number> board(4 + random() % 4);
        for (Number& row : board) row = random() % 8;
        std::ranges::sort(board, std::greater<>());
        boards.push_back(heap_with(board));
    }
    expect_by_the_book("chomp", boards, moves_of);
}

TEST(Chomp, RefusesRowsThatRise) {
    expect_refused_heaps(
        "chomp", {"(1,2)", "(4,0,1)", "(w)"},
        "a number or a tuple of row lengths that do not rise such as (4,3,1): heaps of chomp");
}

TEST(Chomp, NumbersMoreMovesThanCanBeListed) {
    const auto rules = ruleset_of("chomp");
    const Heap large = heap_of("(9223372036854775807,9223372036854775807,5)");
    EXPECT_EQ(rules->follower_count(large), kMany);
    EXPECT_EQ(rules->follower_count(Heap(kMaxNumber)), kMaxNumber - 1);
    expect_numbered(*rules, large);
    const Heap largest_counted = heap_of("(9223372036854775807,9223372036854775807,1)");
    EXPECT_EQ(rules->follower_count(largest_counted), kMany - 1);
    expect_numbered(*rules, largest_counted);
}

TEST(Chomp, TellsRowsAndColumnsNotApart) {
    const auto reduced = [](const char* text) {
        return *ruleset_of("chomp")->reduced(heap_of(text), Convention::Misere);
    };
    EXPECT_EQ(reduced("(2,2,1)"), std::vector{heap_of("(3,2)")});
    EXPECT_EQ(reduced("(3,2,0)"), std::vector{heap_of("(3,2)")});
    EXPECT_EQ(reduced("(1,1,1,1)"), std::vector{heap_of("4")});
    EXPECT_EQ(reduced("(3,3,1)"), reduced("(3,2,2)"));
    EXPECT_EQ(reduced("(9223372036854775807,3)"),
              std::vector{heap_of("(9223372036854775807,3)")});
    EXPECT_TRUE(reduced("(1,0)").empty());
    EXPECT_TRUE(reduced("(0,0)").empty());
}

// Gale, "A curious Nim-type game", 1974. Of three rows the first move of 3x4 and 3x5 is known.
TEST(Chomp, HasThePublishedAnswers) {
    EXPECT_EQ(outcome_of("(1000000000000,999999999999)"), Outcome::P);
    EXPECT_EQ(winning_moves("(1000000000000,1000000000000)"),
              std::vector<std::string>({"1=(1000000000000,999999999999)"}));
    EXPECT_EQ(winning_moves("(1000000000000,5)"), std::vector<std::string>({"1=(6,5)"}));
    EXPECT_EQ(winning_moves("(4,4,4,4)"), std::vector<std::string>({"1=(4,1,1,1)"}));
    EXPECT_EQ(winning_moves("(4,4,4)"), std::vector<std::string>({"1=(4,2,2)"}));
    EXPECT_EQ(winning_moves("(5,5,5)"), std::vector<std::string>({"1=(5,5,3)"}));
    // Of three rows the last of which has two cells, (k+2,k,2) is lost.
    EXPECT_EQ(outcome_of("(4,2,2)"), Outcome::P);
    EXPECT_EQ(outcome_of("(9,7,2)"), Outcome::P);
    EXPECT_EQ(outcome_of("(9,6,2)"), Outcome::N);
}

TEST(Chomp, FindsMovesOfAnyLargeL) {
    const auto solver = solver_of("chomp");
    const auto find = [&](const char* text, Number nimber) {
        return solver->list_followers(heap_of(text), finite(nimber), 3, Budget::spent());
    };
    using Found = std::vector<std::vector<Heap>>;
    EXPECT_EQ(find("(20000,1,1,1)", 0), Found{{heap_of("(4,1,1,1)")}});
    EXPECT_EQ(find("(20000,1,1,1)", 19996), Found{}) << "its own nimber";
    EXPECT_EQ(find("(20000,1,1,1)", 19998),
              (Found{{heap_of("(19998,1,1,1)")}, {heap_of("(20000,1,0,0)")}}));
    EXPECT_EQ(find("(9223372036854775807,1)", 7), Found{{heap_of("(7,1)")}});
    EXPECT_EQ(find("(9223372036854775807,1)", ~Number{0}), Found{});
}

// Which is the nimber of moore{3}:(9223372036854775807,9223372036854775807,1).
TEST(Chomp, HasNoMoveToTheLargestNumber) {
    const auto solver = solver_of("chomp");
    for (const Number row : {Number{1}, Number{5}, kMaxNumber}) {
        const auto tally = solver->count_followers(Heap(row), finite(~Number{0}), {});
        EXPECT_EQ(tally.count, 0u) << row;
        EXPECT_TRUE(tally.complete) << row;
    }
}

// Where no move is known: whoever moves first wins on every rectangle.
TEST(Chomp, IsWonOnRectangles) {
    EXPECT_EQ(outcome_of("(1000000000,1000000000,1000000000)"), Outcome::N);
    std::mt19937_64 choice(1);
    const Game wide = game_of("chomp:(9,9,8,8,7,6,6,4,1)");
    EXPECT_EQ(to_string(*make_analyst()->choose(wide, {}, {}, choice, {})),
              "1=(9,1,1,1,1,1,1,1,1)");
}

}  // namespace engine::test::chomp_test

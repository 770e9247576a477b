#include "engine/misere/way.hpp"
#include "engine/sums/solution.hpp"
#include "tests/agreement/play_back_oracle.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::misere_solution_test {

using misere::BorrowedTables;
using misere::find_form_way;
using misere::Part;
using test::after;
using test::game_of;
using test::PlayBackOracle;
using namespace testing;

std::string reason_of(const std::string& position) {
    const Game game = game_of(position);
    return solve_misere(game, {})->reason();
}

TEST(MisereSolution, SaysWhichWayItWent) {
    EXPECT_THAT(reason_of("lasker:5+take{1,3,4}:9+grundy:9 misere"), HasSubstr("tame"));
    EXPECT_THAT(reason_of("kayles:10000000000,25 misere"),
                HasSubstr("misere quotient of order 40"));
    EXPECT_THAT(reason_of("kayles:5+nim:1000000000000 misere"),
                HasSubstr("one size of nim heap"));
    EXPECT_THAT(reason_of("kayles:0 misere"), HasSubstr("no move"));
}

// 5 has genus 4^{146}: it loses only with a nim heap of 1.
TEST(MisereSolution, KnowsNimHeapsOfAnySizeWithWildOnes) {
    for (const auto& [position, outcome, moves] :
         {std::tuple{"kayles:5+nim:1000000000000 misere", Outcome::N, 1},
          {"kayles:5+nim:(w^2+1) misere", Outcome::N, 1},
          {"nim:99+kayles:5,2,2 misere", Outcome::N, 1},
          {"kayles:5+nim:1 misere", Outcome::P, 0}}) {
        const Game game = game_of(position);
        const auto solution = solve_misere(game, {});
        EXPECT_EQ(solution->outcome(), outcome) << position;
        const auto best = solution->best_moves(100);
        ASSERT_TRUE(best) << position;
        ASSERT_EQ(best->moves.size(), moves) << position;
        for (const Move& move : best->moves) {
            const Game next = after(game, move);
            EXPECT_EQ(solve_misere(next, {})->outcome(), Outcome::P) << position;
            EXPECT_EQ(solution->outcome_after(move, {}), Outcome::P) << position;
        }
    }
}

TEST(MisereSolution, KnowsHugeHeapsByTheLawOfTheirQuotient) {
    // From 71 on the pretending function has the period 12, so that these are alike.
    std::mt19937_64 random(12);
    for (Number heap = 80; heap < 92; heap += 3) {
        const auto position = [](Number size) {
            return "kayles:" + std::to_string(size) + ",9,4 misere";
        };
        const Game small = game_of(position(heap));
        const Game huge = game_of(position(heap + 12'000'000'000'000));
        const auto of_huge = solve_misere(huge, {});
        ASSERT_EQ(solve_misere(small, {})->outcome(), of_huge->outcome()) << heap;
        if (of_huge->outcome() != Outcome::N) continue;
        const auto move = of_huge->best_move(Choice::Random, random);
        ASSERT_TRUE(move) << heap;
        ASSERT_TRUE(huge.check(*move));
        const Game next = after(huge, *move);
        EXPECT_EQ(solve_misere(next, {})->outcome(), Outcome::P) << heap;
    }
}

TEST(MisereSolution, IsUnknownWhereTheBudgetEnds) {
    const Game game = game_of("grundy:60,59+cookie:(9,9,9,9)+hex{0.3F}:40 misere");
    const Budget spent = Budget::spent();
    const auto solution = solve_misere(game, spent);
    std::mt19937_64 random(1);
    EXPECT_EQ(solution->outcome(), Outcome::Unknown);
    EXPECT_EQ(solution->best_moves(10), std::nullopt);
    EXPECT_EQ(solution->best_move(Choice::First, random), std::nullopt);
    EXPECT_THAT(solution->reason(), HasSubstr("not solved"));
}

TEST(MisereSolution, TellsTheGenusOfHeaps) {
    const Game game = game_of("kayles:5+lasker:4+nim:1000000000000 misere");
    const auto solution = solve_misere(game, {});
    EXPECT_EQ(to_string(*solution->genus(0, {})), "4^{146}");
    EXPECT_EQ(to_string(*solution->genus(1, {})), "3^{31}");
    EXPECT_EQ(to_string(*solution->genus(2, {})),
              "1000000000000^{1000000000000,1000000000002}");
}

TEST(MisereSolution, TellsNoGenusOfInfiniteHeaps) {
    const Game game = game_of("kayles:5+nim:(w^2+1) misere");
    const auto solution = solve_misere(game, {});
    EXPECT_EQ(to_string(*solution->genus(0, {})), "4^{146}");
    EXPECT_EQ(solution->genus(1, {}), std::nullopt);
}

TEST(MisereSolution, TellsWhoWinsEachHeapAlone) {
    for (const char* text : {"kayles:1,2,9+nim:1,2 misere", "kayles:1,2,9,1000 misere",
                             "grundy:3,8,30+kayles:9+nim:1000000 misere"}) {
        const Game game = game_of(text);
        const auto solution = solve_misere(game, {});
        ASSERT_NE(solution->outcome(), Outcome::Unknown) << text;
        std::size_t number = 0;
        for (const auto& component : game.position().components) {
            for (const Heap& heap : component.heaps) {
                const Game alone =
                    game_of(component.ruleset.text + ":" + to_string(heap) + " misere");
                EXPECT_EQ(solution->heap_outcome(number++), solve_misere(alone, {})->outcome())
                    << text << ' ' << number;
            }
        }
    }
}

TEST(MisereSolution, ListsAllWinningMovesOfHugeHeaps) {
    std::size_t most = 0;
    for (const char* text : {"kayles:100009,5 misere", "kayles:100009,17,9 misere"}) {
        const Game game = game_of(text);
        const auto solution = solve_misere(game, {});
        auto moves = solution->best_moves(1'000'000);
        ASSERT_TRUE(moves) << text;
        EXPECT_EQ(solution->best_move_count(), moves->moves.size()) << text;
        std::vector<Move> expected;
        visit_moves(game, {}, [&](const Move& move) {
            if (solution->outcome_after(move, {}) == Outcome::P) expected.push_back(move);
            return true;
        });
        std::ranges::sort(moves->moves);
        std::ranges::sort(expected);
        EXPECT_TRUE(moves->moves == expected) << text;
        most = std::max(most, expected.size());
    }
    EXPECT_GT(most, 100U);
    const Game huge = game_of("kayles:9223372036854775807,12345 misere");
    EXPECT_EQ(solve_misere(huge, {})->best_move_count(), 5U);
}

// Forms may be found after the tame way had its time; the sum of many needs none.
TEST(FormWay, IsTheTameOneWhereFormsAreTame) {
    const auto way_of = [](const char* text) {
        const Game game = game_of(text);
        const Heaps heaps(game);
        BorrowedTables tables;
        std::vector<Part> parts;
        for (const auto& place : heaps.places()) {
            const auto ruleset = tables->graph().ruleset_index(text, game.ruleset(0));
            parts.push_back({place, ruleset, tables->graph().add(ruleset, *place.heap, {})});
        }
        return find_form_way(*tables, parts, {})->reason();
    };
    EXPECT_THAT(way_of("wythoff:(5,6),(3,4),(7,9) misere"), HasSubstr("all heaps are tame"));
    EXPECT_THAT(way_of("kayles:5,9,3 misere"), HasSubstr("canonical misere forms"));
}

// Without forms and quotients, for which the parts have no number.
TEST(SearchWay, AgreesWithPlay) {
    for (const char* text :
         {"wythoff:(20,28)", "wythoff:(17,27)", "wythoff:(17,28)", "wythoff:(20,21)+nim:1"}) {
        SCOPED_TRACE(text);
        const Game game = game_of(std::string(text) + " misere");
        const Heaps heaps(game);
        std::vector<Part> parts;
        for (const auto& place : heaps.places()) parts.push_back({place, 0, {}});
        const auto way = find_search_way(parts);
        ASSERT_TRUE(way);
        PlayBackOracle oracle;
        EXPECT_EQ(way->is_previous_win({}), !oracle.wins(game));
        const auto winning = *oracle.best_moves(game);
        for (const Move& move : game.moves(10000)) {
            const auto left =
                reduced(*heaps[move.heap - 1].rules, move.result, Convention::Misere);
            EXPECT_EQ(way->is_previous_win(move.heap - 1, left, {}),
                      std::ranges::find(winning, move) != winning.end())
                << to_string(move);
        }
    }
}

// The moves of all heaps that can be reached, which forms need, take more than half of the
// memory; those of the heaps that the search looks at do not.
TEST(MisereSolution, SearchesSumsWithoutForms) {
    for (const char* text : {"wythoff:(30,40)", "wythoff:(31,40)", "wythoff:(32,40)"}) {
        SCOPED_TRACE(text);
        const test::LittleMemory memory(std::size_t{1} << 21);
        const Game game = game_of(std::string(text) + " misere");
        const auto solution = solve(game, {}, Aim::Values);
        PlayBackOracle oracle;
        EXPECT_EQ(solution->outcome(), oracle.wins(game) ? Outcome::N : Outcome::P);
        const auto found = solution->best_moves(10000);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->moves, *oracle.best_moves(game));
        for (const Move& move : found->moves) {
            EXPECT_EQ(solution->outcome_after(move, {}), Outcome::P) << to_string(move);
        }
        EXPECT_THAT(solution->reason(), HasSubstr("were searched"));
        EXPECT_LE(Memory::used(), Memory::limit());
    }
}

}  // namespace engine::misere_solution_test

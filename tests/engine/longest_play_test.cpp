#include "engine/solver/longest_play.hpp"

#include <gtest/gtest.h>

#include <set>

#include "oracle.hpp"

namespace engine::test {
namespace {

TEST(LongestPlay, IsFoundInEverySmallSum) {
    std::mt19937_64 random(5);
    for (const std::string sum :
         {"nim:3,2", "nim:0,4", "take{2,3}:9", "take{2,3}:7,5", "take{3,5}:11+nim:2",
          "take{!1,3}:8+take{2}:5", "take{4-}:15+take{2,5}:6", "take{2,4,7}:1,10"}) {
        Oracle oracle;
        const Game game = game_of(sum);
        const Heaps heaps(game);
        std::size_t longest = 0;
        for (const Move& move : game.moves(1000)) {
            Game next = game;
            next.play(move);
            longest = std::max(longest, oracle.longest_play(next));
            // The loss in one heap is the loss of the sum.
            const std::size_t loss = oracle.longest_play(game) - oracle.longest_play(next);
            EXPECT_EQ(loss_of(heaps, move, {}), (Loss{{0, static_cast<std::int64_t>(loss)}}))
                << sum << ' ' << to_string(move);
        }
        for (int i = 0; i < 10; ++i) {
            Game next = game;
            next.play(*longest_move(heaps, random, {}));
            EXPECT_EQ(oracle.longest_play(next), longest) << sum;
        }
    }
}

TEST(LongestPlay, DrawsAmongHeapsThatLoseTheSame) {
    const Game game = game_of("nim:5,0,5,5");
    const Heaps heaps(game);
    std::mt19937_64 random(5);
    std::set<std::string> moves;
    for (int i = 0; i < 100; ++i) moves.insert(to_string(*longest_move(heaps, random, {})));
    EXPECT_EQ(moves, (std::set<std::string>{"1=4", "3=4", "4=4"}));
}

TEST(LongestPlay, TakesTheLeastFromOrdinals) {
    struct Case {
        const char* position;
        const char* move;
    };
    const Case cases[] = {
        {"nim:(w+3)", "1=(w+2)"},
        {"nim:(w+1)", "1=(w)"},
        {"nim:(w),1", "2=0"},
        {"nim:(w^2+5)+take{3}:2", "1=(w^2+4)"},
        {"nim:(w)", "1=9223372036854775807"},
        {"nim:(w^2),(w)", "2=9223372036854775807"},
        {"nim:(w^3*2+w^2),(w^3)", "1=(w^3*2+w*9223372036854775807)"},
    };
    std::mt19937_64 random(5);
    for (const auto& [position, move] : cases) {
        const Game game = game_of(position);
        for (int i = 0; i < 5; ++i) {
            EXPECT_EQ(to_string(*longest_move(Heaps(game), random, {})), move) << position;
        }
    }
}

TEST(Loss, IsOrderedByItsHighestPower) {
    const Loss ascending[] = {{{1, -1}},         {{0, -2}},         {},       {{0, 1}},
                              {{0, 2}},          {{1, 1}, {0, -9}}, {{1, 1}}, {{1, 1}, {0, 1}},
                              {{2, 1}, {1, -5}}, {{2, 1}}};
    for (std::size_t i = 0; i < std::size(ascending); ++i) {
        for (std::size_t j = 0; j < std::size(ascending); ++j) {
            EXPECT_EQ(is_less(ascending[i], ascending[j]), i < j) << i << ' ' << j;
        }
    }
}

}  // namespace
}  // namespace engine::test

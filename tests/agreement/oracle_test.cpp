// Tests the oracle of the other tests: against itself and against well-known facts.
#include "tests/agreement/known_rulesets.hpp"
#include "tests/agreement/play_back_oracle.hpp"

namespace engine::test::oracle_test {

TEST(PlayBackOracle, FindsTheSameByWinningMovesAndFromTheEnds) {
    std::mt19937_64 random(3);
    PlayBackOracle oracle;
    int compared = 0;
    for (int i = 0; i < 500; ++i) {
        const Game game = game_of(draw_known_sum(random, 2));
        if (game.can_repeat()) continue;
        ASSERT_EQ(oracle.outcome(game), oracle.verdict(game).outcome);
        ++compared;
    }
    EXPECT_GT(compared, 250);
}

TEST(PlayBackOracle, KnowsNim) {
    PlayBackOracle oracle;
    for (Number a = 0; a <= 5; ++a) {
        for (Number b = 0; b <= 5; ++b) {
            const std::string text = "nim:" + std::to_string(a) + ',' + std::to_string(b);
            const Game game = game_of(text);
            EXPECT_EQ(oracle.nimber(game), finite(a ^ b)) << text;
            EXPECT_EQ(oracle.longest_play(game), a + b) << text;
            EXPECT_EQ(oracle.best_moves(game)->empty(), a == b) << text;
            const bool misere_wins = a > 1 || b > 1 ? a != b : a == b;
            EXPECT_EQ(oracle.wins(game_of(text + " misere")), misere_wins) << text;
        }
    }
}

TEST(PlayBackOracle, KnowsLoops) {
    PlayBackOracle oracle;
    const auto game = [](const std::string& heaps) {
        return game_of("graph{a->b;b->c;c->d;d->a,e;e->f}:" + heaps);
    };
    EXPECT_EQ(oracle.verdict(game("d")), (Verdict{Outcome::D, 0}));
    EXPECT_EQ(oracle.verdict(game("e")), (Verdict{Outcome::N, 1}));
    EXPECT_EQ(to_string(*oracle.nimber(game("d"))), "inf{1}");
    EXPECT_EQ(sorted_texts(*oracle.best_moves(game("d,e"))), std::vector<std::string>{"1=e"});
    EXPECT_EQ(oracle.verdict(game("d,e")), (Verdict{Outcome::N, 3}));
    EXPECT_EQ(PlayBackOracle(2).outcome(game("a")), Outcome::Unknown);
}

}  // namespace engine::test::oracle_test

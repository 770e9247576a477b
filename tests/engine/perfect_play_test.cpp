// Whole games in one process: what is won is never lost.
#include <gtest/gtest.h>

#include "engine/solver/analyst.hpp"
#include "oracle.hpp"

namespace engine::test {
namespace {

std::string draw_position(std::mt19937_64& random) {
    constexpr const char* kRulesets[] = {"nim",          "take{1,3,4}", "take{2,4,7}",
                                         "take{!2}",     "take{1-5}",   "take{3-}",
                                         "take{!1,4,6}", "take{2,3,9}", "take{5,7-9}"};
    std::string sum;
    const Count components = 1 + uniform_below(random, 3);
    for (Count i = 0; i < components; ++i) {
        if (i > 0) sum += '+';
        sum += kRulesets[uniform_below(random, std::size(kRulesets))];
        const Count heaps = 1 + uniform_below(random, 2);
        for (Count j = 0; j < heaps; ++j) {
            sum += (j == 0 ? ':' : ',') + std::to_string(uniform_below(random, 25));
        }
    }
    return uniform_below(random, 2) == 0 ? sum : sum + " misere";
}

// Player 1 is perfect, player 2 random or perfect; gives the winner.
int play(Game game, bool perfect_opponent, const Style& style, std::mt19937_64& random) {
    static const auto analyst = make_analyst();
    while (game.end() == End::None) {
        const bool perfect = game.player() == 1 || perfect_opponent;
        const auto move =
            perfect ? analyst->choose(game, {}, style, random, {}) : game.random_move(random);
        EXPECT_TRUE(move && game.check(*move)) << to_string(game.position());
        if (!move) return 0;
        game.play(*move);
    }
    return *game.winner();
}

TEST(PerfectPlay, LosesNoWonPositionToRandomPlay) {
    const auto analyst = make_analyst();
    std::mt19937_64 random(1902);
    int won_positions = 0;
    for (int i = 0; i < 10000; ++i) {
        const std::string position = draw_position(random);
        const Game game = game_of(position);
        if (analyst->outcome(game, {}) != Outcome::N) continue;
        ++won_positions;
        const Style style{i % 2 == 0 ? Choice::First : Choice::Random, {}};
        ASSERT_EQ(play(game, false, style, random), 1) << position;
    }
    EXPECT_GT(won_positions, 5000);
}

TEST(PerfectPlay, LosesNoWonPositionAsSecondPlayer) {
    const auto analyst = make_analyst();
    std::mt19937_64 random(1939);
    int won_positions = 0;
    for (int i = 0; i < 10000; ++i) {
        Game game = game_of(draw_position(random));
        if (!game.has_move()) continue;
        game.play(game.random_move(random));  // by player 1, so that the perfect one is second
        if (analyst->outcome(game, {}) != Outcome::N) continue;
        ++won_positions;
        const std::string position = to_string(game.position());
        ASSERT_EQ(play(game_of(position), false, {}, random), 1) << position;
    }
    EXPECT_GT(won_positions, 5000);
}

TEST(PerfectPlay, EndsEachPairOneToOne) {
    const auto analyst = make_analyst();
    std::mt19937_64 random(1976);
    for (int i = 0; i < 2000; ++i) {
        const std::string position = draw_position(random);
        const Game game = game_of(position);
        const int expected = analyst->outcome(game, {}) == Outcome::N ? 1 : 2;
        const Style style{Choice::Random, i % 2 == 0 ? Losing::Random : Losing::Longest};
        ASSERT_EQ(play(game, true, style, random), expected) << position;
        ASSERT_EQ(play(game, true, style, random), expected) << position;
    }
}

}  // namespace
}  // namespace engine::test

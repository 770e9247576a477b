// Positions where play can come back, judged and played out: what is won is won, what is drawn
// is held.
#include <gtest/gtest.h>

#include "engine/solver/analyst.hpp"
#include "loopy_oracle.hpp"

namespace engine::test {
namespace {

// A sum of up to three heaps, one at least of a ruleset with loops.
std::string draw_position(std::mt19937_64& random) {
    constexpr const char* kRules[] = {
        "rules{n->(n*2)%7,n-1:n>0}",           // splits and loops
        "rules{n->n-1;n->n+1:n%4!=0&n!=3}",    // up and down between the ends
        "rules{n->n-1;n->n+2:n%3=1&n<6}",      // some steps up
        "rules{n->(n*3+1)%8:n>0;n->n-2:n>4}",  // along a cycle
    };
    std::string sum = random_graph_text(random, 6) + ":a";
    if (uniform_below(random, 2) == 0) sum += ",b";
    switch (uniform_below(random, 5)) {
        case 0:
            sum += "+" + random_graph_text(random, 5) + ":b";
            break;
        case 1:
            sum += "+nim:" + std::to_string(uniform_below(random, 4));
            break;
        case 2:
            sum += "+kayles:" + std::to_string(uniform_below(random, 5));
            break;
        case 3:
            sum = kRules[1 + uniform_below(random, 3)];
            sum += ":" + std::to_string(uniform_below(random, 8));
            sum += "," + std::to_string(uniform_below(random, 8));
            break;
        default:
            break;
    }
    if (uniform_below(random, 3) == 0) sum += "+take{1,3}:" + std::to_string(random() % 4);
    return uniform_below(random, 2) == 0 ? sum : sum + " misere";
}

bool can_repeat(const Game& game) {
    for (std::size_t i = 0; i < game.position().components.size(); ++i) {
        if (game.ruleset(i)->can_repeat()) return true;
    }
    return false;
}

std::vector<std::string> texts_of(const std::vector<Move>& moves) {
    std::vector<std::string> texts;
    for (const Move& move : moves) texts.push_back(to_string(move));
    std::ranges::sort(texts);
    return texts;
}

TEST(LoopyPlay, AgreesWithTheOracle) {
    const auto analyst = make_analyst();
    std::mt19937_64 random(1966);
    int draws = 0, wins = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string text = draw_position(random);
        const Game game = game_of(text);
        if (!can_repeat(game)) continue;
        const LoopyOracle oracle(game, 3000);
        if (!oracle.is_complete()) continue;
        const Outcome outcome = oracle.verdict().outcome;
        ASSERT_EQ(analyst->outcome(game, {}), outcome) << text;
        const auto best = analyst->best_moves(game, 1000, {});
        ASSERT_TRUE(best) << text;
        ASSERT_EQ(texts_of(best->moves), texts_of(oracle.best_moves())) << text;
        draws += outcome == Outcome::D;
        wins += outcome == Outcome::N;
    }
    EXPECT_GT(draws, 150);
    EXPECT_GT(wins, 200);
}

// Player 1 plays perfectly, player 2 at random or so as to put off the end. Repetition ends a
// game as a draw, as in the arena, so that a win that wanders round a cycle is none.
TEST(LoopyPlay, WinsWhatIsWonAndHoldsWhatIsDrawn) {
    const auto analyst = make_analyst();
    std::mt19937_64 random(1986);
    int wins = 0, draws = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string text = draw_position(random);
        Game game = game_of(text);
        if (!can_repeat(game)) continue;
        const Outcome outcome = analyst->outcome(game, {});
        ASSERT_NE(outcome, Outcome::Unknown) << text;
        if (outcome == Outcome::P) continue;
        const Style style{i % 2 == 0 ? Choice::First : Choice::Random, {}};
        const bool perfect_opponent = i % 3 == 0;
        while (game.end() == End::None) {
            const bool perfect = game.player() == 1 || perfect_opponent;
            const auto move = perfect ? analyst->choose(game, {}, style, random, {})
                                      : game.random_move(random);
            ASSERT_TRUE(move && game.check(*move)) << text;
            game.play(*move);
        }
        if (outcome == Outcome::N) {
            ASSERT_EQ(game.winner(), 1) << text;
            ++wins;
        } else {
            ASSERT_NE(game.winner(), 2) << text;
            ++draws;
        }
    }
    EXPECT_GT(wins, 200);
    EXPECT_GT(draws, 100);
}

TEST(LoopyPlay, SaysUnknownOfWhatHasNoEnd) {
    const auto analyst = make_analyst();
    for (const char* text : {"rules{n->n+1}:1", "rules{n->n,n+1}:3,4 misere"}) {
        const Budget budget = Budget{}.at_most(std::chrono::milliseconds(50));
        EXPECT_EQ(analyst->outcome(game_of(text), budget), Outcome::Unknown) << text;
    }
}

TEST(LoopyPlay, ClaimsAWinThatIsProvenThoughThereIsNoEnd) {
    const auto analyst = make_analyst();
    const Budget budget = Budget{}.at_most(std::chrono::seconds(2));
    for (const char* text : {"rules{n->n,n:n=1;n->0:n=1}:1", "rules{n->n+1:n>0;n->n-1}:1"}) {
        const Game game = game_of(text);
        EXPECT_EQ(analyst->outcome(game, budget), Outcome::N) << text;
    }
}

}  // namespace
}  // namespace engine::test

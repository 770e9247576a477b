#include "arena/game/decision.hpp"

#include "engine/sums/analyst.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::decision_test {

using engine::Outcome;

engine::Game game(std::string_view position) { return *engine::read_game(position); }

TEST(Decision, KnowsAMistake) {
    EXPECT_EQ(is_mistake(Outcome::P, Outcome::N), Finding::No);
    EXPECT_EQ(is_mistake(Outcome::P, Outcome::Unknown), Finding::No);
    EXPECT_EQ(is_mistake(Outcome::N, Outcome::P), Finding::No);
    EXPECT_EQ(is_mistake(Outcome::N, Outcome::D), Finding::Yes);
    EXPECT_EQ(is_mistake(Outcome::N, Outcome::N), Finding::Yes);
    EXPECT_EQ(is_mistake(Outcome::N, Outcome::Unknown), Finding::Unknown);
    EXPECT_EQ(is_mistake(Outcome::D, Outcome::D), Finding::No);
    EXPECT_EQ(is_mistake(Outcome::D, Outcome::N), Finding::Yes);
    EXPECT_EQ(is_mistake(Outcome::Unknown, Outcome::N), Finding::Unknown);
}

// Checks every move, one by one.
Finding slow_decision(const engine::Game& position, const engine::Analyst& analyst) {
    const Outcome before = analyst.outcome(position, {});
    for (const auto& move : position.moves(100000)) {
        engine::Game after = position;
        after.play(move);
        if (is_mistake(before, analyst.outcome(after, {})) == Finding::Yes) return Finding::Yes;
    }
    return Finding::No;
}

Finding quick_decision(const engine::Game& position, const engine::Analyst& analyst) {
    if (!position.has_move() || analyst.outcome(position, {}) == Outcome::P) return Finding::No;
    const auto keeping = keeping_moves(position, analyst, {});
    if (!keeping) return Finding::Unknown;
    return keeping->size() < position.move_count() ? Finding::Yes : Finding::No;
}

TEST(Decision, AgreesWithATestOfEveryMove) {
    const auto analyst = engine::make_analyst();
    int decisions = 0, others = 0;
    for (const char* ruleset : {"nim", "kayles", "take{1,3,4}", "lasker"}) {
        for (const char* convention : {"", " misere"}) {
            for (int a = 0; a < 12; ++a) {
                for (int b = 0; b <= a; ++b) {
                    const std::string text = ruleset + std::string(":") + std::to_string(a) +
                                             "," + std::to_string(b) + convention;
                    const auto position = game(text);
                    const Finding answer = quick_decision(position, *analyst);
                    EXPECT_EQ(answer, slow_decision(position, *analyst)) << text;
                    ++(answer == Finding::Yes ? decisions : others);
                }
            }
        }
    }
    EXPECT_GT(decisions, 200);
    EXPECT_GT(others, 50);
}

TEST(Decision, IsSeenAmongTooManyMovesToList) {
    const auto analyst = engine::make_analyst();
    const auto position = game("nim:1000000000000000000,3");
    EXPECT_EQ(quick_decision(position, *analyst), Finding::Yes);
    std::mt19937_64 random(1);
    const auto move = random_mistake(position, Outcome::N, *analyst, random, {});
    ASSERT_TRUE(move);
    engine::Game after = position;
    after.play(*move);
    EXPECT_EQ(analyst->outcome(after, {}), Outcome::N);
}

TEST(Decision, DrawsMistakesEvenly) {
    const StandInAnalyst analyst;
    const auto position = game("nim:3,4,5");  // only 1=1 of 12 moves wins
    std::mt19937_64 random(5);
    std::map<std::string, int> drawn;
    for (int i = 0; i < 11000; ++i) {
        ++drawn[to_string(*random_mistake(position, Outcome::N, analyst, random, {}))];
    }
    EXPECT_EQ(drawn.size(), 11u);
    EXPECT_FALSE(drawn.contains("1=1"));
    for (const auto& [move, count] : drawn) EXPECT_NEAR(count, 1000, 120) << move;
}

TEST(Decision, FindsNoMistakeWhereThereIsNone) {
    const StandInAnalyst analyst;
    std::mt19937_64 random(5);
    EXPECT_FALSE(random_mistake(game("nim:1,1,1"), Outcome::N, analyst, random, {}));
    EXPECT_FALSE(random_mistake(game("nim:2,2"), Outcome::P, analyst, random, {}));
    EXPECT_FALSE(random_mistake(game("nim:3"), Outcome::Unknown, analyst, random, {}));
}

}  // namespace arena::decision_test

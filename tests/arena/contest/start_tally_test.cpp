#include "arena/contest/start_tally.hpp"

#include "tests/arena/game_records.hpp"

namespace arena::start_tally_test {

using namespace testing;

const std::vector<std::string> kNames{"Ann", "Bob"};

// Ann meets Bob from each position, moves first in leg 1, and wins what `ann_wins` says.
StartTally tally_of(const std::vector<std::string>& positions,
                    const std::function<bool(const std::string&)>& ann_wins,
                    std::size_t most = 100) {
    StartTally tally(most);
    RoundPlan plan;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        plan.pairs.push_back(
            {{1, 1, 1, static_cast<int>(i) + 1, 1}, {0, 1}, position(positions[i])});
    }
    tally.add(plan);
    for (const PlannedPair& pair : plan.pairs) {
        const int winner = ann_wins(pair.position.text()) ? 0 : 1;
        tally.add(GameResult{{pair.key, 1}, {0, 1}, winner, Reason::NoMoves});
        tally.add(GameResult{{pair.key, 2}, {1, 0}, 1 - winner, Reason::NoMoves});
    }
    return tally;
}

TEST(StartTally, NamesEachRulesetOnceWithTheConvention) {
    const auto tally = tally_of({"nim:3,4,5", "nim:3+take{1,3}:5+nim:1 misere"},
                                [](const std::string&) { return true; });
    EXPECT_EQ(tally.positions()[0].ruleset, "nim");
    EXPECT_EQ(tally.positions()[1].ruleset, "nim+take{1,3} misere");
    EXPECT_EQ(tally.rulesets()[1].text, "nim+take{1,3} misere");
}

TEST(StartTally, AddsUpByPositionAndByRuleset) {
    const auto tally = tally_of({"nim:1,2", "nim:3 misere", "nim:3,3"},
                                [](const auto& text) { return !text.ends_with("misere"); });
    ASSERT_THAT(tally.positions(), SizeIs(3));
    ASSERT_THAT(tally.rulesets(), SizeIs(2));
    const Start& normal = tally.rulesets()[0];
    EXPECT_EQ(normal.text, "nim");
    EXPECT_EQ(normal.scores.at(0).games, 4u);
    EXPECT_EQ(normal.scores.at(0).halves, 8u);
    EXPECT_EQ(tally.rulesets()[1].scores.at(0).halves, 0u);
    EXPECT_EQ(tally.rulesets()[1].scores.at(1).wins, 2u);
}

TEST(StartTally, CountsVoidGamesForNobodyAndDrawsForBoth) {
    StartTally tally;
    RoundPlan plan;
    plan.pairs = {{{}, {0, 1}, position("nim:1")}};
    tally.add(plan);
    tally.add(GameResult{{{}, 1}, {0, 1}, std::nullopt, Reason::Void});
    tally.add(GameResult{{{}, 2}, {1, 0}, std::nullopt, Reason::Repetition});
    EXPECT_EQ(tally.positions()[0].scores.at(0).games, 1u);
    EXPECT_EQ(tally.positions()[0].scores.at(0).halves, 1u);
    EXPECT_EQ(tally.positions()[0].scores.at(1).halves, 1u);
}

TEST(StartTally, KeepsNoneOfTooManyPositions) {
    const auto always = [](const std::string&) { return true; };
    EXPECT_THAT(tally_of({"nim:1", "nim:2", "nim:3"}, always, 3).positions(), SizeIs(3));
    const auto many = tally_of({"nim:1", "nim:2", "nim:3", "nim:1"}, always, 2);
    EXPECT_THAT(many.positions(), IsEmpty());
    EXPECT_EQ(many.rulesets()[0].scores.at(0).games, 8u);
}

TEST(StartsText, ShowsRulesetsAndPositionsWhereThereAreSeveral) {
    const auto wins_normal = [](const std::string& text) { return !text.ends_with("misere"); };
    EXPECT_EQ(
        starts_text(tally_of({"nim:1,2", "nim:3 misere"}, wins_normal), {0, 1}, kNames, true),
        "points by ruleset, and of how many games:\n"
        "player nim nim misere\n"
        "Ann    2/2        0/2\n"
        "Bob    0/2        2/2");
    EXPECT_EQ(starts_text(tally_of({"nim:1,2", "nim:3"}, wins_normal), {1, 0}, kNames, true),
              "points by position, and of how many games:\n"
              "player nim:1,2 nim:3\n"
              "Bob        0/2   0/2\n"
              "Ann        2/2   2/2");
    EXPECT_EQ(starts_text(tally_of({"nim:1,2"}, wins_normal), {0, 1}, kNames, true), "");
    EXPECT_EQ(starts_text(tally_of({"nim:1,2", "nim:3"}, wins_normal), {0, 1}, kNames, false),
              "");
}

TEST(StartsText, GivesLongTextsALetter) {
    const std::string formula = "rules{n->n-k:k>=1&n%k=0&k<n}:30";
    const auto text = starts_text(
        tally_of({formula, formula + "1", formula + "2"}, [](const auto&) { return true; }),
        {0, 1}, kNames, true);
    EXPECT_THAT(text, HasSubstr("\n  A: " + formula + "\n  B: " + formula + "1\n"));
    EXPECT_THAT(text, HasSubstr("\nplayer   A   B   C\nAnn    2/2 2/2 2/2\n"));
}

}  // namespace arena::start_tally_test

#include "arena/play/theory_comparison.hpp"

#include "arena/record/open_store.hpp"
#include "tests/arena/stand_in_analyst.hpp"
#include "tests/arena/store_games.hpp"

namespace arena::theory_comparison_test {

using namespace testing;

const std::vector<std::string> kNames{"ann", "bob"};

// Odd games have ann in seat 0.
GameRecord game(int number, const std::string& start, std::vector<std::string> moves,
                std::optional<int> winner) {
    return in_match(number, game_record(start, std::move(moves), winner));
}

std::vector<Standing> in_order(const std::vector<int>& players) {
    std::vector<Standing> standings;
    for (const int player : players) standings.emplace_back().player = player;
    return standings;
}

class TruthTest : public ::testing::Test {
  protected:
    std::string text(const std::vector<GameRecord>& games,
                     const std::vector<int>& order = {0, 1},
                     Milliseconds most = std::chrono::hours(1)) const {
        TheoryComparison comparison(analyst, 2, true);
        for (const GameRecord& record : games) comparison.add(record, most, {});
        return comparison.text(kNames, in_order(order));
    }

    StandInAnalyst analyst;
};

TEST_F(TruthTest, CountsWhatTheoryAllowedByTheSeats) {
    EXPECT_EQ(text({game(1, "nim:1", {"1=0"}, 0), game(2, "nim:2", {"1=0"}, 0),
                    game(3, "nim:1,1", {"1=0", "2=0"}, 1)}),
              "player points theory   won kept draws held mistakes steals\n"
              "ann         1      1 100 % of 1          -     0.00      0\n"
              "bob         2      2 100 % of 2          -     0.00      0\n"
              "theory: points of perfect play from the same seats; won kept, draws held: moves "
              "that kept a\nwon or drawn position; mistakes: a game; steals: games won by play "
              "after having stood lost\n"
              "ann threw nothing\n"
              "bob threw nothing");
}

TEST_F(TruthTest, CallsNobodyFlawlessWhoHadNothingToThrow) {
    GameRecord none = game(1, "nim:3", {}, 0);
    none.reason = Reason::Startup;
    EXPECT_THAT(text({none}), Not(HasSubstr("threw nothing")));
}

TEST_F(TruthTest, FollowsTheOrderOfTheStandings) {
    const std::string report = text({game(1, "nim:1", {"1=0"}, 0)}, {1, 0});
    EXPECT_LT(report.find("\nbob "), report.find("\nann "));
}

TEST_F(TruthTest, SaysOfHowManyGamesItIsNotKnown) {
    analyst.knows = false;
    EXPECT_THAT(text({game(1, "nim:5,6,7", {"1=0"}, 0)}),
                HasSubstr("\ntheory: without 1 game, whose outcome is not known"));
}

TEST_F(TruthTest, SaysOfHowManyGamesNoTimeWasLeft) {
    const std::vector games{game(1, "nim:1", {"1=0"}, 0), game(2, "nim:2", {"1=0"}, 0)};
    EXPECT_THAT(text(games), Not(HasSubstr("not analysed")));
    EXPECT_THAT(text(games, {0, 1}, Milliseconds(0)),
                HasSubstr("\nwithout 2 games not analysed in the time of --analysis"));
}

TEST_F(TruthTest, ListsTheGamesThatEachPlayerThrew) {
    const std::string report =
        text({game(1, "nim:3,4,5", {"1=0", "3=4", "2=0", "3=0"}, 1),
              game(2, "nim:5", {"1=3", "1=0"}, 1), game(3, "nim:5", {"1=3", "1=1", "1=0"}, 0)});
    EXPECT_THAT(report,
                HasSubstr("\nann threw 1 of 3 games, by its first losing move from a won "
                          "position:\n"
                          "    game 1, move 1, in nim:3,4,5: 1=0 loses, 1=1 wins\n"))
        << "game 3 was won all the same";
    EXPECT_THAT(report,
                EndsWith("\nbob threw 2 of 3 games, by its first losing move from a won "
                         "position:\n"
                         "    game 2, move 1, in nim:5: 1=3 loses, 1=0 wins\n"
                         "    game 3, move 2, in nim:3: 1=1 loses, 1=0 wins"));
}

TEST_F(TruthTest, ListsTheFirstTenThrownGamesInWhateverOrderTheyCome) {
    std::vector<GameRecord> games;
    for (int i = 1; i <= 50; ++i) games.push_back(game(2 * i - 1, "nim:5", {"1=3", "1=0"}, 1));
    const std::string first = text(games);
    EXPECT_THAT(first, HasSubstr("ann threw 50 of 50 games, "));
    EXPECT_THAT(first, EndsWith("    game 19, move 1, in nim:5: 1=3 loses, 1=0 wins\n"
                                "    and 40 more\nbob threw nothing"));
    std::mt19937 random(1);
    for (int i = 0; i < 20; ++i) {
        std::ranges::shuffle(games, random);
        EXPECT_EQ(text(games), first);
    }
}

TEST_F(TruthTest, ReadsTheGamesOfAStore) {
    const auto store = make_memory_store();
    ASSERT_TRUE(store->open(kConfiguration));
    ASSERT_TRUE(store->join({{"ann", "cmd=ann", 1}, {"bob", "cmd=bob", 1}}));
    RoundPlan plan;
    plan.pairs = {{{1, 1, 1, 1, 1}, {0, 1}, position("nim:3,4,5")}};
    ASSERT_TRUE(store->plan({plan}));
    GameRecord thrown = game(1, "nim:3,4,5", {"1=0", "3=4", "2=0", "3=0"}, 1);
    thrown.task.game = 0;
    ASSERT_TRUE(store->record({thrown}));
    TheoryComparison comparison(analyst, 2, false);
    ASSERT_TRUE(comparison.read(*store, {}, {}));
    const std::string report = comparison.text(kNames, in_order({0, 1}));
    EXPECT_THAT(report, HasSubstr("mistakes steals ε"));
    EXPECT_THAT(report, HasSubstr("\nε: it plays as builtin:eps:ε does"));
    EXPECT_THAT(report, HasSubstr("    game 1.1.1.1.1.1, move 1, in nim:3,4,5: 1=0 loses, 1=1 "
                                  "wins"));
    EXPECT_THAT(report, Not(HasSubstr("not analysed yet")));
    TheoryComparison of_match(analyst, 2, true);
    ASSERT_TRUE(of_match.read(*store, {}, {}));
    EXPECT_THAT(of_match.text(kNames, in_order({0, 1})),
                HasSubstr("    game 1, move 1, in nim:3,4,5"));
    TheoryComparison of_ann(analyst, 1, false);  // as where bob has just joined
    ASSERT_TRUE(of_ann.read(*store, {}, {}));
    EXPECT_THAT(of_ann.text(kNames, in_order({0})), HasSubstr("\nann         0 "));
}

}  // namespace arena::theory_comparison_test

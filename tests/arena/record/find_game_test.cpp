#include "arena/record/store.hpp"

#include "arena/record/open_store.hpp"
#include "tests/arena/store_games.hpp"

namespace arena::find_game_test {

// Two rounds of two pairs; the second pair of round 2 is not played.
class FindGame : public ::testing::Test {
  protected:
    void begin(const Configuration& configuration) {
        ASSERT_TRUE(store->open(configuration));
        ASSERT_TRUE(store->join(four_players()));
        ASSERT_TRUE(store->plan({round_plan(1), round_plan(2)}));
        const auto claims = *store->claim(3);
        for (const Claim& claim : claims) {
            ASSERT_TRUE(store->record({finished(claim, 1), finished(claim, 2)}));
        }
    }
    // The key of the game, or the error.
    std::string find(const char* name) {
        const auto game = find_game(*store, "a.db", *parse_key_prefix(name));
        return game ? to_string(game->task.key) : game.error().text;
    }
    std::unique_ptr<Store> store = make_memory_store();
};

TEST_F(FindGame, TakesAKeyOrItsBeginning) {
    begin(kConfiguration);
    EXPECT_EQ(find("1.2.1.1.1.2"), "1.2.1.1.1.2");
    EXPECT_EQ(find("1.2.2"), "'a.db' has no game 1.2.2; nim-arena games a.db lists them");
    EXPECT_EQ(
        find("1.2"),
        "'a.db' has 2 games whose key begins with 1.2, such as 1.2.1.1.1.1: expected more "
        "of it");
    EXPECT_EQ(find("1.2.1.1.1.1"), "1.2.1.1.1.1");
    EXPECT_EQ(find("2"), "'a.db' has no game 2; nim-arena games a.db lists them");
}

TEST_F(FindGame, KnowsTheGamesOfAMatchByTheirNumbers) {
    ASSERT_TRUE(store->open({{"format", "match"}}));
    ASSERT_TRUE(store->join(four_players()));
    RoundPlan plan;
    plan.pairs = {{{1, 1, 1, 1, 1}, {0, 1}, position("nim:3,4,5")},
                  {{1, 1, 1, 2, 1}, {0, 1}, position("nim:3,4,5")}};
    ASSERT_TRUE(store->plan({plan}));
    const auto claims = *store->claim(2);
    for (const Claim& claim : claims) {
        ASSERT_TRUE(store->record({finished(claim, 1), finished(claim, 2)}));
    }
    EXPECT_EQ(find("1"), "1.1.1.1.1.1");
    EXPECT_EQ(find("4"), "1.1.1.2.1.2");
    EXPECT_EQ(find("5"), "'a.db' has no game 5; nim-arena games a.db lists them");
}

}  // namespace arena::find_game_test

#include "arena/game/game_key.hpp"

namespace arena::game_key_test {

TEST(GameKey, IsReadBackFromItsText) {
    const GameKey key{{1, 3, 12, 1, 2}, 2};
    EXPECT_EQ(to_string(key), "1.3.12.1.2.2");
    const auto read = parse_game_key("1.3.12.1.2.2");
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, key);
}

TEST(GameKey, SortsByTheSchedule) {
    EXPECT_LT((GameKey{{1, 2, 9, 9, 9}, 2}), (GameKey{{1, 3, 1, 1, 1}, 1}));
    EXPECT_LT((GameKey{{1, 1, 1, 2, 1}, 2}), (GameKey{{1, 1, 1, 2, 2}, 1}));
}

TEST(KeyPrefix, IsTheBeginningOfAKey) {
    const GameKey key{{1, 3, 12, 1, 2}, 2};
    for (const char* text : {"1", "1.3", "1.3.12.1.2.2"}) {
        const auto prefix = parse_key_prefix(text);
        ASSERT_TRUE(prefix) << text;
        EXPECT_EQ(to_string(*prefix), text);
        EXPECT_TRUE(begins_with(key, *prefix)) << text;
    }
    EXPECT_FALSE(begins_with(key, *parse_key_prefix("1.3.1")));
    for (const char* text : {"", "0", "1.", ".1", "1.1.1.1.1.3", "1.1.1.1.1.1.1", "x"}) {
        EXPECT_FALSE(parse_key_prefix(text)) << text;
    }
}

TEST(GameKey, RefusesWhatIsNoKey) {
    for (const char* text :
         {"", "1", "1.1.1.1.1", "1.1.1.1.1.3", "0.1.1.1.1.1", "1.1.1.1.1.1.1", "1.1.1.1.1.1.",
          "1.1.1.1.1.x", "99999999999.1.1.1.1.1"}) {
        const auto read = parse_game_key(text);
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(read.error().text, testing::HasSubstr("expected a game's key")) << text;
    }
}

}  // namespace arena::game_key_test

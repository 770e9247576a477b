#include "arena/contest/sprt.hpp"

namespace arena::in_order_test {

PairKey pair_at(int position) {
    PairKey key;
    key.position = position;
    return key;
}

TEST(InOrder, HoldsPairsBackUntilAllBeforeThemAreComplete) {
    InOrder<int> order;
    for (int i = 1; i <= 3; ++i) order.expect(pair_at(i));
    order.add({pair_at(2), 1}, 21);
    order.add({pair_at(2), 2}, 22);
    EXPECT_FALSE(order.next());
    order.add({pair_at(1), 2}, 12);
    EXPECT_FALSE(order.next());
    order.add({pair_at(1), 1}, 11);
    const auto first = order.next();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->key, pair_at(1));
    EXPECT_EQ(first->games, (std::array{11, 12}));
    const auto second = order.next();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->games, (std::array{21, 22}));
    EXPECT_FALSE(order.next());
}

TEST(InOrder, LeavesOutWhatCameAlreadyOrIsNotExpected) {
    InOrder<int> order;
    order.expect(pair_at(1));
    order.add({pair_at(7), 1}, 0);
    order.add({pair_at(1), 1}, 1);
    order.add({pair_at(1), 1}, 5);
    order.add({pair_at(1), 2}, 2);
    EXPECT_EQ(order.next()->games, (std::array{1, 2}));
    order.add({pair_at(1), 2}, 9);  // once more, after it was read
    EXPECT_FALSE(order.next());
}

TEST(InOrder, GivesTheSameWhateverTheOrderOfCompletion) {
    std::mt19937_64 random(2);
    std::vector<GameKey> games;
    for (int i = 1; i <= 40; ++i) {
        for (const int leg : {1, 2}) games.push_back({pair_at(i), leg});
    }
    for (int round = 0; round < 50; ++round) {
        std::ranges::shuffle(games, random);
        InOrder<int> order;
        for (int i = 1; i <= 40; ++i) order.expect(pair_at(i));
        int next = 1;
        for (const GameKey& game : games) {
            order.add(game, 10 * game.pair.position + game.leg);
            while (const auto pair = order.next()) {
                EXPECT_EQ(pair->key, pair_at(next));
                EXPECT_EQ(pair->games, (std::array{10 * next + 1, 10 * next + 2}));
                ++next;
            }
        }
        EXPECT_EQ(next, 41);
    }
}

}  // namespace arena::in_order_test

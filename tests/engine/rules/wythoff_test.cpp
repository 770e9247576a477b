#include "tests/engine/follower_listing.hpp"

namespace engine::test::wythoff_test {

using protocol::kMaxNumber;
using protocol::Tuple;

Heap pair_of(Number a, Number b) { return Heap(Tuple{{a, b}}); }

TEST(Wythoff, TakesFromOneOrAsManyFromBoth) {
    const auto rules = ruleset_of("wythoff");
    const Ruleset& wythoff = *rules;
    Followers results;
    for (Number a = 0; a <= 8; ++a) {
        for (Number b = 0; b <= 8; ++b) results.insert({pair_of(a, b)});
    }
    for (Number a = 0; a <= 7; ++a) {
        for (Number b = 0; b <= 7; ++b) {
            Followers expected;
            for (Number k = 1; k <= 7; ++k) {
                if (k <= a) expected.insert({pair_of(a - k, b)});
                if (k <= b) expected.insert({pair_of(a, b - k)});
                if (k <= a && k <= b) expected.insert({pair_of(a - k, b - k)});
            }
            expect_followers(wythoff, pair_of(a, b), expected);
            expect_allowed(wythoff, pair_of(a, b), expected, results);
        }
    }
}

TEST(Wythoff, NumbersTheMovesOfHugeHeaps) {
    const auto rules = ruleset_of("wythoff");
    const Ruleset& wythoff = *rules;
    const Heap square = pair_of(kMaxNumber, kMaxNumber);
    EXPECT_EQ(wythoff.follower_count(square), kMany);
    EXPECT_EQ(wythoff.follower(square, 2 * kMaxNumber),
              std::vector{pair_of(kMaxNumber - 1, kMaxNumber - 1)});
    EXPECT_EQ(wythoff.follower_count(pair_of(kMaxNumber, 0)), kMaxNumber);
    EXPECT_EQ(wythoff.follower_count(pair_of(kMaxNumber, 1)), kMaxNumber + 2);
    Followers seen;
    for (const Count index :
         {Count{0}, kMaxNumber - 1, kMaxNumber, 2 * kMaxNumber - 1, kMany - 1}) {
        const auto follower = wythoff.follower(square, index);
        EXPECT_TRUE(wythoff.is_follower(square, follower)) << index;
        seen.insert(follower);
    }
    EXPECT_EQ(seen.size(), 5u);
}

TEST(Wythoff, WantsPairs) {
    for (const char* text : {"5", "(1,2,3)", "(w)"}) {
        EXPECT_EQ(ruleset_of("wythoff")->check_heap(heap_of(text)).error().text,
                  "read '" + std::string(text) +
                      "', expected a pair such as (3,5): heaps of wythoff are pairs");
        EXPECT_FALSE(
            ruleset_of("wythoff")->is_follower(pair_of(5, 5), std::vector{heap_of(text)}));
    }
}

}  // namespace engine::test::wythoff_test

#include "tests/engine/follower_listing.hpp"

namespace engine::test::grundy_test {

using protocol::kMaxNumber;

TEST(Grundy, SplitsIntoUnequalHeaps) {
    const auto rules = ruleset_of("grundy");
    const Ruleset& grundy = *rules;
    const Followers results = number_results(13);
    for (Number heap = 0; heap <= 12; ++heap) {
        Followers expected;
        for (Number less = 1; less < heap; ++less) {
            if (less < heap - less) expected.insert({Heap(less), Heap(heap - less)});
        }
        expect_followers(grundy, Heap(heap), expected);
        expect_allowed(grundy, Heap(heap), expected, results);
    }
}

TEST(Grundy, NumbersTheMovesOfHugeHeaps) {
    const auto rules = ruleset_of("grundy");
    const Ruleset& grundy = *rules;
    for (const Number size : {kMaxNumber, kMaxNumber - 1}) {
        const Count count = grundy.follower_count(Heap(size));
        EXPECT_EQ(count,
                  (kMaxNumber - 1) / 2 - (size < kMaxNumber ? 1 : 0) + (size % 2 ? 0 : 0));
        for (const Count index : {Count{0}, count / 3, count - 1}) {
            EXPECT_TRUE(grundy.is_follower(Heap(size), grundy.follower(Heap(size), index)));
        }
        const auto halves = std::vector{Heap(size / 2), Heap(size - size / 2)};
        EXPECT_EQ(grundy.is_follower(Heap(size), halves), size % 2 == 1);
    }
}

TEST(Grundy, RefusesWhatIsNoNumber) {
    EXPECT_EQ(ruleset_of("grundy")->check_heap(heap_of("(1,2)")).error().text,
              "read '(1,2)', expected a number: heaps of octal games are numbers");
    EXPECT_FALSE(ruleset_of("grundy")->is_follower(
        Heap(Number{3}), std::vector{Heap(Number{1}), heap_of("(w)")}));
}

}  // namespace engine::test::grundy_test

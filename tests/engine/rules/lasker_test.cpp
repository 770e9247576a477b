#include "tests/engine/follower_listing.hpp"

namespace engine::test::lasker_test {

using protocol::kMaxNumber;

TEST(Lasker, TakesOrSplits) {
    const auto rules = ruleset_of("lasker");
    const Ruleset& lasker = *rules;
    const Followers results = number_results(13);
    for (Number heap = 0; heap <= 12; ++heap) {
        Followers expected;
        for (Number left = 0; left < heap; ++left) expected.insert({Heap(left)});
        for (Number part = 1; part <= heap - part && part < heap; ++part) {
            expected.insert({Heap(part), Heap(heap - part)});
        }
        expect_followers(lasker, Heap(heap), expected);
        expect_allowed(lasker, Heap(heap), expected, results);
    }
}

TEST(Lasker, NumbersTheMovesOfHugeHeaps) {
    const auto rules = ruleset_of("lasker");
    const Ruleset& lasker = *rules;
    const Heap heap(kMaxNumber);
    const Count count = lasker.follower_count(heap);
    EXPECT_EQ(count, kMaxNumber + kMaxNumber / 2);
    Followers seen;
    for (const Count index :
         {Count{0}, Count{kMaxNumber - 1}, Count{kMaxNumber}, count / 2, count - 1}) {
        const auto follower = lasker.follower(heap, index);
        EXPECT_TRUE(lasker.is_follower(heap, follower)) << index;
        seen.insert(follower);
    }
    EXPECT_EQ(seen.size(), 5u);
}

TEST(Lasker, RefusesWhatIsNoNumber) {
    EXPECT_EQ(ruleset_of("lasker")->check_heap(heap_of("(w)")).error().text,
              "read '(w)', expected a number: heaps of lasker are numbers");
    expect_refused({{"lasker{2}", 7, "read '{', expected lasker without parameters"}});
    EXPECT_FALSE(
        ruleset_of("lasker")->is_follower(Heap(Number{3}), std::vector{heap_of("(1,2)")}));
}

}  // namespace engine::test::lasker_test

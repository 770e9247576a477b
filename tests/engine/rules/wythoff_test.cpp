#include "tests/engine/follower_listing.hpp"

namespace engine::test::wythoff_test {

using protocol::kMaxNumber;

TEST(Wythoff, TakesFromOneOrAsManyFromBoth) {
    const auto moves_of = [](const std::vector<Number>& pair) {
        const Number a = pair[0], b = pair[1];
        Followers moves;
        for (Number k = 1; k <= std::max(a, b); ++k) {
            if (k <= a) moves.insert({heap_with({a - k, b})});
            if (k <= b) moves.insert({heap_with({a, b - k})});
            if (k <= a && k <= b) moves.insert({heap_with({a - k, b - k})});
        }
        return moves;
    };
    Followers results = results_of(heaps_with(all_tuples(2, 8)));
    results.insert({{heap_of("5")}, {heap_of("(1,2,3)")}, {heap_of("(w)")}});
    expect_by_the_book("wythoff", heaps_with(all_tuples(2, 7)), moves_of, results);
}

TEST(Wythoff, NumbersTheMovesOfHugeHeaps) {
    const auto rules = ruleset_of("wythoff");
    const Ruleset& wythoff = *rules;
    const Heap square = heap_with({kMaxNumber, kMaxNumber});
    EXPECT_EQ(wythoff.follower_count(square), kMany);
    EXPECT_EQ(wythoff.follower(square, 2 * kMaxNumber),
              std::vector{heap_with({kMaxNumber - 1, kMaxNumber - 1})});
    EXPECT_EQ(wythoff.follower_count(heap_with({kMaxNumber, 0})), kMaxNumber);
    EXPECT_EQ(wythoff.follower_count(heap_with({kMaxNumber, 1})), kMaxNumber + 2);
    expect_numbered(wythoff, square);
}

TEST(Wythoff, WantsPairs) {
    expect_refused_heaps("wythoff", {"5", "(1,2,3)", "(w)"},
                         "a pair such as (3,5): heaps of wythoff are pairs");
}

}  // namespace engine::test::wythoff_test

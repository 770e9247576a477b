#include "tests/engine/follower_listing.hpp"

namespace engine::test::grundy_test {

using protocol::kMaxNumber;

TEST(Grundy, SplitsIntoUnequalHeaps) {
    const auto moves_of = [](const std::vector<Number>& heap) {
        Followers moves;
        for (Number less = 1; 2 * less < heap[0]; ++less) {
            moves.insert({Heap(less), Heap(heap[0] - less)});
        }
        return moves;
    };
    Followers results = number_results(13);
    results.insert({Heap(Number{1}), heap_of("(w)")});
    expect_by_the_book("grundy", heaps_with(all_tuples(1, 12)), moves_of, results);
}

TEST(Grundy, NumbersTheMovesOfHugeHeaps) {
    const auto rules = ruleset_of("grundy");
    const Ruleset& grundy = *rules;
    for (const Number size : {kMaxNumber, kMaxNumber - 1}) {
        EXPECT_EQ(grundy.follower_count(Heap(size)), (size - 1) / 2);
        expect_numbered(grundy, Heap(size));
        const auto halves = std::vector{Heap(size / 2), Heap(size - size / 2)};
        EXPECT_EQ(grundy.is_follower(Heap(size), halves), size % 2 == 1);
    }
}

}  // namespace engine::test::grundy_test

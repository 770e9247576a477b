#include "tests/engine/follower_listing.hpp"

namespace engine::test::cookie_test {

// Eats each cookie and returns the different results.
Followers eat_each(const std::vector<Number>& entries) {
    Followers followers;
    for (std::size_t eaten = 0; eaten < entries.size(); ++eaten) {
        if (entries[eaten] == 0) continue;
        std::vector<Number> left = entries;
        for (Number& entry : left) entry = entry == 0 ? 0 : entry - 1;
        left[eaten] = 0;
        followers.insert({heap_with(left)});
    }
    return followers;
}

TEST(Cookie, EatsOneAndAgesTheOthers) {
    const Followers results = tuple_results(4, 3);
    for (const std::size_t length : {1u, 2u, 3u, 4u}) {
        const auto heaps = heaps_with(all_tuples(length, length == 4 ? 3 : 5));
        expect_by_the_book("cookie", heaps, eat_each, results);
    }
}

TEST(Cookie, EatsLargeOnes) {
    std::mt19937_64 random(4);
    const auto cookie = ruleset_of("cookie");
    for (int i = 0; i < 200; ++i) {
        std::vector<Number> entries(1 + random() % 31);
        for (Number& entry : entries) {
            entry = random() % 3 == 0 ? random() % 4 : random() % (protocol::kMaxNumber + 1);
        }
        expect_followers(*cookie, heap_with(entries), eat_each(entries));
    }
}

TEST(Cookie, EatsTheLargestAlone) {
    const auto cookie = ruleset_of("cookie");
    const Followers eaten{{Heap(Number{0})}};
    expect_followers(*cookie, Heap(protocol::kMaxNumber), eaten);
    expect_allowed(*cookie, Heap(protocol::kMaxNumber), eaten, number_results(7));
}

TEST(Cookie, RefusesOtherHeaps) {
    expect_refused_heaps("cookie", {"(w)"},
                         "a number or a tuple such as (1,2,4): heaps of cookie");
}

}  // namespace engine::test::cookie_test

#include <random>

#include "tests/engine/follower_listing.hpp"

namespace engine::test::cookie_test {

using protocol::Tuple;

// Eats each cookie and returns the different results.
Followers eat_each(const std::vector<Number>& entries) {
    Followers followers;
    for (std::size_t eaten = 0; eaten < entries.size(); ++eaten) {
        if (entries[eaten] == 0) continue;
        std::vector<Number> left = entries;
        for (Number& entry : left) entry = entry == 0 ? 0 : entry - 1;
        left[eaten] = 0;
        followers.insert({Heap(Tuple{left})});
    }
    return followers;
}

TEST(Cookie, EatsOneAndAgesTheOthers) {
    const auto rules = ruleset_of("cookie");
    const Ruleset& cookie = *rules;
    for (const std::size_t length : {2u, 3u, 4u}) {
        Followers results;
        const auto tuples = all_tuples(length, 3);
        for (const auto& tuple : tuples) results.insert({Heap(Tuple{tuple})});
        for (const auto& tuple : tuples) {
            const Heap heap(Tuple{tuple});
            const auto expected = eat_each(tuple);
            expect_followers(cookie, heap, expected);
            expect_allowed(cookie, heap, expected, results);
        }
    }
}

TEST(Cookie, EatsLargeOnes) {
    std::mt19937_64 random(4);
    const auto rules = ruleset_of("cookie");
    const Ruleset& cookie = *rules;
    for (int i = 0; i < 200; ++i) {
        std::vector<Number> entries(2 + random() % 30);
        for (Number& entry : entries) {
            entry = random() % 3 == 0 ? random() % 4 : random() % (protocol::kMaxNumber + 1);
        }
        expect_followers(cookie, Heap(Tuple{entries}), eat_each(entries));
    }
}

TEST(Cookie, OfOneIsANumber) {
    const auto rules = ruleset_of("cookie");
    const Ruleset& cookie = *rules;
    expect_followers(cookie, Heap(Number{0}), {});
    for (const Number heap : {Number{1}, Number{2}, Number{7}, protocol::kMaxNumber}) {
        const Followers expected{{Heap(Number{0})}};
        expect_followers(cookie, Heap(heap), expected);
        expect_allowed(cookie, Heap(heap), expected, number_results(7));
    }
}

TEST(Cookie, KeepsItsLengthAndOrder) {
    const auto follows = [](const char* from, const char* to) {
        return ruleset_of("cookie")->is_follower(heap_of(from), std::vector{heap_of(to)});
    };
    EXPECT_TRUE(follows("(1,2,4)", "(0,0,3)"));
    EXPECT_FALSE(follows("(1,2,4)", "(0,3)"));
    EXPECT_FALSE(follows("(1,2,4)", "(0,3,0)"));
    EXPECT_FALSE(follows("(1,2,4)", "3"));
    EXPECT_FALSE(follows("(1,1)", "0"));
    EXPECT_FALSE(ruleset_of("cookie")->is_follower(
        heap_of("(1,2)"), std::vector{heap_of("(0,0)"), heap_of("(0,0)")}));
    EXPECT_EQ(ruleset_of("cookie")->check_heap(heap_of("(w)")).error().text,
              "read '(w)', expected a number or a tuple such as (1,2,4): heaps of cookie");
}

}  // namespace engine::test::cookie_test

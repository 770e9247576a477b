// Heaps that are tuples, or numbers as tuples of one entry, and what their solver says of them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/entries.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test {

// All of this length with entries from 0 to `most`.
inline std::vector<std::vector<Number>> all_tuples(std::size_t length, Number most) {
    std::vector<std::vector<Number>> tuples{{}};
    for (std::size_t i = 0; i < length; ++i) {
        std::vector<std::vector<Number>> longer;
        for (const auto& tuple : tuples) {
            for (Number entry = 0; entry <= most; ++entry) {
                longer.push_back(tuple);
                longer.back().push_back(entry);
            }
        }
        tuples = std::move(longer);
    }
    return tuples;
}

// Expects the nimber of the definition, and all followers of each nimber up to it.
inline void expect_solved(const Ruleset& rules, const std::string& text, const Heap& heap,
                          Mex& mex) {
    SCOPED_TRACE(text + ':' + to_string(heap));
    const auto solver = find_solver({text}, ruleset_of(text));
    const std::uint64_t value = mex.nimber(heap);
    const auto nimber = solver->nimber(heap, {});
    ASSERT_TRUE(nimber);
    EXPECT_EQ(to_string(*nimber), std::to_string(value));
    for (std::uint64_t wanted = 0; wanted <= value + 1; ++wanted) {
        EXPECT_EQ(solver->has_nimber(heap, wanted, {}), wanted == value);
        Followers expected;
        for (Count i = 0; i < rules.follower_count(heap); ++i) {
            const auto follower = rules.follower(heap, i);
            if (mex.nimber(follower) == wanted) expected.insert(follower);
        }
        const auto found = solver->list_followers(heap, finite(wanted), 100000, {});
        EXPECT_EQ(Followers(found.begin(), found.end()), expected) << wanted;
        EXPECT_EQ(found.size(), expected.size());
        EXPECT_TRUE(solver->count_followers(heap, finite(wanted), {}).complete);
        const auto any = solver->find_follower(heap, finite(wanted), {});
        EXPECT_EQ(any.has_value(), !expected.empty()) << wanted;
        if (any) {
            EXPECT_TRUE(expected.contains(*any)) << wanted;
        }
    }
}

}  // namespace engine::test

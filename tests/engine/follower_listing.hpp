// Compares a ruleset with followers that were listed the obvious way, and nimbers with their
// definition.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/entries.hpp"
#include "engine/rules/ruleset.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/move.hpp"
#include "tests/agreement/positions.hpp"

namespace engine::test {

using Followers = std::set<std::vector<Heap>>;

inline std::string text_of(const std::vector<Heap>& heaps) {
    return to_string(protocol::Move{1, heaps});
}

// The followers as the ruleset lists them, each once, canonical and allowed by is_follower().
inline void expect_followers(const Ruleset& rules, const Heap& heap,
                             const Followers& expected) {
    SCOPED_TRACE(to_string(heap));
    Followers listed;
    const Count count = rules.follower_count(heap);
    for (Count i = 0; i < count; ++i) {
        const auto follower = rules.follower(heap, i);
        EXPECT_TRUE(listed.insert(follower).second) << text_of(follower) << " twice";
        EXPECT_TRUE(rules.is_follower(heap, follower)) << text_of(follower);
        for (const Heap& left : follower) EXPECT_TRUE(rules.check_heap(left));
    }
    EXPECT_EQ(listed, expected);
    EXPECT_EQ(rules.has_move(heap), !expected.empty());
}

// Expects that only the followers among `results` are allowed.
inline void expect_allowed(const Ruleset& rules, const Heap& heap, const Followers& expected,
                           const Followers& results) {
    for (const auto& result : results) {
        EXPECT_EQ(rules.is_follower(heap, result), expected.contains(result))
            << to_string(heap) << " to " << text_of(result);
    }
}

// All results of up to four numbers from 0 to `most`, sorted, zeros left out.
inline Followers number_results(Number most) {
    Followers results{{Heap(Number{0})}};
    Followers last{{}};
    for (int heaps = 1; heaps <= 4; ++heaps) {
        Followers longer;
        for (const auto& result : last) {
            const Number least = result.empty() ? 1 : std::get<Number>(result.back());
            for (Number size = least; size <= most; ++size) {
                auto next = result;
                next.emplace_back(size);
                longer.insert(std::move(next));
            }
        }
        results.insert(longer.begin(), longer.end());
        last = std::move(longer);
    }
    return results;
}

// Nimbers by the definition: the least that no follower has.
class Mex {
  public:
    explicit Mex(const Ruleset& rules) : rules_(rules) {}

    std::uint64_t nimber(const Heap& heap) {
        if (const auto known = memo_.find(heap); known != memo_.end()) return known->second;
        const Count count = rules_.follower_count(heap);
        std::vector<bool> seen(count + 1);
        for (Count i = 0; i < count; ++i) {
            const auto value = nimber(rules_.follower(heap, i));
            if (value < seen.size()) seen[value] = true;
        }
        const auto mex = std::ranges::find(seen, false) - seen.begin();
        return memo_[heap] = static_cast<std::uint64_t>(mex);
    }
    std::uint64_t nimber(const std::vector<Heap>& heaps) {
        std::uint64_t sum = 0;
        for (const Heap& heap : heaps) sum ^= nimber(heap);
        return sum;
    }

  private:
    const Ruleset& rules_;
    std::map<Heap, std::uint64_t> memo_;
};

// The nimbers of the heaps 0..last.
inline std::vector<Number> nimbers_by_mex(const Ruleset& rules, Number last) {
    Mex mex(rules);
    std::vector<Number> nimbers;
    for (Number heap = 0; heap <= last; ++heap) nimbers.push_back(mex.nimber(Heap(heap)));
    return nimbers;
}

// A ruleset text, the column of its error, and the error.
using BadRuleset = std::tuple<std::string, std::size_t, std::string>;

inline void expect_refused(const std::vector<BadRuleset>& cases) {
    for (const auto& [ruleset, column, text] : cases) {
        const auto found = find_ruleset({ruleset});
        ASSERT_FALSE(found) << ruleset;
        EXPECT_EQ(found.error().text, text) << ruleset;
        EXPECT_EQ(found.error().column, column) << ruleset;
    }
}

inline std::string nimber_text(const std::string& position) {
    const auto nimber = make_analyst()->nimber(game_of(position), {});
    return nimber ? to_string(*nimber) : "unknown";
}

inline Heap heap_of(std::string_view text) {
    return *protocol::parse_heap(text, protocol::HeapSyntax::Plain);
}

// ---- tuples, or numbers as tuples of one entry, and what their solver says of them ----

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

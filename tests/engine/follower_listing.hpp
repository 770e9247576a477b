// Compares a ruleset with followers that were listed the obvious way, and nimbers with their
// definition.
#pragma once

#include <ranges>
#include <tuple>
#include <type_traits>

#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/entries.hpp"
#include "engine/rules/ruleset.hpp"
#include "engine/rules/take.hpp"
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

// Expects the chosen move to leave a lost game where this one is won; returns its outcome.
inline Outcome expect_won_by_choice(const Game& game) {
    SCOPED_TRACE(to_string(game.position()));
    const auto analyst = make_analyst();
    const Outcome outcome = analyst->outcome(game, {});
    EXPECT_NE(outcome, Outcome::Unknown);
    if (outcome != Outcome::N || !game.has_move()) return outcome;
    std::mt19937_64 random(1);
    const auto move = analyst->choose(game, {}, {}, random, {});
    EXPECT_TRUE(move);
    if (move) {
        EXPECT_EQ(analyst->outcome(after(game, *move), {}), Outcome::P);
    }
    return outcome;
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

inline Heap vertex(std::string name) { return Heap(protocol::Vertex{std::move(name)}); }

inline TakeSet take_set(std::string_view text) {
    protocol::Scanner scanner(text);
    return *read_take_set(scanner);
}

inline std::shared_ptr<const HeapSolver> solver_of(const std::string& text) {
    return find_solver({text}, ruleset_of(text));
}

// Expects a ruleset to say of each of these heaps what it expected instead; `heap` reads them.
template <typename ReadHeap = decltype(heap_of)>
void expect_refused_heaps(const std::string& ruleset, const std::vector<std::string>& texts,
                          const std::string& expected, const ReadHeap& heap = heap_of) {
    const auto rules = ruleset_of(ruleset);
    for (const std::string& text : texts) {
        const auto fits = rules->check_heap(heap(text));
        ASSERT_FALSE(fits) << text;
        EXPECT_EQ(fits.error().text, "read '" + text + "', expected " + expected);
    }
}

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

inline std::vector<Heap> heaps_with(const std::vector<std::vector<Number>>& tuples) {
    std::vector<Heap> heaps;
    for (const auto& tuple : tuples) heaps.push_back(heap_with(tuple));
    return heaps;
}

// Each heap alone.
inline Followers results_of(const std::vector<Heap>& heaps) {
    Followers results;
    for (const Heap& heap : heaps) results.insert({heap});
    return results;
}

// All tuples of 1 to `longest` entries from 0 to `most`, each alone.
inline Followers tuple_results(std::size_t longest, Number most) {
    Followers results;
    for (std::size_t length = 1; length <= longest; ++length) {
        results.merge(results_of(heaps_with(all_tuples(length, most))));
    }
    return results;
}

// Expects of a solver the followers of each nimber; `nimber_of` tells that of a result.
template <typename NimberOf>
void expect_followers_by_nimber(const Ruleset& rules, const HeapSolver& solver,
                                const Heap& heap, const NimberOf& nimber_of) {
    SCOPED_TRACE(to_string(heap));
    std::map<std::uint64_t, Followers> by_nimber;
    for (Count i = 0; i < rules.follower_count(heap); ++i) {
        const auto follower = rules.follower(heap, i);
        by_nimber[nimber_of(follower)].insert(follower);
    }
    const std::uint64_t most = by_nimber.empty() ? 1 : by_nimber.rbegin()->first + 2;
    for (std::uint64_t nimber = 0; nimber <= most; ++nimber) {
        SCOPED_TRACE(nimber);
        const Followers& expected = by_nimber[nimber];
        const auto any = solver.find_follower(heap, finite(nimber), {});
        ASSERT_EQ(any.has_value(), !expected.empty());
        if (any) {
            ASSERT_TRUE(expected.contains(*any));
        }
        const auto tally = solver.count_followers(heap, finite(nimber), {});
        ASSERT_TRUE(tally.complete);
        ASSERT_EQ(tally.count, expected.size());
        const auto listed =
            solver.list_followers(heap, finite(nimber), expected.size() + 1, {});
        ASSERT_EQ(listed.size(), expected.size());
        ASSERT_EQ(Followers(listed.begin(), listed.end()), expected);
        for (Count i = 0; i < listed.size(); i += 1 + listed.size() / 16) {
            ASSERT_EQ(solver.follower(heap, finite(nimber), i, {}), listed[i]);
        }
    }
}

// Expects the nimber of the definition, and all followers of each nimber.
inline void expect_solved(const Ruleset& rules, const HeapSolver& solver, const Heap& heap,
                          Mex& mex) {
    const std::uint64_t value = mex.nimber(heap);
    const auto nimber = solver.nimber(heap, {});  // first: what is known answers the others
    ASSERT_TRUE(nimber) << to_string(heap);
    EXPECT_EQ(to_string(*nimber), std::to_string(value)) << to_string(heap);
    for (std::uint64_t other = 0; other <= value + 1; ++other) {
        EXPECT_EQ(solver.has_nimber(heap, other, {}), other == value) << to_string(heap);
    }
    expect_followers_by_nimber(rules, solver, heap,
                               [&](const auto& result) { return mex.nimber(result); });
}

// Checks a ruleset on these heaps: it lists the moves that `moves_of` reads from its rules, and
// allows only them among `results` and two heaps in place of one; and it is solved.
template <typename Moves>
void expect_by_the_book(const std::string& text, const std::vector<Heap>& heaps,
                        const Moves& moves_of, const Followers& results = {}) {
    SCOPED_TRACE(text);
    const auto rules = ruleset_of(text);
    const auto solver = solver_of(text);
    Mex mex(*rules);
    // The large ones first, so that their followers are not known yet.
    for (const Heap& heap : heaps | std::views::reverse) {
        Followers expected;
        if constexpr (std::is_invocable_v<const Moves&, const Heap&>) {
            expected = moves_of(heap);
        } else {
            expected = moves_of(entry_list(heap));
        }
        expect_followers(*rules, heap, expected);
        Followers twice;
        for (const auto& one : expected) twice.insert({one.front(), one.front()});
        expect_allowed(*rules, heap, expected, twice);
        expect_allowed(*rules, heap, expected, results);
        expect_solved(*rules, *solver, heap, mex);
        if (::testing::Test::HasFailure()) FAIL() << to_string(heap);
    }
}

// Of moves that may be too many to list: the first, the last and some others are different and
// allowed.
inline void expect_numbered(const Ruleset& rules, const Heap& heap) {
    SCOPED_TRACE(to_string(heap));
    const Count count = rules.follower_count(heap);
    EXPECT_EQ(rules.has_move(heap), count > 0);
    std::mt19937_64 random(2);
    std::set<Count> indices;
    for (Count i = 0; i < std::min<Count>(count, 50); ++i) {
        indices.insert({i, count - 1 - i, random() % count});
    }
    Followers seen;
    for (const Count index : indices) {
        const auto follower = rules.follower(heap, index);
        EXPECT_TRUE(rules.is_follower(heap, follower)) << index << ' ' << text_of(follower);
        EXPECT_TRUE(std::ranges::is_sorted(follower));
        seen.insert(follower);
    }
    EXPECT_EQ(seen.size(), indices.size());
}

}  // namespace engine::test

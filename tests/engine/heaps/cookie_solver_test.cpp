#include "engine/heaps/solvers.hpp"

#include "engine/heaps/nimber_search.hpp"
#include "engine/heaps/search_games.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test::cookie_solver_test {

using Sizes = std::vector<std::uint32_t>;

// By the definition, of any ascending sizes.
std::uint64_t nimber_by_mex(const Sizes& sizes) {
    static std::map<Sizes, std::uint64_t> memo;
    if (const auto known = memo.find(sizes); known != memo.end()) return known->second;
    std::vector<bool> seen(sizes.size() + 1);
    for (std::size_t eaten = 0; eaten < sizes.size(); ++eaten) {
        Sizes rest;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (i != eaten && sizes[i] > 1) rest.push_back(sizes[i] - 1);
        }
        seen[nimber_by_mex(rest)] = true;
    }
    const auto mex = std::ranges::find(seen, false) - seen.begin();
    return memo[sizes] = static_cast<std::uint64_t>(mex);
}

// Calls `visit` with all ascending sizes of up to `count` cookies, from `least` to `most`.
template <typename Visit>
void visit_sizes(Sizes& sizes, std::size_t count, std::uint32_t least, std::uint32_t most,
                 const Visit& visit) {
    visit(std::as_const(sizes));
    if (count == 0) return;
    for (std::uint32_t size = least; size <= most; ++size) {
        sizes.push_back(size);
        visit_sizes(sizes, count - 1, size, most, visit);
        sizes.pop_back();
    }
}

Heap heap_of(const Sizes& sizes) { return Heap(protocol::Tuple{{sizes.begin(), sizes.end()}}); }

const HeapSolver& solver() {
    static const auto instance = make_cookie_solver(*find_ruleset({"cookie"}));
    return *instance;
}

Sizes staircase(std::uint32_t from, std::uint32_t to) {
    Sizes sizes(to - from + 1);
    std::iota(sizes.begin(), sizes.end(), from);
    return sizes;
}

TEST(CookieSolver, KnowsTheNimberOfEverySmallPosition) {
    Sizes sizes;
    visit_sizes(sizes, 7, 1, 9, [](const Sizes& all) {
        const auto nimber = nimber_by_mex(all);
        ASSERT_EQ(solver().nimber(heap_of(all), {}), finite(nimber));
    });
    EXPECT_EQ(solver().nimber(Heap(Number{0}), {}), finite(0));
    EXPECT_EQ(solver().nimber(Heap(Number{5}), {}), finite(1));
}

TEST(CookieSolver, ReducesToLatticePathsThatAreWordsOrBytes) {
    Sizes sizes;
    visit_sizes(sizes, 6, 1, 8, [](const Sizes& all) {
        Sizes reduced = all;
        reduce_cookies(reduced);
        for (std::size_t i = 0; i < reduced.size(); ++i) {
            ASSERT_GE(reduced[i], i + 1);
            ASSERT_LE(reduced[i], reduced.size());
        }
        ASSERT_EQ(nimber_by_mex(reduced), nimber_by_mex(all));
        Sizes decoded;
        ShortCookieCode::decode(ShortCookieCode::encode(reduced), decoded);
        ASSERT_EQ(decoded, reduced);
        LongCookieCode::decode(LongCookieCode::encode(reduced), decoded);
        ASSERT_EQ(decoded, reduced);
    });
    Sizes longest(ShortCookieCode::kMaxCookies, ShortCookieCode::kMaxCookies);
    Sizes decoded;
    ShortCookieCode::decode(ShortCookieCode::encode(longest), decoded);
    EXPECT_EQ(decoded, longest);
}

// How many of the Catalan(n) reduced positions of n cookies the player to move loses (Ullman
// and Propp 1992).
TEST(CookieSolver, CountsTheLostReducedPositions) {
    constexpr std::array<int, 11> kLost{0, 1, 2, 4, 19, 42, 180, 557, 1947, 7023, 24094};
    const NimberSearch<CookieGame<ShortCookieCode>> search{{}};
    for (std::uint32_t n = 1; n <= kLost.size(); ++n) {
        int lost = 0;
        Sizes sizes;
        const auto count = [&](auto&& self) -> void {
            if (sizes.size() == n) {
                Sizes reduced = sizes;
                reduce_cookies(reduced);  // where all are n, play is counted out
                if (*search.has_nimber(ShortCookieCode::encode(reduced), 0, {})) ++lost;
                return;
            }
            const auto k = static_cast<std::uint32_t>(sizes.size() + 1);
            for (auto size = std::max(k, sizes.empty() ? 1 : sizes.back()); size <= n; ++size) {
                sizes.push_back(size);
                self(self);
                sizes.pop_back();
            }
        };
        count(count);
        EXPECT_EQ(lost, kLost[n - 1]) << n;
    }
}

// One cookie of each size 1..n (Ullman and Propp): lost where n is a multiple of 3; else won
// by eating 1..2(n-1)/3, or 2(n+1)/3..n.
TEST(CookieSolver, WinsStaircases) {
    for (std::uint32_t n = 1; n <= 20; ++n) {
        const Heap heap = heap_of(staircase(1, n));
        EXPECT_EQ(solver().has_nimber(heap, 0, {}), n % 3 == 0) << n;
        std::vector<std::uint32_t> winning;
        for (std::uint32_t size = 1; size <= n; ++size) {
            const bool low = n % 3 == 1 && (n == 1 || size <= 2 * (n - 1) / 3);
            const bool high = n % 3 == 2 && size >= 2 * (n + 1) / 3;
            if (low || high) winning.push_back(size);
        }
        std::vector<std::uint32_t> found;
        for (const auto& follower : solver().list_followers(heap, finite(0), 100, {})) {
            const auto& left = std::get<protocol::Tuple>(follower.front()).entries;
            for (std::uint32_t size = 1; size <= n; ++size) {
                if (left[size - 1] == 0 && (size > 1 || n == 1)) found.push_back(size);
            }
            // Whether a 1 is eaten or goes stale makes no difference.
            if (std::ranges::count(left, Number{0}) == 1 && n > 1) found.push_back(1);
        }
        std::ranges::sort(found);
        EXPECT_EQ(found, winning) << n;
    }
}

TEST(CookieSolver, FindsTheFollowersOfEachNimber) {
    const auto rules = ruleset_of("cookie");
    const auto nimber_of = [](const std::vector<Heap>& result) {
        Sizes sizes;
        for (const Number entry : entries_of(result.front())) {
            if (entry > 0) sizes.push_back(static_cast<std::uint32_t>(entry));
        }
        std::ranges::sort(sizes);
        return nimber_by_mex(sizes);
    };
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        std::vector<Number> entries(2 + random() % 6);
        for (Number& entry : entries) entry = random() % 9;
        const Heap heap = heap_with(entries);
        expect_followers_by_nimber(*rules, solver(), heap, nimber_of);
        std::vector<std::vector<Heap>> zeros;  // in the order of the moves
        for (Count j = 0; j < rules->follower_count(heap); ++j) {
            const auto follower = rules->follower(heap, j);
            if (nimber_of(follower) == 0) zeros.push_back(follower);
        }
        EXPECT_EQ(solver().list_followers(heap, finite(0), 100, {}), zeros);
    }
}

TEST(CookieSolver, CountsHugeCookiesOut) {
    constexpr Number kHuge = protocol::kMaxNumber;
    const Heap three(protocol::Tuple{{kHuge, kHuge - 1, 0, kHuge}});
    EXPECT_EQ(solver().nimber(three, {}), finite(1));
    EXPECT_EQ(solver().list_followers(three, finite(0), 10, {}).size(), 3u);
    const Heap many(protocol::Tuple{std::vector<Number>(100000, kHuge)});
    EXPECT_EQ(solver().nimber(many, {}), finite(0));
}

TEST(CookieSolver, SolvesMoreThanAWordHolds) {
    // 40 cookies of which the small ones cannot all be eaten in time.
    const Heap heap = heap_of(staircase(1, 12));
    Sizes with_large = staircase(1, 12);
    EXPECT_EQ(solver().nimber(heap, {}), finite(0));
    with_large.insert(with_large.end(), 30, 42);
    const Heap large = heap_of(with_large);
    const auto nimber = solver().nimber(large, {});
    ASSERT_TRUE(nimber.has_value());
    EXPECT_EQ(solver().has_nimber(large, std::get<std::uint64_t>(*nimber), {}), true);
    EXPECT_EQ(solver().has_nimber(large, std::get<std::uint64_t>(*nimber) + 1, {}), false);
}

TEST(CookieSolver, AnswersUnknownInTime) {
    std::vector<Number> entries(3000);
    std::mt19937_64 random(9);
    for (Number& entry : entries) entry = 1 + random() % 6000;
    const Heap heap(protocol::Tuple{entries});
    const Budget spent = Budget::spent();
    EXPECT_EQ(solver().nimber(heap, spent), std::nullopt);
    EXPECT_FALSE(solver().count_followers(heap, finite(0), spent).complete);
    EXPECT_EQ(solver().find_follower(heap, finite(0), spent), std::nullopt);
    // With many cookies, the solver gives up before it lists the moves; small heaps are known.
    const auto fresh = make_cookie_solver(*find_ruleset({"cookie"}));
    EXPECT_EQ(fresh->nimber(heap_of({5, 5, 6, 7, 8, 9, 10, 11, 12}), spent), std::nullopt);
    EXPECT_EQ(fresh->nimber(heap_of({2, 3}), spent), finite(nimber_by_mex({2, 3})));
}

}  // namespace engine::test::cookie_solver_test

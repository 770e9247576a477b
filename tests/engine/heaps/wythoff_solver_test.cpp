#include "engine/heaps/solvers.hpp"

#include "engine/heaps/wythoff_table.hpp"
#include "tests/engine/follower_listing.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::test::wythoff_solver_test {

using Table = std::vector<std::vector<std::uint64_t>>;

// By the definition.
Table table_by_mex(std::size_t size) {
    Table table(size, std::vector<std::uint64_t>(size));
    for (std::size_t a = 0; a < size; ++a) {
        for (std::size_t b = 0; b < size; ++b) {
            std::vector<bool> seen(a + b + 1);
            for (std::size_t k = 1; k <= a; ++k) seen[table[a - k][b]] = true;
            for (std::size_t k = 1; k <= b; ++k) seen[table[a][b - k]] = true;
            for (std::size_t k = 1; k <= std::min(a, b); ++k) seen[table[a - k][b - k]] = true;
            table[a][b] =
                static_cast<std::uint64_t>(std::ranges::find(seen, false) - seen.begin());
        }
    }
    return table;
}

TEST(WythoffTable, AgreesWithTheDefinition) {
    const Table expected = table_by_mex(150);
    for (const Number rows : {1, 2, 5, 31, 64, 150}) {
        WythoffTable table(rows);
        ASSERT_TRUE(table.extend(150, {}));
        for (Number a = 0; a < rows; ++a) {
            for (Number b = a; b < 150; ++b) ASSERT_EQ(table.nimber(a, b), expected[a][b]);
        }
    }
}

// The beginning of Wythoff's table as published (OEIS A004481).
TEST(WythoffTable, AgreesWithThePublishedOne) {
    constexpr std::array<std::array<std::uint64_t, 8>, 5> kPublished{
        {{0, 1, 2, 3, 4, 5, 6, 7},
         {1, 2, 0, 4, 5, 3, 7, 8},
         {2, 0, 1, 5, 3, 4, 8, 6},
         {3, 4, 5, 6, 2, 0, 1, 9},
         {4, 5, 3, 2, 7, 6, 9, 0}}};
    const auto solver = make_wythoff_solver();
    for (Number a = 0; a < kPublished.size(); ++a) {
        for (Number b = 0; b < 8; ++b) {
            EXPECT_EQ(solver->nimber(heap_with({a, b}), {}), finite(kPublished[a][b]));
        }
    }
}

TEST(WythoffTable, ResumesWhereItsTimeEndedAndKeepsFarColumns) {
    WythoffTable whole(40);
    ASSERT_TRUE(whole.extend(20000, {}));
    WythoffTable halting(40);
    int calls = 0;
    for (bool done = false; !done; ++calls) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(300);
        done = halting.extend(20000, Budget{deadline, {}});
    }
    EXPECT_GT(calls, 1);
    for (Number a = 0; a < 40; ++a) {
        std::set<std::uint64_t> row;
        for (Number b = a; b < 20000; ++b) {
            const auto nimber = whole.nimber(a, b);
            ASSERT_EQ(nimber, halting.nimber(a, b));
            ASSERT_LE(nimber, a + b);
            ASSERT_LE(b, nimber + 2 * a);
            ASSERT_TRUE(row.insert(nimber).second) << "twice in a row";
        }
    }
}

TEST(WythoffTable, StaysWithinMemory) {
    const LittleMemory memory(3000000);
    WythoffTable table(500);
    EXPECT_FALSE(table.extend(100000, {}));
    EXPECT_GT(table.columns(), 500u);
    EXPECT_LE(Memory::used(), Memory::limit());
}

TEST(WythoffPairs, AreTheZerosOfTheTable) {
    const Table expected = table_by_mex(150);
    for (Number a = 0; a < 150; ++a) {
        for (Number b = 0; b < 150; ++b) {
            EXPECT_EQ(expected[a][b] == 0, wythoff_partner(a) == b) << a << ',' << b;
        }
    }
}

// A_k is the least number not used before, its partner k more.
TEST(WythoffPairs, FollowTheRecurrence) {
    std::vector<bool> used(40000);
    Number least = 0;
    for (Number k = 0; least + k < used.size(); ++k) {
        EXPECT_EQ(wythoff_smaller(k), least);
        EXPECT_EQ(wythoff_partner(least), least + k);
        EXPECT_EQ(wythoff_partner(least + k), least);
        used[least] = used[least + k] = true;
        while (used[least]) ++least;
    }
}

TEST(WythoffPairs, AreExactUpToTheLargestHeaps) {
    constexpr Number kMax = protocol::kMaxNumber;
    __extension__ using Wide = unsigned __int128;
    std::mt19937_64 random(1);
    for (int round = 0; round < 20000; ++round) {
        const Number x = round == 0 ? kMax + 1 : random() % kMax;
        const Number k = floor_over_phi(x);
        // k * phi <= x < (k + 1) * phi, as k^2 + kx <= x^2.
        EXPECT_LE(Wide{k} * k + Wide{k} * x, Wide{x} * x);
        EXPECT_GT(Wide{k + 1} * (k + 1) + Wide{k + 1} * x, Wide{x} * x);
        const Number n = random() % kMax;
        const Number partner = wythoff_partner(n);
        if (partner <= kMax) {
            EXPECT_EQ(wythoff_partner(partner), n);
        }
        const Number gap = partner > n ? partner - n : n - partner;
        EXPECT_EQ(wythoff_smaller(gap), std::min(n, partner));
    }
}

TEST(WythoffSolver, KnowsTheFollowersOfEachNimber) {
    const Table expected = table_by_mex(40);
    const auto rules = ruleset_of("wythoff");
    const auto solver = make_wythoff_solver();
    for (Number a = 0; a < 28; ++a) {
        for (Number b = 0; b < 40; ++b) {
            EXPECT_EQ(solver->nimber(heap_with({a, b}), {}), finite(expected[a][b]));
            for (std::uint64_t value = 0; value < a + b + 3; ++value) {
                EXPECT_EQ(solver->has_nimber(heap_with({a, b}), value, {}),
                          expected[a][b] == value);
            }
            expect_followers_by_nimber(*rules, *solver, heap_with({a, b}),
                                       [&](const std::vector<Heap>& result) {
                                           const auto to = entries_of(result.front());
                                           return expected[to[0]][to[1]];
                                       });
        }
    }
}

TEST(WythoffSolver, WinsHugeHeapsByFormula) {
    constexpr Number kHuge = 1000000000000000000;
    const auto solver = make_wythoff_solver();
    const auto rules = *find_ruleset({"wythoff"});
    const Heap heap = heap_with({kHuge, kHuge + 12345});
    EXPECT_EQ(solver->has_nimber(heap, 0, {}), false);
    const auto winning = solver->list_followers(heap, finite(0), 10, {});
    EXPECT_EQ(winning.size(), 2u);
    for (const auto& move : winning) {
        EXPECT_TRUE(rules->is_follower(heap, move));
        EXPECT_EQ(solver->nimber(move.front(), {}), finite(0));
    }
    const Heap lost =
        heap_with({wythoff_smaller(kHuge / 4) + kHuge / 4, wythoff_smaller(kHuge / 4)});
    EXPECT_EQ(solver->nimber(lost, {}), finite(0));
    EXPECT_EQ(solver->count_followers(lost, finite(0), {}).count, 0u);
    EXPECT_EQ(solver->has_nimber(lost, 1, {}), false);
}

TEST(WythoffSolver, KnowsSmallNimbersNextToAHugeHeap) {
    constexpr Number kHuge = 1000000000000000000;
    const auto solver = make_wythoff_solver();
    const auto rules = *find_ruleset({"wythoff"});
    const Heap heap = heap_with({kHuge, 7});
    EXPECT_EQ(solver->nimber(heap, {}), std::nullopt);
    EXPECT_EQ(solver->has_nimber(heap, 1000, {}), false);
    for (std::uint64_t value = 1; value < 40; ++value) {
        const auto listed = solver->list_followers(heap, finite(value), 10, {});
        ASSERT_EQ(listed.size(), 1u) << "each value is in row 7 some day";
        EXPECT_TRUE(solver->count_followers(heap, finite(value), {}).complete);
        EXPECT_TRUE(rules->is_follower(heap, listed.front()));
        EXPECT_EQ(solver->nimber(listed.front().front(), {}), finite(value));
    }
    EXPECT_EQ(solver->nimber(heap_with({0, kHuge}), {}), finite(kHuge));
}

// Looking at each cell below would never end.
TEST(WythoffSolver, LooksForAHugeNimberOnlyWhereItCanBe) {
    constexpr Number kHuge = 1000000000000000000;
    const auto solver = make_wythoff_solver();
    for (const Heap& heap :
         {heap_with({kHuge, kHuge}), heap_with({kHuge, kHuge + 9}), heap_with({9, kHuge})}) {
        const auto tally = solver->count_followers(heap, finite(kHuge / 1000), {});
        EXPECT_EQ(tally.count, 0u);
        EXPECT_FALSE(tally.complete);
    }
}

}  // namespace engine::test::wythoff_solver_test

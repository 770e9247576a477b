#include "engine/heaps/solvers.hpp"

#include "engine/heaps/break_moves.hpp"
#include "engine/heaps/nimber_sequence.hpp"
#include "engine/heaps/octal_sweep.hpp"
#include "engine/rules/octal.hpp"
#include "tests/engine/follower_listing.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::test::octal_solver_test {

using protocol::kMaxNumber;

Number value_of(const HeapSolver& solver, Number heap) {
    const auto value = solver.nimber(Heap(heap), {});
    if (!value) throw std::runtime_error("unknown nimber of " + std::to_string(heap));
    return std::get<std::uint64_t>(*value);
}

Number value_of(const HeapSolver& solver, const std::vector<Heap>& heaps) {
    Number sum = 0;
    for (const Heap& heap : heaps) sum ^= value_of(solver, std::get<Number>(heap));
    return sum;
}

void expect_followers_by_nimber(const std::string& text, Number heap) {
    SCOPED_TRACE(text);
    const auto solver = solver_of(text);
    test::expect_followers_by_nimber(
        *ruleset_of(text), *solver, Heap(heap),
        [&](const std::vector<Heap>& result) { return value_of(*solver, result); });
}

std::string pick_code(std::mt19937_64& random, bool hex) {
    std::string code = hex ? "hex{" : "octal{";
    code += hex ? "048C"[uniform_below(random, 4)] : "04"[uniform_below(random, 2)];
    code += '.';
    const Count places = 1 + uniform_below(random, 5);
    for (Count j = 0; j < places; ++j) {
        code += "0123456789ABCDEF"[uniform_below(random, hex ? 16 : 8)];
    }
    code += "3}";
    return code;
}

TEST(OctalSolver, ProvesThePublishedPeriods) {
    struct Case {
        const char* ruleset;
        Law law;
    };
    // Winning Ways, chapter 4, tables 6 and 7.
    const Case cases[] = {
        {"kayles", {71, 12, 0}},           {"dawson-kayles", {53, 34, 0}},
        {"octal{0.156}", {3479, 349, 0}},  {"octal{0.56}", {326640, 144, 0}},
        {"octal{0.165}", {5181, 1550, 0}}, {"octal{0.644}", {3256, 442, 0}},
    };
    for (const auto& [ruleset, expected] : cases) {
        const auto law = solver_of(ruleset)->law(1 << 20, {});
        ASSERT_TRUE(law) << ruleset;
        EXPECT_EQ(law->law.preperiod, expected.preperiod) << ruleset;
        EXPECT_EQ(law->law.period, expected.period) << ruleset;
        EXPECT_EQ(law->law.saltus, 0u);
    }
}

TEST(OctalSolver, ClaimsOnlyWhatTheTheoremGives) {
    // 2 * 71 + 2 * 12 + 2: all heaps below that.
    const auto kayles = solver_of("kayles");
    EXPECT_EQ(kayles->law(1 << 20, {})->heaps, 168u);
    EXPECT_TRUE(kayles->law(168, {}));
    EXPECT_FALSE(kayles->law(167, {}));
    EXPECT_FALSE(solver_of("grundy")->law(1 << 16, {}));
    EXPECT_FALSE(solver_of("officers")->law(1 << 15, {}));
}

TEST(OctalSolver, UsesLawsInLaterQueries) {
    // A law that is proven early must hold far beyond.
    std::mt19937_64 random(3);
    int proven = 0;
    for (int i = 0; i < 200; ++i) {
        const bool hex = i % 4 == 0;
        const std::string text = pick_code(random, hex);
        SCOPED_TRACE(text);
        const auto solver = solver_of(text);
        const auto law = solver->law(hex ? 400 : 1200, {});
        if (!law) continue;
        ++proven;
        const auto octal = std::dynamic_pointer_cast<const Octal>(ruleset_of(text));
        OctalSweep sweep(BreakMoves::of_digits(octal->code().digits()), false);
        const std::size_t last = hex ? 600 : 3000;
        ASSERT_TRUE(sweep.extend(last, std::size_t{1} << 40));
        for (std::size_t heap = 0; heap < last; ++heap) {
            ASSERT_EQ(value_of(*solver, heap), (*sweep.values())[heap]) << heap;
        }
        const auto& [from, period, saltus, rising] = law->law;
        if (from > 0) {
            EXPECT_NE((*sweep.values())[from - 1], (*sweep.values())[from - 1 + period]);
        }
        for (std::size_t less = 1; less < period; ++less) {  // no smaller period will do
            bool holds = true;
            for (std::size_t heap = from; holds && heap + less < last; ++heap) {
                holds = (*sweep.values())[heap] == (*sweep.values())[heap + less];
            }
            EXPECT_FALSE(holds) << less;
        }
    }
    EXPECT_GT(proven, 50);
}

TEST(OctalSolver, AnswersHugeHeapsAtOnce) {
    const auto kayles = solver_of("kayles");
    EXPECT_EQ(value_of(*kayles, kMaxNumber), value_of(*kayles, 72 + (kMaxNumber - 72) % 12));
    // 2^63 - 1 = 7 modulo 12: all splits of it by last numbers, one in twelve each.
    const auto tally = kayles->count_followers(Heap(kMaxNumber), finite(0), {});
    EXPECT_TRUE(tally.complete);
    const auto last = kayles->follower(Heap(kMaxNumber), finite(0), tally.count - 1, {});
    ASSERT_EQ(last.size(), 2u);
    EXPECT_EQ(value_of(*kayles, last), 0u);
    EXPECT_TRUE(ruleset_of("kayles")->is_follower(Heap(kMaxNumber), last));
    EXPECT_EQ(kayles->list_followers(Heap(kMaxNumber), finite(0), 50, {}).size(), 50u);
}

TEST(OctalSolver, FindsFollowersByNimberOnSmallHeaps) {
    std::mt19937_64 random(4);
    for (int i = 0; i < 60; ++i) {
        const std::string text = pick_code(random, i % 2 == 0);
        for (Number heap = 0; heap < 40; ++heap) expect_followers_by_nimber(text, heap);
    }
    for (Number heap = 0; heap < 100; ++heap) expect_followers_by_nimber("grundy", heap);
}

TEST(OctalSolver, FindsFollowersByResidueAsByListing) {
    for (const char* text : {"kayles", "dawson-kayles", "octal{0.17}", "octal{4.7}",
                             "octal{0.3}", "octal{0.12}", "octal{0.45}"}) {
        ASSERT_TRUE(solver_of(text)->law(1 << 14, {})) << text;
        for (const Number heap : {168u, 169u, 1000u, 5000u}) {
            expect_followers_by_nimber(text, heap);
        }
    }
    int proven = 0;
    for (const char* text : {"hex{0.9}", "hex{0.8}", "hex{0.F}", "hex{0.B}", "hex{0.D}",
                             "hex{0.1A}", "hex{0.1B}", "hex{0.89}", "hex{8.1}", "hex{0.03F}",
                             "hex{0.7F}", "hex{C.3}", "hex{0.A}", "hex{0.08}"}) {
        if (!solver_of(text)->law(1500, {})) continue;
        ++proven;
        for (const Number heap : {90u, 131u, 200u}) expect_followers_by_nimber(text, heap);
    }
    EXPECT_GT(proven, 3);
}

TEST(OctalSolver, FindsWhatIsKnownBeyondItsTable) {
    const auto officers = make_octal_solver(BreakMoves::of_digits({0, 6}));
    const Budget spent = Budget::spent();
    constexpr Number kFar = 1000000000;
    EXPECT_EQ(officers->nimber(Heap(kFar), spent), std::nullopt);
    const auto tally = officers->count_followers(Heap(kFar), finite(3), {});
    EXPECT_EQ(tally.count, 0u);
    EXPECT_FALSE(tally.complete);

    // Heaps below 200 are known: the splits of 300 into two of them.
    const NimberSequence table = octal_sequence(BreakMoves::of_digits({0, 6}));
    table.value(199, {});
    const auto known = KnownNimbers::make(table.known()->values(), 200, std::nullopt, false);
    std::set<std::vector<Heap>> found;
    EXPECT_FALSE(visit_families(BreakMoves::of_digits({0, 6}), *known, 300, 3, {},
                                [&](const auto& family) {
                                    EXPECT_EQ(family.size(), 1u);
                                    found.insert(family.at(0));
                                    return true;
                                }));
    std::set<std::vector<Heap>> expected;
    for (Number low = 100; low <= 149; ++low) {
        if (((*known)[low] ^ (*known)[299 - low]) == 3) {
            expected.insert({Heap(low), Heap(299 - low)});
        }
    }
    EXPECT_EQ(found, expected);
    EXPECT_FALSE(expected.empty());
}

TEST(OctalSolver, StopsWithTheBudgetAndResumesLater) {
    const auto grundy = make_octal_solver(BreakMoves::of_digits({4}, true));
    const Budget spent = Budget::spent();
    EXPECT_EQ(grundy->nimber(Heap(Number{20000}), spent), std::nullopt);
    EXPECT_TRUE(grundy->nimber(Heap(Number{20000}), {}));
    EXPECT_TRUE(grundy->nimber(Heap(Number{20000}), spent));
}

TEST(OctalSequence, IsSharedByThreads) {
    const NimberSequence table = octal_sequence(BreakMoves::of_digits({0, 6}));
    const NimberSequence alone = octal_sequence(BreakMoves::of_digits({0, 6}));
    alone.value(30000, {});
    std::vector<std::jthread> threads;
    for (Number thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            for (Number heap = thread; heap < 30000; heap += 97) {
                ASSERT_EQ(table.value(heap, {}), alone.value(heap, {})) << heap;
            }
        });
    }
}

// Its lengths grow by a quarter: 976 and 1220 are two of them.
TEST(OctalSequence, ReachesTheLastHeapThatItMay) {
    const NimberSequence table = octal_sequence(BreakMoves::of_digits({0, 6}));
    EXPECT_EQ(table.value(1000, {}, 1000), std::nullopt);
    EXPECT_TRUE(table.value(999, {}, 1000));
    EXPECT_EQ(table.known()->size(), 1000u);
}

TEST(OctalSequence, EndsWhereMemoryIsShort) {
    const NimberSequence table = octal_sequence(BreakMoves::of_digits({0, 6}));
    const LittleMemory memory(100000);
    EXPECT_EQ(table.value(10000000, {}), std::nullopt);
    const std::size_t size = table.known()->size();
    EXPECT_GT(size, 1000u);
    EXPECT_LT(size, 100000u);
    EXPECT_TRUE(table.value(size - 1, {}));
}

TEST(OctalSequence, GoesOnOnceThereIsMemory) {
    constexpr Number kHeaps = 40000;
    const NimberSequence expected = octal_sequence(BreakMoves::of_digits({0, 6}));
    ASSERT_TRUE(expected.value(kHeaps, {}));
    for (const std::size_t room : {0, 10000, 30000}) {
        auto memory = std::make_unique<LittleMemory>(room);
        const NimberSequence table = octal_sequence(BreakMoves::of_digits({0, 6}));
        ASSERT_EQ(table.value(kHeaps, {}), std::nullopt) << room;
        memory.reset();
        ASSERT_TRUE(table.value(kHeaps, {})) << room;
        for (Number heap = 0; heap <= kHeaps; ++heap) {
            ASSERT_EQ((*table.known())[heap], (*expected.known())[heap]) << heap;
        }
    }
}

TEST(FollowerFamily, CountsTriplesByRows) {
    FollowerFamily family;
    family.heaps = 3;
    family.total = 100;
    family.least = 2;
    family.first = 3;
    family.step = 5;
    family.count = 8;  // then 5, then 2
    family.row_step = 10;
    ASSERT_EQ(family.size(), 15u);
    EXPECT_EQ(family.at(7),
              (std::vector<Heap>{Heap(Number{2}), Heap(Number{38}), Heap(Number{60})}));
    EXPECT_EQ(family.at(8),
              (std::vector<Heap>{Heap(Number{12}), Heap(Number{13}), Heap(Number{75})}));
    EXPECT_EQ(family.at(14),
              (std::vector<Heap>{Heap(Number{22}), Heap(Number{28}), Heap(Number{50})}));
    family.count = kMany / 2;
    EXPECT_EQ(family.size(), kMany);
}

}  // namespace engine::test::octal_solver_test

#include "engine/heaps/subtraction_table.hpp"

#include "engine/heaps/solvers.hpp"
#include "tests/engine/follower_listing.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::test::subtraction_table_test {

// The mex of the options of each heap.
std::vector<Number> nimbers_of(const TakeSet& set, std::size_t heaps) {
    std::vector<Number> nimbers;
    std::vector<bool> seen;
    for (Number heap = 0; heap < heaps; ++heap) {
        seen.assign(heap + 1, false);
        for (const Interval& item : set.intervals()) {
            for (Number s = item.first; s <= std::min(item.last, heap); ++s) {
                seen[nimbers[heap - s]] = true;
            }
        }
        nimbers.push_back(static_cast<Number>(std::ranges::find(seen, false) - seen.begin()));
    }
    return nimbers;
}

// Sets of every number of members up to twenty, with and without 1, and of more.
std::vector<std::string> some_sets() {
    std::vector<std::string> sets{"1",        "2",     "64",       "63",    "8",
                                  "9",        "1-70",  "5-90",     "1,3,4", "3-70,100-170",
                                  "!2,3,5,7", "2,4,7", "1,64,128", "1-"};
    std::mt19937_64 random(11);
    for (std::size_t members = 1; members <= 70; members += members < 20 ? 1 : 25) {
        for (const bool has_one : {false, true}) {
            std::string set = has_one ? "1" : std::to_string(2 + uniform_below(random, 70));
            for (std::size_t i = 1; i < members; ++i) {
                set += ',' + std::to_string(2 + uniform_below(random, 6 * members + 60));
            }
            sets.push_back(set);
        }
    }
    return sets;
}

TEST(SubtractionSweep, AgreesWithTheDefinition) {
    for (const std::string& text : some_sets()) {
        const auto expected = nimbers_of(take_set(text), 700);
        SubtractionSweep sweep(take_set(text));
        std::mt19937_64 random(3);
        while (sweep.size() < 700) {  // in steps of any length
            const std::size_t end =
                std::min<std::size_t>(700, sweep.size() + 1 + uniform_below(random, 200));
            ASSERT_TRUE(sweep.extend(end, SIZE_MAX));
        }
        for (std::size_t heap = 0; heap < 700; ++heap) {
            ASSERT_EQ((*sweep.values())[heap], expected[heap]) << text << " heap " << heap;
        }
    }
}

TEST(SubtractionSweep, WidensItsNumbers) {
    const TakeSet set = take_set("1-");
    SubtractionSweep sweep(set);
    ASSERT_TRUE(sweep.extend(200, SIZE_MAX));
    EXPECT_EQ(sweep.values()->width(), NimberArray::Width::Byte);
    ASSERT_TRUE(sweep.extend(1000, SIZE_MAX));
    EXPECT_EQ(sweep.values()->width(), NimberArray::Width::Short);
    ASSERT_TRUE(sweep.extend(70000, SIZE_MAX));
    EXPECT_EQ(sweep.values()->width(), NimberArray::Width::Word);
    for (std::size_t heap = 0; heap < 70000; ++heap) ASSERT_EQ((*sweep.values())[heap], heap);
}

TEST(SubtractionSweep, GoesOnOnceThereIsMemory) {
    // Its nimbers are those of the heaps modulo 301, of two bytes from 256 on.
    SubtractionSweep sweep(take_set("1-300"));
    {
        const LittleMemory memory(7000);  // for them and for 1024 counts, not for wider ones
        EXPECT_FALSE(sweep.extend(1000, SIZE_MAX));
        EXPECT_FALSE(sweep.extend(1000, SIZE_MAX));
        EXPECT_EQ(sweep.size(), 256u);
    }
    ASSERT_TRUE(sweep.extend(1000, SIZE_MAX));
    for (std::size_t heap = 0; heap < 1000; ++heap) {
        ASSERT_EQ((*sweep.values())[heap], heap % 301) << heap;
    }
}

TEST(OutcomeSweep, AgreesWithTheNimbers) {
    for (const std::string& text : some_sets()) {
        if (!OutcomeSweep::serves(take_set(text))) continue;
        const auto nimbers = nimbers_of(take_set(text), 700);
        OutcomeSweep sweep(take_set(text));
        for (const std::size_t end : {1, 70, 300, 700}) {
            ASSERT_TRUE(sweep.reserve(end));
            sweep.extend(end);
        }
        for (std::size_t heap = 0; heap < 700; ++heap) {
            ASSERT_EQ(sweep.is_p_position(heap), nimbers[heap] == 0) << text << " " << heap;
        }
    }
    EXPECT_FALSE(OutcomeSweep::serves(take_set("1-300")));
    EXPECT_FALSE(OutcomeSweep::serves(take_set("5-")));
}

// The members are so large that no law is found, so outcomes are computed one by one.
TEST(TakeSolver, KnowsOutcomesBeyondItsNimbers) {
    const TakeSet set = take_set("1000003,3000017,5000011");
    const auto solver = make_take_solver(set);
    SubtractionSweep sweep(set);
    constexpr std::size_t kHeaps = 30000000;
    ASSERT_TRUE(sweep.extend(kHeaps, SIZE_MAX));
    std::mt19937_64 random(4);
    for (int i = 0; i < 2000; ++i) {
        const Number heap = uniform_below(random, kHeaps);
        for (const Number nimber : {0, 1, 2, 3}) {
            const bool has = (*sweep.values())[heap] == nimber;
            ASSERT_EQ(solver->has_nimber(Heap(heap), nimber, {}), has) << heap << " " << nimber;
        }
    }
}

TEST(TakeSolver, FindsMovesThatOutcomesTell) {
    const LittleMemory memory(std::size_t{1} << 23);
    const std::vector<Number> members{1000003, 3000017, 5000011};
    const auto solver = make_take_solver(take_set("1000003,3000017,5000011"));
    std::vector<bool> is_p;
    for (Number heap = 0; heap < 9000000; ++heap) {
        is_p.push_back(std::ranges::none_of(
            members, [&](Number member) { return member <= heap && is_p[heap - member]; }));
    }
    const auto has = [&](Number heap, Number nimber) {  // of 0 and 1
        return nimber == 0 ? is_p[heap] : heap >= members[0] && is_p[heap - members[0]];
    };
    ASSERT_FALSE(solver->nimber(Heap(Number{8000000}), {})) << "it is beyond the table";
    std::mt19937_64 random(5);
    for (int i = 0; i < 1000; ++i) {
        const Number heap = uniform_below(random, is_p.size());
        for (const Number nimber : {0, 1}) {
            std::vector<std::vector<Heap>> expected;
            for (const Number member : {members[2], members[1], members[0]}) {
                if (member > heap || !has(heap - member, nimber)) continue;
                expected.push_back({Heap(heap - member)});
            }
            ASSERT_EQ(solver->list_followers(Heap(heap), finite(nimber), 3, {}), expected)
                << heap << " to " << nimber;
        }
    }
}

TEST(TakeSolver, MakesNoLongPartOfItsSetWithoutTime) {
    std::string text = "2,7";
    for (Number i = 0; i < 2000; ++i) text += ',' + std::to_string(8'384'000 + 2 * i);
    const auto solver = make_take_solver(take_set(text));
    const Heap heap(Number{8'387'001});  // just below where the table grows
    const Budget spent = Budget::spent();
    EXPECT_EQ(solver->nimber(heap, spent), std::nullopt);
    EXPECT_EQ(solver->has_nimber(heap, 0, spent), std::nullopt);
    EXPECT_FALSE(solver->count_followers(heap, finite(0), spent).complete);
    const auto nimber = solver->nimber(heap, {});
    ASSERT_TRUE(nimber);
    EXPECT_EQ(solver->nimber(heap, spent), nimber);
}

TEST(OutcomeTable, KeepsToBudgetAndMemory) {
    const OutcomeTable table(take_set("1000003,3000017"));
    const Budget spent = Budget::spent();
    EXPECT_EQ(table.is_p_position(5, spent), std::nullopt);
    EXPECT_EQ(table.is_p_position(protocol::kMaxNumber, {}), std::nullopt);
    EXPECT_EQ(table.is_p_position(5, {}), true);
}

// A table that finds no law takes one byte per heap for a small set, and ends with memory.
TEST(SubtractionTable, HoldsAByteAHeap) {
    const std::size_t before = Memory::used();
    {
        const SubtractionTable table(take_set("3,5,1000000000000"));
        ASSERT_TRUE(table.value(1000000, {}));
        EXPECT_EQ(Memory::used() - before, std::size_t{1} << 20);
    }
    EXPECT_EQ(Memory::used(), before);
}

TEST(SubtractionTable, CountsNoHeapsOfTheLargestNumber) {
    const SubtractionTable table(take_set("1-70,90"));
    ASSERT_TRUE(table.occurrences());
    EXPECT_EQ(table.count_below(500, ~Number{0}), 0u) << "before it has any";
    ASSERT_TRUE(table.value(500, {}));
    EXPECT_EQ(table.count_below(500, ~Number{0}), 0u);
}

TEST(SubtractionTable, GoesNoFartherThanMemory) {
    const SubtractionTable table(take_set("1000003,3000017,5000011"));
    {
        const LittleMemory memory(std::size_t{1} << 20);
        EXPECT_EQ(table.value(100, {}), 0U);
        EXPECT_EQ(table.value(9000000, {}), std::nullopt);
        EXPECT_EQ(table.law(9000000, {}), std::nullopt);
        EXPECT_LE(Memory::used(), Memory::limit());
    }
    EXPECT_EQ(table.value(9000000, {}), 0U) << "now there is room";
}

}  // namespace engine::test::subtraction_table_test

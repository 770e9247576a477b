#include "engine/heaps/take_values.hpp"
#include "engine/heaps/subtraction_table.hpp"
#include "tests/agreement/positions.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test::take_values_test {

using protocol::kMaxNumber;

std::vector<Number> by_mex(const std::string& set, Number last) {
    return nimbers_by_mex(*ruleset_of("take{" + set + "}"), last);
}

// The values of heaps 0..last, their counts and their places, against the definition.
void expect_by_definition(const std::string& text, const TakeValues& values, Number last) {
    SCOPED_TRACE(text);
    const auto expected = by_mex(text, last);
    std::vector<std::vector<Number>> heaps(last + 2);
    for (Number heap = 0; heap <= last; ++heap) {
        ASSERT_EQ(values.value(heap, {}), expected[heap]) << "heap " << heap;
        heaps[expected[heap]].push_back(heap);
    }
    const Occurrences* all = values.occurrences();
    if (all == nullptr) return;
    for (Number value = 0; value < heaps.size(); ++value) {
        for (Count i = 0; i < heaps[value].size(); ++i) {
            ASSERT_EQ(all->heap_with(value, i), heaps[value][i]) << value << " " << i;
        }
        for (Number end = 0; end <= last; ++end) {
            const auto below = std::ranges::lower_bound(heaps[value], end);
            ASSERT_EQ(all->count_below(end, value), Count(below - heaps[value].begin()))
                << "value " << value << " below " << end;
        }
    }
}

std::string pick_set(std::mt19937_64& random, Number largest) {
    std::string text;
    if (uniform_below(random, 3) == 0) text += '!';
    const Count items = 1 + uniform_below(random, 5);
    for (Count i = 0; i < items; ++i) {
        if (i > 0) text += ',';
        const Number first = 1 + uniform_below(random, largest);
        text += std::to_string(first);
        const Count form = uniform_below(random, 8);
        if (form == 0 && text.front() != '!') text += '-';
        if (form == 1) text += '-' + std::to_string(first + uniform_below(random, 5));
    }
    return text;
}

TEST(ClosedForms, HoldForEverySmallInterval) {
    for (Number first = 1; first <= 9; ++first) {
        for (Number last = first; last <= 14; ++last) {
            const std::string text = std::to_string(first) + '-' + std::to_string(last);
            const auto values = closed_form(take_set(text));
            ASSERT_NE(values, nullptr);
            expect_by_definition(text, *values, 90);
        }
        const std::string open = std::to_string(first) + '-';
        expect_by_definition(open, *closed_form(take_set(open)), 60);
    }
}

TEST(ClosedForms, HoldForEverySmallPair) {
    for (Number first = 1; first <= 12; ++first) {
        for (Number second = first + 1; second <= 30; ++second) {
            const std::string text = std::to_string(first) + ',' + std::to_string(second);
            const auto values = closed_form(take_set(text));
            ASSERT_NE(values, nullptr);
            expect_by_definition(text, *values, 100);
        }
    }
}

TEST(ClosedForms, HoldForEverySingleGap) {
    for (Number gap = 1; gap <= 20; ++gap) {
        const std::string text = '!' + std::to_string(gap);
        const auto values = closed_form(take_set(text));
        ASSERT_NE(values, nullptr);
        expect_by_definition(text, *values, 130);
    }
}

TEST(ClosedForms, HoldWhereMembersAreAddedToAnInterval) {
    for (const char* text : {"1,3,5,9", "1-3,5-7,9", "2,6,10,14", "1,2,4,8,16,32,64",
                             "3-5,11-13,19", "2-3,7,12-13", "1,101"}) {
        const auto values = closed_form(take_set(text));
        ASSERT_NE(values, nullptr) << text;
        expect_by_definition(text, *values, 150);
    }
}

TEST(ClosedForms, AreNotClaimedForOthers) {
    for (const char* text : {"1,3,4", "1-3,7-9", "1-2,5-", "2,3,6", "!1,5", "2-3,9", "1-3,8"}) {
        EXPECT_EQ(closed_form(take_set(text)), nullptr) << text;
    }
}

TEST(ClosedForms, ReachTheLargestNumbers) {
    const auto value = [](const std::string& set, Number heap) {
        return make_take_values(take_set(set))->value(heap, {});
    };
    EXPECT_EQ(value("1-1000000000000", kMaxNumber), kMaxNumber % 1000000000001);
    EXPECT_EQ(value("5-9223372036854775807", kMaxNumber), kMaxNumber / 5);
    EXPECT_EQ(value("9223372036854775807", kMaxNumber), 1u);
    EXPECT_EQ(value("1-9223372036854775807", kMaxNumber), kMaxNumber);
    EXPECT_EQ(value("!9223372036854775807", kMaxNumber), 0u);
    EXPECT_EQ(value("!4611686018427387904", kMaxNumber), kMaxNumber - 4611686018427387904);
    EXPECT_EQ(value("9223372036854775806,9223372036854775807", kMaxNumber), 1u);
    // {1, 5*10^11} doubled: period 5*10^11 + 1, 0 and 1 in turn, then one 2.
    EXPECT_EQ(value("2,1000000000000", 1000000000000), 2u);
    EXPECT_EQ(value("2,1000000000000", 1000000000001), 2u);
    EXPECT_EQ(value("2,1000000000000", 1000000000002), 0u);
}

// Against the definition: no smaller period, and no other saltus.
TEST(ClosedForms, TellTheirLaws) {
    for (const char* text : {"1-3", "2-7", "4", "3-", "5-", "1-", "1,3,5,9", "1,4", "3,7",
                             "2,9", "!1", "!4", "!7", "2,10,16", "6,15", "4,8"}) {
        const auto proven = make_take_values(take_set(text))->law(1000, {});
        ASSERT_TRUE(proven) << text;
        const Law law = proven->law;
        EXPECT_EQ(law.preperiod, 0u);
        const auto expected = by_mex(text, 200);
        const auto holds = [&](Number period, Number saltus) {
            for (Number heap = 0; heap + period < expected.size(); ++heap) {
                if (expected[heap + period] != expected[heap] + saltus) return false;
            }
            return true;
        };
        EXPECT_TRUE(holds(law.period, law.saltus)) << text;
        for (Number period = 1; period < law.period; ++period) {
            EXPECT_FALSE(holds(period, expected[period] - expected[0])) << text;
        }
    }
    EXPECT_EQ(make_take_values(take_set("2,9223372036854775804"))->law(1000, {}),
              (ProvenLaw{{0, kMaxNumber - 1, 0}, "formula", 0}));
}

TEST(ScaledValues, DivideHeapsByTheCommonFactor) {
    for (const char* text : {"2,6,8", "3,9,12", "10,20,50", "4,8", "6,10,14,22"}) {
        expect_by_definition(text, *make_take_values(take_set(text)), 200);
    }
}

TEST(SubtractionTable, AgreesWithTheDefinition) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 400; ++i) {
        const std::string text = pick_set(random, 12);
        expect_by_definition(text, SubtractionTable(take_set(text)), 60);
    }
}

TEST(SubtractionTable, UsesItsLawInLaterQueries) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 30; ++i) {
        const std::string text = pick_set(random, 9);
        SCOPED_TRACE(text);
        const SubtractionTable table(take_set(text));
        const auto proven = table.law(kMaxNumber, {});
        ASSERT_TRUE(proven);
        const Law law = proven->law;
        constexpr Number kLast = 600;  // far beyond the first period
        const auto expected = by_mex(text, kLast);
        std::vector<Number> heaps;
        for (Number heap = 0; heap <= kLast; ++heap) {
            ASSERT_EQ(table.value(heap, {}), expected[heap]) << heap;
            if (expected[heap] == expected[kLast]) heaps.push_back(heap);
        }
        const bool is_listed = table.occurrences() != nullptr;
        for (Count j = 0; is_listed && j < heaps.size(); ++j) {
            ASSERT_EQ(table.heap_with(expected[kLast], j), heaps[j]);
            ASSERT_EQ(table.count_below(heaps[j], expected[kLast]), j);
        }
        if (law.preperiod > 0) {  // there is no law from an earlier heap on
            const Number heap = law.preperiod - 1;
            EXPECT_NE(expected[heap] + law.saltus, expected[heap + law.period]);
        }
    }
}

// Listing all heaps of a nimber anew for each of them would take an hour.
TEST(SubtractionTable, FindsEachOfManyHeapsByItsLaw) {
    constexpr Number kOpen = 400001;  // G(n) = 2 * floor(n / (kOpen + 1)) + n mod 2
    const SubtractionTable table(take_set("1,400001-"));
    ASSERT_TRUE(table.law(kMaxNumber, {}));
    for (const Number value : {0, 7, 1000000}) {
        const Number first = value / 2 * (kOpen + 1) + value % 2;
        EXPECT_EQ(table.count_below(kMaxNumber, value), (kOpen + 1) / 2);
        for (Count i = 0; i < (kOpen + 1) / 2; ++i) {
            ASSERT_EQ(table.heap_with(value, i), first + 2 * i);
        }
    }
}

TEST(SubtractionTable, ProvesThePublishedPeriods) {
    struct Case {
        const char* set;
        Law law;
    };
    const Case cases[] = {
        {"1,3,4", {0, 7, 0}},  {"2,4,7", {8, 3, 0}},    {"1,9,10", {0, 19, 0}},
        {"1,2", {0, 3, 0}},    {"3,5", {0, 8, 0}},      {"2,3,5", {0, 7, 0}},
        {"1,2,3", {0, 4, 0}},  {"!1,2", {0, 3, 1}},     {"!4", {0, 8, 4}},
        {"2,5,7", {0, 22, 0}}, {"!2,3,5,7", {2, 0, 0}}, {"!1,2,5,6,7", {5, 0, 0}},
    };
    for (const auto& [set, expected] : cases) {
        const auto proven = SubtractionTable(take_set(set)).law(kMaxNumber, {});
        ASSERT_TRUE(proven) << set;
        const Law law = proven->law;
        EXPECT_EQ(law.preperiod, expected.preperiod) << set;
        if (expected.period == 0) continue;  // only the pre-period is published
        EXPECT_EQ(law.period, expected.period) << set;
        EXPECT_EQ(law.saltus, expected.saltus) << set;
    }
}

TEST(SubtractionTable, SaysWhatItDoesNotKnow) {
    const SubtractionTable table(take_set("3,5,1000000000000"));
    EXPECT_EQ(table.value(21, {}), 1u);
    EXPECT_EQ(table.value(2000000000000, {}), std::nullopt);
    EXPECT_EQ(table.law(kMaxNumber, {}), std::nullopt);
}

TEST(SubtractionTable, StopsWithTheBudgetAndResumesLater) {
    const SubtractionTable table(take_set("3,5,1000000000000"));
    const Budget spent = Budget::spent();
    EXPECT_EQ(table.value(4000000, spent), std::nullopt);
    EXPECT_EQ(table.value(4000000, {}), 4000000 % 8 / 3);  // as for {3,5}: 0 0 0 1 1 1 2 2
}

TEST(SubtractionTable, IsSharedByThreads) {
    const SubtractionTable table(take_set("7,23,1000000007"));
    const SubtractionTable alone(take_set("7,23"));
    std::vector<std::jthread> threads;
    for (Number thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            for (Number heap = thread; heap < 300000; heap += 997) {
                ASSERT_EQ(table.value(heap, {}), alone.value(heap, {})) << heap;
            }
        });
    }
}

}  // namespace engine::test::take_values_test

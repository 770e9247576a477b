#include "engine/base/recurrence.hpp"

#include "engine/rules/game.hpp"

namespace engine::test::recurrence_test {

using Values = std::vector<Number>;

// Not a multiple of a window, so that it pauses anywhere.
std::vector<std::size_t> periods(const Values& values, std::size_t window,
                                 std::size_t steps = 7) {
    Recurrence search(values.size(), window);
    std::vector<std::size_t> found;
    for (;;) {
        while (!search.advance(steps, [&](std::size_t i) { return values[i]; })) {
        }
        if (search.period() == 0) return found;
        found.push_back(search.period());
    }
}

std::vector<std::size_t> periods_by_definition(const Values& values, std::size_t window) {
    std::vector<std::size_t> found;
    for (std::size_t period = 1; period + window <= values.size(); ++period) {
        bool holds = true;
        for (std::size_t i = values.size() - window; i < values.size(); ++i) {
            holds = holds && values[i] == values[i - period];
        }
        if (holds) found.push_back(period);
    }
    return found;
}

// Some values, then a period repeated, with a few that do not fit.
Values draw_values(std::mt19937_64& random) {
    Values values(random() % 10);
    for (auto& value : values) value = random() % 3;
    Values period(1 + random() % 8);
    for (auto& value : period) value = random() % 3;
    for (std::size_t i = 0; i < 40; ++i) values.push_back(period[i % period.size()]);
    for (std::size_t i = random() % 3; i > 0; --i) values[random() % values.size()] ^= 1;
    return values;
}

TEST(Recurrence, FindsEachPeriodFromTheLeastOn) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 2000; ++i) {
        const Values values = draw_values(random);
        const std::size_t window = 1 + random() % values.size();
        EXPECT_EQ(periods(values, window), periods_by_definition(values, window));
        EXPECT_EQ(periods(values, window, SIZE_MAX), periods(values, window, 1));
    }
}

TEST(Recurrence, FindsNoneInFewerItemsThanTheWindow) {
    EXPECT_TRUE(periods({}, 1).empty());
    EXPECT_TRUE(periods({5}, 1).empty());
    EXPECT_TRUE(periods({5, 5}, 3).empty());
}

// The window is at least the one of Guy and Smith, whatever the period.
TEST(WindowToProve, IsTheLastPartOfWhatTheTheoremComparesHeapsTo) {
    for (const Number parts : {1, 2, 3}) {
        for (const Number reach : {1, 2, 7}) {
            for (std::size_t size = 1; size < 60; ++size) {
                const std::size_t window = window_to_prove(size, parts, reach);
                for (Number period = 1; period < size; ++period) {
                    for (Number first = 1; first + period < size; ++first) {
                        const bool proves =
                            heaps_to_prove({first, period, 0}, parts, reach) <= size;
                        EXPECT_EQ(proves, size - period - first >= window)
                            << parts << ' ' << reach << ' ' << size;
                    }
                }
            }
        }
    }
}

Values digits(const std::string& text) {
    Values values;
    for (const char digit : text) values.push_back(static_cast<Number>(digit - '0'));
    return values;
}

// Does a sequence keep a law of this period from `begin` on, by the definition?
std::optional<Law> law_from(const Values& values, std::size_t begin, std::size_t period) {
    std::map<Number, std::set<std::int64_t>> rises;  // of each residue
    std::set<std::int64_t> all;
    for (std::size_t heap = begin; heap + period < values.size(); ++heap) {
        const auto rise = static_cast<std::int64_t>(values[heap + period] - values[heap]);
        rises[heap % period].insert(rise);
        all.insert(rise);
    }
    for (const auto& [residue, of_residue] : rises) {
        if (of_residue.size() > 1) return std::nullopt;
    }
    if (all.size() > 2 || *all.begin() < 0) return std::nullopt;
    if (all.size() == 2 && *all.begin() != 0) return std::nullopt;
    Law law{begin, period, static_cast<Number>(*all.rbegin())};
    if (law.saltus == 0) return law;
    if (all.size() < 2) return law;
    for (const auto& [residue, of_residue] : rises) {
        if (*of_residue.begin() > 0) law.rising.push_back(residue);
    }
    return law;
}

std::optional<Law> classify_slowly(const Values& values) {
    const std::size_t size = values.size();
    for (std::size_t period = 1; period < size; ++period) {
        for (std::size_t begin = 0; begin + 3 * period <= size && 2 * begin <= size; ++begin) {
            if (auto law = law_from(values, begin, period)) return law;
        }
    }
    return std::nullopt;
}

TEST(Classify, KnowsTheTextbookSequences) {
    struct Case {
        const char* digits;
        Law law;
    };
    const Case cases[] = {
        {"1231451671", {0, 3, 2, {1, 2}}},
        {"1123123123", {1, 3, 0}},
        {"1122334455", {0, 2, 1}},
        {"0123252729", {1, 2, 2, {1}}},
        {"0120120120", {0, 3, 0}},
        {"1112233445", {1, 2, 1}},
        {"000", {0, 1, 0}},
        {"0123", {0, 1, 1}},
    };
    for (const auto& [text, law] : cases) {
        EXPECT_EQ(classify(digits(text)), law) << text;
    }
}

TEST(Classify, DemandsThreePeriodsAndHalfOfTheSequence) {
    EXPECT_EQ(classify(digits("01201201")), std::nullopt) << "two periods and two thirds";
    EXPECT_EQ(classify(digits("012012012")), (Law{0, 3, 0}));
    EXPECT_EQ(classify(digits("31415777")), std::nullopt) << "three of eight";
    EXPECT_EQ(classify(digits("31417777")), (Law{4, 1, 0}));
    EXPECT_EQ(classify({}), std::nullopt);
    EXPECT_EQ(classify(digits("00")), std::nullopt);
    EXPECT_EQ(classify(digits("9876543210")), std::nullopt) << "nimbers do not fall";
}

TEST(Classify, AgreesWithTheDefinitionOnEveryShortSequence) {
    for (std::size_t size = 0; size <= 8; ++size) {
        Values values(size);
        for (;;) {
            ASSERT_EQ(classify(values), classify_slowly(values))
                << ::testing::PrintToString(values);
            std::size_t place = 0;
            while (place < size && ++values[place] == 4) values[place++] = 0;
            if (place == size) break;
        }
    }
}

// A law with a beginning of its own before it.
TEST(Classify, AgreesWithTheDefinitionOnRandomLaws) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 1200; ++i) {
        const std::size_t period = 1 + uniform_below(random, 12);
        const std::size_t size = uniform_below(random, 80);
        const std::size_t begin = uniform_below(random, 20);
        const Number saltus = uniform_below(random, 3) * uniform_below(random, 9);
        Values rises(period);
        const Count share = uniform_below(random, 4);
        for (Number& rise : rises) rise = uniform_below(random, 3) < share ? saltus : 0;
        Values values;
        for (std::size_t heap = 0; heap < size; ++heap) {
            const bool free = heap < begin + period;
            values.push_back(free ? uniform_below(random, 6)
                                  : values[heap - period] + rises[heap % period]);
        }
        ASSERT_EQ(classify(values), classify_slowly(values))
            << ::testing::PrintToString(values);
    }
}

// Second differences over 5 are 0, but within the last 10 numbers one falls. A sanitizer shows
// what is read past the end.
TEST(Classify, ReadsNothingPastTheEnd) {
    EXPECT_EQ(classify(digits("0000020010400206")), std::nullopt);
}

TEST(Classify, TakesTheLargestNumbers) {
    const Number most = protocol::kMaxNumber;
    Values values;
    for (Number i = 0; i < 12; ++i) values.push_back(i % 2 == 0 ? most : most - 60 + 5 * i);
    EXPECT_EQ(classify(values), (Law{0, 2, 10, {1}}));
}

TEST(Classify, IsLinear) {
    // Far apart, so that every multiple of 12 looks like a period for long.
    Values values(1000000);
    for (std::size_t heap = 0; heap < values.size(); ++heap) values[heap] = heap % 12;
    values[700000] = 100;
    EXPECT_EQ(classify(values), std::nullopt);
    values[700000] = values[100000];
    values[400000] = 100;
    EXPECT_EQ(classify(values), (Law{400001, 12, 0}));
}

TEST(Exceptions, AreTheHeapsThatTheLawReadBackwardsMisses) {
    const Values values = digits("5122512351235123");
    const auto law = classify(values);
    ASSERT_EQ(law, (Law{4, 4, 0}));
    EXPECT_EQ(exceptions(values, *law), (std::vector<LawException>{{3, 2, 3}}));
    const Values rising = digits("0213243546576879");
    const Law arithmetic{3, 2, 1};
    EXPECT_TRUE(exceptions(rising, arithmetic).empty());
    EXPECT_EQ(exceptions(digits("7113243546576879"), arithmetic),
              (std::vector<LawException>{{0, 7, 0}, {1, 1, 2}}));
    EXPECT_EQ(exceptions(digits("0101"), {2, 1, 1}),
              (std::vector<LawException>{{0, 0, -2}, {1, 1, -1}}));
    EXPECT_EQ(least_preperiod(digits("7113243546576879"), arithmetic), 2u);
}

}  // namespace engine::test::recurrence_test

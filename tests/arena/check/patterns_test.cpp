#include "arena/check/patterns.hpp"

#include "arena/base/counted.hpp"

namespace arena::patterns_test {

using namespace testing;

const std::vector<Trait> kTraits{{"it rains", "it is dry"},
                                 {"it is cold", "it is warm"},
                                 {"it is dark", "it is light"},
                                 {"it is late", "it is early"}};

// Cases with random traits, wrong where `is_wrong` says so.
template <typename Wrong>
std::vector<Case> make_cases(std::size_t count, std::size_t traits, Wrong is_wrong) {
    std::mt19937_64 random(1);
    std::vector<Case> cases;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t bits = random() & ((std::uint64_t{1} << traits) - 1);
        cases.push_back({bits, is_wrong(bits, random)});
    }
    return cases;
}

bool has(std::uint64_t bits, int trait) { return (bits >> trait & 1) == 1; }

TEST(Patterns, FindOneCondition) {
    const auto cases =
        make_cases(1000, 4, [](std::uint64_t bits, auto&) { return has(bits, 2); });
    const auto rules = find_rules(cases, 4);
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_THAT(rules[0].where, ElementsAre(Condition{2, true}));
    EXPECT_EQ(rules[0].inside.wrong, rules[0].inside.cases);
    EXPECT_EQ(rules[0].outside.wrong, 0u);
    EXPECT_EQ(rules[0].inside.cases + rules[0].outside.cases, 1000u);
}

TEST(Patterns, FindTwoConditionsWhereOneDoesNotExplainAll) {
    const auto cases = make_cases(
        1000, 4, [](std::uint64_t bits, auto&) { return has(bits, 0) && !has(bits, 3); });
    const auto rules = find_rules(cases, 4);
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_THAT(rules[0].where, ElementsAre(Condition{0, true}, Condition{3, false}));
    EXPECT_EQ(rules[0].outside.wrong, 0u);
}

TEST(Patterns, FindOneAfterTheOther) {
    const auto cases = make_cases(3000, 4, [](std::uint64_t bits, auto& random) {
        return has(bits, 0) || (has(bits, 1) && random() % 4 == 0);
    });
    const auto rules = find_rules(cases, 4);
    ASSERT_EQ(rules.size(), 2u);
    EXPECT_THAT(rules[0].where, ElementsAre(Condition{0, true}));
    EXPECT_THAT(rules[1].where, ElementsAre(Condition{1, true}));
    EXPECT_EQ(rules[1].outside.wrong, 0u);
}

// With 40 traits and mistakes at random, some trait always seems to matter a little.
TEST(Patterns, AreNotFoundInChance) {
    for (int i = 0; i < 10; ++i) {
        std::mt19937_64 chance(static_cast<std::uint64_t>(i));
        const auto cases =
            make_cases(500, 40, [&chance](std::uint64_t, auto&) { return chance() % 3 == 0; });
        EXPECT_THAT(find_rules(cases, 40), IsEmpty()) << i;
        EXPECT_FALSE(find_safe(cases, 40)) << i;
    }
}

TEST(Patterns, AreNotFoundInAFewMistakes) {
    std::vector<Case> cases(1000);
    for (std::size_t i = 0; i < 4; ++i) cases[i] = {1, true};
    EXPECT_THAT(find_rules(cases, 4), IsEmpty());
    EXPECT_THAT(find_rules({}, 4), IsEmpty());
    EXPECT_THAT(find_rules(cases, 0), IsEmpty());
}

TEST(Patterns, FindWhereNothingIsWrong) {
    const auto cases = make_cases(2000, 4, [](std::uint64_t bits, auto& random) {
        return !has(bits, 1) && random() % 2 == 0;
    });
    const auto safe = find_safe(cases, 4);
    ASSERT_TRUE(safe);
    EXPECT_THAT(safe->where, ElementsAre(Condition{1, true}));
    // Five cases without a mistake mean nothing.
    std::vector<Case> few =
        make_cases(300, 1, [](std::uint64_t, auto& random) { return random() % 2 == 0; });
    for (int i = 0; i < 5; ++i) few.push_back({2, false});
    EXPECT_FALSE(find_safe(few, 2));
}

TEST(Patterns, HaveTexts) {
    EXPECT_EQ(to_text({{{0, true}}, {84, 84}, {900, 0}}, kTraits),
              "wrong in all 84 positions where it rains, and in no other");
    EXPECT_EQ(to_text({{{0, false}}, {1084, 84}, {900, 0}}, kTraits),
              "wrong only where it is dry: in 8 % of these 1,084 positions");
    EXPECT_EQ(to_text({{{0, true}, {1, false}}, {200, 74}, {900, 9}}, kTraits),
              "wrong in 37 % of the 200 positions where it rains and it is warm; in 1.0 % of "
              "the others");
    EXPECT_EQ(to_text({{{2, true}}, {1, 1}, {900, 9}}, kTraits, "timeout"),
              "timeout in all 1 position where it is dark; in 1.0 % of the others");
    EXPECT_EQ(safe_text({{{3, false}}, {32, 0}, {900, 9}}, kTraits),
              "never wrong where it is early (32 positions)");
}

TEST(Patterns, DoNotRepeatTheRules) {
    const auto all =
        make_cases(1000, 4, [](std::uint64_t bits, auto&) { return has(bits, 2); });
    EXPECT_EQ(rule_texts(all, kTraits).size(), 1u);
    const auto some = make_cases(4000, 4, [](std::uint64_t bits, auto& random) {
        return !has(bits, 1) && random() % (has(bits, 2) ? 2 : 5) == 0;
    });
    const auto texts = rule_texts(some, kTraits);
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_TRUE(texts[0].starts_with("wrong only where it is warm: in 3")) << texts[0];
}

TEST(Habits, AreWhatChanceDoesNotExplain) {
    std::vector<MoveCase> cases(100);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        cases[i].traits = i < 98 ? 0b011 : 0b001;
        cases[i].chance = {1.0f, 0.4f, 0.1f};  // each move has trait 0
    }
    const auto habits = find_habits(cases);
    ASSERT_EQ(habits.size(), 1u);
    EXPECT_EQ(habits[0].trait, 1u);
    EXPECT_EQ(
        to_text(habits[0], "takes from the largest heap"),
        "takes from the largest heap in 98 % of its mistakes; by chance it would be 40 %");
    EXPECT_THAT(find_habits(std::span(cases).first(4)), IsEmpty());
}

TEST(Numbers, AreGroupedAndRounded) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(12345), "12,345");
    EXPECT_EQ(grouped(1000000), "1,000,000");
    EXPECT_EQ(percent_text(0, 10), "0 %");
    EXPECT_EQ(percent_text(10, 10), "100 %");
    EXPECT_EQ(percent_text(1, 10'000), "less than 0.1 %");
    EXPECT_EQ(percent_text(9'999, 10'000), "more than 99.9 %");
    EXPECT_EQ(percent_text(37, 100), "37 %");
    EXPECT_EQ(percent_text(1, 0), "0 %");
}

}  // namespace arena::patterns_test

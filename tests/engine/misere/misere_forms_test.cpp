#include "engine/misere/canonical_form.hpp"
#include "engine/rules/game.hpp"
#include "tests/engine/misere/heaps_in_play.hpp"
#include "tests/harness/patience.hpp"

namespace engine::misere::misere_forms_test {

using test::HeapsInPlay;
using namespace testing;

constexpr const char* kRulesets[] = {
    "kayles",        "dawson-kayles", "dawson-chess", "officers",      "treblecross",
    "grundy",        "lasker",        "nim",          "take{1,3,4}",   "take{2,5-6}",
    "octal{0.123}",  "octal{0.75}",   "octal{4.7}",   "octal{0.3102}", "octal{0.5317}",
    "octal{4.0042}", "hex{0.8}",      "hex{0.3F}",    "hex{8.2}",      "hex{0.1C9}",
};

// Forms of all heaps of a graph, by its numbers.
std::vector<Form> forms_of(Forms& forms, const HeapGraph& graph) {
    std::vector<Form> found{kZero};
    for (HeapGraph::Index heap = 1; heap < graph.size(); ++heap) {
        std::vector<Form> options;
        for (const auto& move : graph.moves(heap)) {
            Form sum = kZero;
            for (const auto part : move) sum = forms.add(sum, found[part], {}).value();
            options.push_back(sum);
        }
        found.push_back(forms.make(options).value());
    }
    return found;
}

TEST(MisereForms, KnowFormsOfValueZero) {
    Forms forms;
    const Form one = forms.nim_heap(1, {}).value();
    const Form two = forms.nim_heap(2, {}).value();
    EXPECT_EQ(forms.add(one, one, {}), kZero);
    EXPECT_NE(forms.add(two, two, {}), kZero);
    EXPECT_EQ(forms.make({one}), kZero);  // a P-position: whoever moves there loses nothing
    // {*2} leads to *2 alone, which has 0 as an option, but is itself won by moving: no 0.
    EXPECT_NE(forms.make({two}), kZero);
    EXPECT_THAT(forms.options(two), ElementsAre(kZero, one));
    EXPECT_EQ(forms.add(forms.nim_heap(3, {}).value(), one, {}), forms.add(two, kZero, {}));
}

TEST(MisereForms, TellTheOutcomeOfRandomSums) {
    HeapsInPlay heaps({std::begin(kRulesets), std::end(kRulesets)}, 12);
    Forms forms;
    const auto form = forms_of(forms, heaps.graph());
    std::mt19937_64 random(1976);
    for (int i = 0; i < ::test::tries(10000); ++i) {
        std::vector<HeapGraph::Index> sum;
        Form total = kZero;
        const Count size = 1 + uniform_below(random, 4);
        for (Count j = 0; j < size; ++j) {
            const Number largest = size < 3 ? 12 : 6;
            sum.push_back(heaps.index(uniform_below(random, std::size(kRulesets)),
                                      uniform_below(random, largest + 1)));
            total = forms.add(total, form[sum.back()], {}).value();
        }
        ASSERT_EQ(forms.is_previous_win(total), heaps.is_previous_win(sum)) << i;
    }
}

TEST(MisereForms, TellTheOutcomeOfEverySmallSumOfARuleset) {
    for (const std::string ruleset : kRulesets) {
        HeapsInPlay heaps({ruleset}, 9);
        Forms forms;
        const auto form = forms_of(forms, heaps.graph());
        for (const auto a : heaps.heaps(0)) {
            for (const auto b : heaps.heaps(0)) {
                for (const auto c : heaps.heaps(0)) {
                    const Form pair = forms.add(form[a], form[b], {}).value();
                    const Form sum = forms.add(pair, form[c], {}).value();
                    ASSERT_EQ(forms.is_previous_win(sum), heaps.is_previous_win({a, b, c}))
                        << ruleset << ' ' << a << ' ' << b << ' ' << c;
                    ASSERT_EQ(forms.sum_is_previous_win(pair, form[c], {}),
                              forms.is_previous_win(sum));
                }
            }
        }
    }
}

TEST(MisereForms, StopWhenTheBudgetEnds) {
    HeapsInPlay heaps({"kayles"}, 25);
    Forms forms;
    const auto form = forms_of(forms, heaps.graph());
    const Budget spent = Budget::spent();
    const Form large = form[heaps.index(0, 25)];
    EXPECT_EQ(forms.add(large, large, spent), std::nullopt);
    EXPECT_NE(forms.add(large, large, {}), std::nullopt);
}

// The n for which the heap, `twos` nim heaps of 2 and one of n are won by the previous player.
std::uint32_t misere_nimber(HeapsInPlay& heaps, HeapGraph::Index heap, std::size_t twos) {
    std::vector<HeapGraph::Index> sum(twos, heaps.index(1, 2));
    sum.push_back(heap);
    std::uint32_t nimber = 0;
    for (;; ++nimber) {
        sum.push_back(heaps.index(1, nimber));
        if (heaps.is_previous_win(sum)) return nimber;
        sum.pop_back();
    }
}

TEST(Genus, IsThatOfPlayWithNimHeaps) {
    for (const std::string ruleset : kRulesets) {
        HeapsInPlay heaps({ruleset, "nim"}, 31);
        Forms forms;
        Genera genera;
        const auto form = forms_of(forms, heaps.graph());
        for (Number size = 0; size <= 11; ++size) {
            const auto heap = heaps.index(0, size);
            const auto genus = genera.of(forms, form[heap], {}).value();
            for (std::size_t twos = 0; twos < 5; ++twos) {
                ASSERT_EQ(genus.with_twos(twos), misere_nimber(heaps, heap, twos))
                    << ruleset << ' ' << size << ' ' << to_string(genus);
            }
        }
    }
}

std::vector<std::string> genera_of(const std::string& ruleset, Number last) {
    HeapsInPlay heaps({ruleset}, last);
    Forms forms;
    Genera genera;
    const auto form = forms_of(forms, heaps.graph());
    std::vector<std::string> texts;
    for (const auto heap : heaps.heaps(0)) {
        texts.push_back(to_string(genera.of(forms, form[heap], {}).value()));
    }
    return texts;
}

// Winning Ways, chapter 13.
TEST(Genus, IsAsPublished) {
    EXPECT_THAT(genera_of("nim", 4),
                ElementsAre("0^{120}", "1^{031}", "2^{20}", "3^{31}", "4^{46}"));
    EXPECT_THAT(
        genera_of("kayles", 12),
        ElementsAre("0^{120}", "1^{031}", "2^{20}", "3^{31}", "1^{031}", "4^{146}", "3^{31}",
                    "2^{20}", "1^{13}", "4^{046}", "2^{20}", "6^{46}", "4^{046}"));
    // The first wild heap of Grundy's game.
    EXPECT_EQ(genera_of("grundy", 13)[13], "3^{1431}");
}

TEST(Genus, OfNimHeapsIsKnownAtOnce) {
    const auto genera = genera_of("nim", 20);
    for (std::uint64_t size = 0; size <= 20; ++size) {
        EXPECT_EQ(to_string(genus_of_nim_heap(size)), genera[size]);
    }
}

TEST(Genus, IsWrittenWithCommasWhereDigitsRunTogether) {
    EXPECT_EQ(to_string(Genus{8, {8, 10}}), "8^{8,10}");
    EXPECT_EQ(genera_of("nim", 10)[10], "10^{10,8}");
}

TEST(Tameness, IsKnownOfSubtractionSetsAndLasker) {
    for (const std::string ruleset : {"take{1,3,4}", "take{2,4,7}", "take{2,5-6}", "take{3-}",
                                      "take{!2,3}", "lasker", "nim"}) {
        HeapsInPlay heaps({ruleset}, 30);
        Forms forms;
        for (const Form form : forms_of(forms, heaps.graph())) {
            ASSERT_TRUE(forms.is_tame(form)) << ruleset;
            ASSERT_TRUE(forms.normal_nimber(form) < 2
                            ? forms.misere_nimber(form) == 1 - forms.normal_nimber(form)
                            : forms.misere_nimber(form) == forms.normal_nimber(form))
                << ruleset;
        }
    }
}

TEST(Tameness, MakesSumsMisereNim) {
    HeapsInPlay heaps({std::begin(kRulesets), std::end(kRulesets)}, 9);
    Forms forms;
    const auto form = forms_of(forms, heaps.graph());
    std::vector<HeapGraph::Index> tame;
    for (HeapGraph::Index heap = 1; heap < form.size(); ++heap) {
        if (forms.is_tame(form[heap])) tame.push_back(heap);
    }
    ASSERT_GT(tame.size(), 50U);
    ASSERT_LT(tame.size(), form.size() - 1);  // and others are wild
    std::mt19937_64 random(1974);
    for (int i = 0; i < ::test::tries(3000); ++i) {
        std::vector<HeapGraph::Index> sum;
        TameSum total;
        for (Count j = 1 + uniform_below(random, 3); j > 0; --j) {
            const auto heap = tame[uniform_below(random, tame.size())];
            sum.push_back(heap);
            total.add(finite(forms.normal_nimber(form[heap])),
                      forms.normal_nimber(form[heap]) != forms.misere_nimber(form[heap]));
        }
        ASSERT_EQ(total.is_previous_win(), heaps.is_previous_win(sum)) << i;
    }
}

}  // namespace engine::misere::misere_forms_test

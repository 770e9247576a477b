#include "engine/misere/monoid.hpp"
#include "engine/misere/quotient.hpp"
#include "engine/misere/tables.hpp"
#include "engine/rules/game.hpp"
#include "tests/engine/little_memory.hpp"
#include "tests/engine/misere/heaps_in_play.hpp"

namespace engine::misere::misere_quotient_test {

using test::HeapsInPlay;
using test::ruleset_of;

std::optional<Quotient> quotient_of(const HeapGraph& graph, std::size_t max_order = 1000) {
    std::vector<HeapGraph::Index> heaps(graph.size() - 1);
    std::iota(heaps.begin(), heaps.end(), 1U);
    QuotientProgress progress;
    return find_quotient(graph, heaps, max_order, {}, progress);
}

Element element_of(const Quotient& quotient, HeapGraph::Index heap) {
    return heap == HeapGraph::kDead ? Element{0} : quotient.elements[heap - 1];
}

std::vector<Element> elements_of(const Quotient& quotient, const HeapsInPlay& heaps) {
    std::vector<Element> elements;
    for (const auto heap : heaps.heaps(0)) elements.push_back(element_of(quotient, heap));
    return elements;
}

// No two elements lose with the same others, and the table is that of a commutative monoid.
void expect_reduced(const Monoid& monoid) {
    const auto order = static_cast<Element>(monoid.order());
    for (Element a = 0; a < order; ++a) {
        ASSERT_EQ(monoid.product(a, 0), a);
        ASSERT_EQ(monoid.product_of(monoid.word(a)), a);
        for (Element b = 0; b < order; ++b) {
            ASSERT_EQ(monoid.product(a, b), monoid.product(b, a));
            ASSERT_EQ(monoid.partners(a) == monoid.partners(b), a == b);
            for (Element c = 0; c < order; ++c) {
                ASSERT_EQ(monoid.product(monoid.product(a, b), c),
                          monoid.product(a, monoid.product(b, c)));
            }
        }
    }
}

TEST(Quotient, OfKaylesHasFortyElements) {
    HeapsInPlay heaps({"kayles"}, 168);
    const auto quotient = quotient_of(heaps.graph());
    ASSERT_TRUE(quotient);
    EXPECT_EQ(quotient->monoid.order(), 40U);
    EXPECT_EQ(quotient->monoid.p_count(), 9U);
    std::vector<Number> generators;
    for (const auto place : quotient->generators) generators.push_back(place + 1);
    EXPECT_THAT(generators, ::testing::ElementsAre(1, 2, 5, 9, 12, 25, 27));
    expect_reduced(quotient->monoid);

    const auto elements = elements_of(*quotient, heaps);
    const auto bounds = find_move_bounds(*ruleset_of("kayles"));
    ASSERT_TRUE(bounds);
    EXPECT_EQ(prove_phi_law(elements, *bounds), (Law{71, 12}));
    // One heap less than the theorem asks for proves nothing.
    EXPECT_EQ(prove_phi_law(std::span(elements).first(167), *bounds), std::nullopt);
}

struct Published {
    std::string ruleset;
    Number last;
    std::size_t order;
    std::size_t p_count;
};

// Plambeck and Siegel 2008: misere nim has the quotients T_n of order 2^n + 2, the tame ones;
// 0.123 has one of order 20, 0.75 of order 8, 0.152 of order 34, 0.644 of order 108. Siegel,
// "Some MisereSolver questions answered" (2007): that of 0.07 up to heap 30 has order 360.
TEST(Quotient, HasThePublishedOrder) {
    for (const auto& [ruleset, last, order, p_count] : {Published{"nim", 1, 2, 1},
                                                        {"nim", 2, 6, 2},
                                                        {"nim", 3, 6, 2},
                                                        {"nim", 4, 10, 2},
                                                        {"nim", 8, 18, 2},
                                                        {"octal{0.123}", 40, 20, 5},
                                                        {"octal{0.75}", 30, 8, 2},
                                                        {"octal{0.152}", 50, 34, 6},
                                                        {"octal{0.07}", 28, 176, 28},
                                                        {"octal{0.07}", 30, 360, 65},
                                                        {"octal{0.644}", 260, 108, 7}}) {
        HeapsInPlay heaps({ruleset}, last);
        const auto quotient = quotient_of(heaps.graph());
        ASSERT_TRUE(quotient) << ruleset;
        EXPECT_EQ(quotient->monoid.order(), order) << ruleset << ' ' << last;
        EXPECT_EQ(quotient->monoid.p_count(), p_count) << ruleset << ' ' << last;
        expect_reduced(quotient->monoid);
    }
}

// Every sum of up to three heaps, and random ones of up to seven.
void expect_outcomes(HeapsInPlay& heaps, const Quotient& quotient) {
    const auto& graph = heaps.graph();
    const auto predicted = [&](std::initializer_list<HeapGraph::Index> sum) {
        Element element = 0;
        for (const auto heap : sum) {
            element = quotient.monoid.product(element, element_of(quotient, heap));
        }
        return quotient.monoid.is_p(element);
    };
    const auto size = static_cast<HeapGraph::Index>(graph.size());
    for (HeapGraph::Index a = 0; a < size; ++a) {
        for (HeapGraph::Index b = a; b < size; ++b) {
            for (HeapGraph::Index c = b; c < size; ++c) {
                ASSERT_EQ(predicted({a, b, c}), heaps.is_previous_win({a, b, c}))
                    << a << ' ' << b << ' ' << c;
            }
        }
    }
    std::mt19937_64 random(2008);
    for (int i = 0; i < 300; ++i) {
        std::vector<HeapGraph::Index> sum;
        Element element = 0;
        for (int j = 0; j < 7; ++j) {
            sum.push_back(static_cast<HeapGraph::Index>(uniform_below(random, size)));
            if (sum.back() > 8) sum.pop_back();  // large sums of small heaps
            if (sum.empty()) continue;
        }
        for (const auto heap : sum) {
            element = quotient.monoid.product(element, element_of(quotient, heap));
        }
        ASSERT_EQ(quotient.monoid.is_p(element), heaps.is_previous_win(sum)) << i;
    }
}

TEST(Quotient, TellsTheOutcomeOfSums) {
    for (const std::string ruleset :
         {"kayles", "grundy", "dawson-kayles", "officers", "treblecross", "octal{0.123}",
          "octal{0.75}", "octal{4.7}", "hex{0.8}", "take{2,5-6}", "lasker"}) {
        SCOPED_TRACE(ruleset);
        HeapsInPlay heaps({ruleset}, 12);
        const auto quotient = quotient_of(heaps.graph());
        ASSERT_TRUE(quotient);
        expect_outcomes(heaps, *quotient);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(Quotient, IsThatOfSeveralRulesetsTogether) {
    HeapsInPlay heaps({"kayles", "nim", "octal{0.123}"}, 7);
    const auto quotient = quotient_of(heaps.graph());
    ASSERT_TRUE(quotient);
    expect_outcomes(heaps, *quotient);
}

TEST(Quotient, OfRandomCodesTellsTheOutcome) {
    std::mt19937_64 random(1956);
    int found = 0;
    for (int i = 0; i < 30; ++i) {
        std::string code = "octal{0.";
        for (int digit = 0; digit < 3; ++digit)
            code += std::to_string(uniform_below(random, 8));
        if (code == "octal{0.000") continue;
        code += '}';
        SCOPED_TRACE(code);
        HeapsInPlay heaps({code}, 10);
        const auto quotient = quotient_of(heaps.graph(), 60);
        if (!quotient) continue;
        ++found;
        expect_outcomes(heaps, *quotient);
        if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_GT(found, 15);
}

TEST(Quotient, IsNotFoundBeyondTheOrderOrTheBudget) {
    HeapsInPlay heaps({"kayles"}, 30);
    EXPECT_FALSE(quotient_of(heaps.graph(), 39));
    EXPECT_TRUE(quotient_of(heaps.graph(), 40));
    std::vector<HeapGraph::Index> all(heaps.graph().size() - 1);
    std::iota(all.begin(), all.end(), 1U);
    const Budget spent = Budget::spent();
    QuotientProgress progress;
    EXPECT_FALSE(find_quotient(heaps.graph(), all, 1000, spent, progress));
    EXPECT_EQ(progress.shortage, Shortage::Time);
}

TEST(Tables, LookForAQuotientAgainOnceThereIsMemory) {
    Tables tables;
    const auto kayles = tables.graph().ruleset_index("kayles", ruleset_of("kayles"));
    std::vector<HeapGraph::Index> heaps;
    for (Number heap = 0; heap <= 20; ++heap) {
        heaps.push_back(tables.graph().add(kayles, Heap(heap), {}).value());
    }
    {
        const test::LittleMemory memory(0);
        EXPECT_FALSE(tables.quotient({kayles}, heaps, 1000, {}));
    }
    EXPECT_TRUE(tables.quotient({kayles}, heaps, 1000, {}));
}

TEST(Quotient, OfNoHeapsIsTrivial) {
    const auto quotient = quotient_of(HeapGraph());
    ASSERT_TRUE(quotient);
    EXPECT_EQ(quotient->monoid.order(), 1U);
    EXPECT_EQ(quotient->monoid.p_count(), 0U);
}

TEST(Quotient, IsGivenByItsRelations) {
    HeapsInPlay heaps({"nim"}, 2);
    const auto quotient = quotient_of(heaps.graph());
    ASSERT_TRUE(quotient);
    std::vector<std::string> relations;
    const auto text = [](const Word& word) {
        return std::to_string(word[0]) + std::to_string(word[1]);
    };
    for (const auto& [left, right] : quotient->monoid.relations()) {
        relations.push_back(text(left) + "=" + text(quotient->monoid.word(right)));
    }
    EXPECT_THAT(relations, ::testing::ElementsAre("20=00", "03=01"));  // a^2 = 1, b^3 = b
}

// A monoid that distinguishes only *1: wrong as soon as a nim heap of 2 occurs.
TEST(StateClosure, RefutesAWrongMonoidByASum) {
    const auto monoid = Monoid::make({{1}, {0}}, {false, true}, {});
    ASSERT_TRUE(monoid);
    const auto wins = [&](std::initializer_list<Element> options) {
        ElementSet set(2);
        for (const Element option : options) set |= monoid->partners(option);
        return set;
    };
    StateClosure closure(*monoid);
    ASSERT_EQ(closure.add(1, wins({0}), {}), Verdict::Holds);
    const std::size_t size = closure.size();
    // It is a P-position, but two of it are an N-position without a move to a P-position.
    EXPECT_EQ(closure.add(1, ElementSet(2), {}), Verdict::Fails);
    EXPECT_EQ(closure.size(), size);
    EXPECT_FALSE(closure.allows(0, wins({0, 1})) && closure.allows(1, wins({0, 1})));
    EXPECT_EQ(closure.add(1, wins({0, 1}), {}), Verdict::Fails);
    EXPECT_EQ(closure.size(), size);
    EXPECT_EQ(closure.add(0, wins({0, 1}), {}), Verdict::Fails);
}

TEST(PhiLaw, NeedsTheWholeWindow) {
    const MoveBounds octal{2, 2};
    EXPECT_EQ(prove_phi_law(std::vector<Element>{0, 1, 1, 1, 1}, octal), std::nullopt);
    EXPECT_EQ(prove_phi_law(std::vector<Element>{0, 1, 1, 1, 1, 1}, octal), (Law{1, 1}));
    EXPECT_EQ(prove_phi_law(std::vector<Element>{}, octal), std::nullopt);
    EXPECT_EQ(find_move_bounds(*ruleset_of("grundy")), std::nullopt);
    EXPECT_EQ(find_move_bounds(*ruleset_of("take{1,4-}")), std::nullopt);
    EXPECT_EQ(find_move_bounds(*ruleset_of("hex{0.308}")), (MoveBounds{3, 3}));
    EXPECT_EQ(find_move_bounds(*ruleset_of("take{1,4}")), (MoveBounds{4, 1}));
}

}  // namespace engine::misere::misere_quotient_test

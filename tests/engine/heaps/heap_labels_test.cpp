#include "engine/heaps/heap_labels.hpp"

#include "engine/heaps/smith_labels.hpp"
#include "engine/sums/retrograde.hpp"
#include "tests/agreement/play_back_oracle.hpp"
#include "tests/engine/little_memory.hpp"
#include "tests/engine/written_rules.hpp"
#include "tests/harness/patience.hpp"

namespace engine::test::heap_labels_test {

// The results of each move of the heaps 0, 1, …
using Results = std::vector<std::vector<Number>>;

std::shared_ptr<const Ruleset> rules_of(const std::vector<Results>& moves) {
    return std::make_shared<WrittenRules>([moves](Number heap) {
        WrittenRules::Results results;
        for (const auto& parts : moves[heap]) results.emplace_back(parts.begin(), parts.end());
        return results;
    });
}

// Up for ever, with too many moves to list them for each.
class Endless : public WrittenRules {
  public:
    Endless() : WrittenRules({}) {}
    bool has_move(const Heap& heap) const override { return heap != Heap(Number{0}); }
    Count follower_count(const Heap& heap) const override { return std::get<Number>(heap); }
    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        return {Heap(index == 0 ? 0 : std::get<Number>(heap) + index)};
    }
};

std::string label_of(const HeapLabels& labels, Number heap) {
    const auto nimber = labels.nimber(Heap(heap), {});
    return nimber ? to_string(*nimber) : "none";
}

HeapLabels labels_of(const std::vector<Results>& moves) { return HeapLabels(rules_of(moves)); }

TEST(HeapLabels, LabelLoopsThatDoNotSplit) {
    // The example of the literature, a..f as 0..5.
    const HeapLabels labels = labels_of({{{1}}, {{2}}, {{3}}, {{0}, {4}}, {{5}}, {}});
    std::string texts;
    for (Number heap = 0; heap < 6; ++heap) texts += label_of(labels, heap) + " ";
    EXPECT_EQ(texts, "inf{} inf{} inf{} inf{1} 1 0 ");
}

TEST(HeapLabels, AddTheLabelsOfParts) {
    // 1: nimber 1, 2: stay or end, 3: nimber 2.
    const std::vector<Results> base{{}, {{0}}, {{2}, {0}}, {{0}, {1}}};
    const auto label = [&](const Results& moves) {
        auto all = base;
        all.push_back(moves);
        const HeapLabels labels = labels_of(all);
        return label_of(labels, 4);
    };
    EXPECT_EQ(label({{1, 3}}), "0");            // to 3
    EXPECT_EQ(label({{1, 1}}), "1");            // to 0
    EXPECT_EQ(label({{2, 3}}), "inf{}");        // to inf{2}
    EXPECT_EQ(label({{2, 1}, {1, 1}}), "1");    // to inf{1}, which is answered, and 0
    EXPECT_EQ(label({{2, 2}, {0}}), "inf{0}");  // to inf{} and 0
    EXPECT_EQ(label({{2, 2, 2}}), "inf{}");
    EXPECT_EQ(label({{4}, {2, 3}, {1, 1}}), "inf{0}");  // itself, inf{2} and 0
}

TEST(HeapLabels, HaveNoneForHeapsThatSplitIntoThemselvesWithoutAnAnswer) {
    // n -> n+n at 1, 1 -> 0; what leads there has none either, but where 1 -> 0 is an answer.
    const HeapLabels labels =
        labels_of({{}, {{1, 1}, {0}}, {{1}}, {{0}}, {{5, 3}}, {{4, 3}}, {{1}, {0}}});
    EXPECT_EQ(label_of(labels, 1), "none");
    EXPECT_EQ(label_of(labels, 2), "0");
    EXPECT_EQ(label_of(labels, 6), "none");
    EXPECT_EQ(label_of(labels, 3), "1");
    EXPECT_EQ(label_of(labels, 4), "none");  // 4 -> 5+3, 5 -> 4+3
    EXPECT_EQ(label_of(labels, 0), "0");
}

TEST(HeapLabels, HaveNimbersForHeapsThatSplitIntoThemselvesWithAnAnswer) {
    // 2 -> 0+0+1, 0 -> 1 -> 2: answered by 0 -> 3; 4 -> 4+2: by 4 -> 3.
    const std::vector<Results> moves{
        {{1}, {3}}, {{2}}, {{3}, {1}, {0, 0, 1}}, {}, {{4, 2}, {3}}};
    const HeapLabels labels = labels_of(moves);
    std::string texts;
    for (Number heap = 0; heap < 5; ++heap) texts += label_of(labels, heap) + " ";
    EXPECT_EQ(texts, "1 0 1 0 1 ");
}

TEST(HeapLabels, AgreeWithTheLabelsOfGraphs) {
    std::mt19937_64 random(12);
    for (int i = 0; i < ::test::tries(3000); ++i) {
        std::vector<Results> moves(2 + uniform_below(random, 10));
        std::vector<std::uint64_t> first{0};
        std::vector<std::uint32_t> targets;
        for (auto& results : moves) {
            for (Count j = uniform_below(random, 4); j > 0; --j) {
                const Number target = uniform_below(random, moves.size());
                results.push_back({target});
                targets.push_back(static_cast<std::uint32_t>(target));
            }
            first.push_back(targets.size());
        }
        const GraphView graph{first, targets};
        std::optional<SmithLabels> found;
        find_smith_labels(graph, {}, found).run({});
        const SmithLabels& expected = *found;
        const HeapLabels labels = labels_of(moves);
        for (std::uint32_t heap = 0; heap < moves.size(); ++heap) {
            const Nimber value = expected.is_finite(heap)
                                     ? finite(expected.value(heap))
                                     : Nimber(Loopy{expected.finite_options(graph, heap), {}});
            ASSERT_EQ(label_of(labels, heap), to_string(value)) << i;
        }
    }
}

// Rules of heaps 0..size-1 that split and loop: down, or to any heap, with `around` also to any
// two.
std::vector<Results> random_rules(std::mt19937_64& random, bool around = false) {
    std::vector<Results> moves(2 + uniform_below(random, 5));
    for (Number heap = 0; heap < moves.size(); ++heap) {
        for (Count j = uniform_below(random, 4); j > 0; --j) {
            const bool down = heap > 0 && uniform_below(random, 3) > 0;
            std::vector<Number> result;
            if (down) {
                for (Count parts = 1 + uniform_below(random, 2); parts > 0; --parts) {
                    result.push_back(uniform_below(random, heap));
                }
            } else {
                for (Count parts = around ? 2 : 1; parts > 0; --parts) {
                    result.push_back(uniform_below(random, moves.size()));
                }
            }
            moves[heap].push_back(result);
        }
    }
    return moves;
}

std::shared_ptr<const Ruleset> rules_now;  // what find_now() gives

Result<std::shared_ptr<const Ruleset>> find_now(const protocol::RulesetText& text) {
    if (text.text == "nim") return find_ruleset(text);
    return rules_now;
}

Game start(const std::string& text) {
    return *Game::start(*protocol::parse_position(text), text, find_now);
}

// Labels are right: for each labelled heap together with nim heaps and other labelled heaps,
// the outcome is that of the sum of the labels.
TEST(HeapLabels, TellTheOutcomesOfSumsOfHeapsThatSplitAndLoop) {
    std::mt19937_64 random(13);
    int labelled = 0, drawn = 0, without = 0;
    for (int i = 0; i < ::test::tries(4000); ++i) {
        const auto moves = random_rules(random, i % 2 == 1);
        rules_now = rules_of(moves);
        const HeapLabels labels(rules_now);
        const Number a = uniform_below(random, moves.size());
        const Number b = uniform_below(random, moves.size());
        const Number nim = uniform_below(random, 3);
        const bool both = label_of(labels, a) != "none" && label_of(labels, b) != "none";
        without += !both;
        if (!both) continue;
        NimSum sum;
        sum.add(*labels.nimber(Heap(a), {}));
        sum.add(*labels.nimber(Heap(b), {}));
        sum.add(finite(nim));
        const Nimber value = sum.value();
        Outcome outcome = is_zero(value) ? Outcome::P : Outcome::N;
        if (const auto* loopy = std::get_if<Loopy>(&value)) {
            outcome = std::ranges::binary_search(loopy->values, std::uint64_t{0}) ? Outcome::N
                                                                                  : Outcome::D;
        }
        PlayBackOracle oracle(150);
        const Outcome found =
            oracle.outcome(start("x:" + std::to_string(a) + "," + std::to_string(b) +
                                 "+nim:" + std::to_string(nim)));
        if (found == Outcome::Unknown) continue;
        ASSERT_EQ(found, outcome) << i;
        ++labelled;
        drawn += outcome == Outcome::D;
    }
    EXPECT_GT(labelled, ::test::tries(500));
    EXPECT_GT(drawn, ::test::tries(100));
    EXPECT_GT(without, ::test::tries(50));
}

// The counters' sum falls with each move to a smaller label, and with an answer to each other.
TEST(HeapLabels, CountersFallWithEachAnswer) {
    std::mt19937_64 random(14);
    int answers = 0;
    for (int i = 0; i < ::test::tries(3000); ++i) {
        const auto moves = random_rules(random, i % 2 == 1);
        const HeapLabels labels = labels_of(moves);
        const auto value_of = [&](const std::vector<Number>& heaps) -> std::optional<Nimber> {
            NimSum sum;
            for (const Number heap : heaps) {
                const auto nimber = labels.nimber(Heap(heap), {});
                if (!nimber) return std::nullopt;
                sum.add(*nimber);
            }
            return sum.value();
        };
        const auto counter_of = [&](const std::vector<Number>& heaps) {
            std::uint64_t counter = 0;
            for (const Number heap : heaps) counter += labels.counter(Heap(heap), {});
            return counter;
        };
        const auto has_answer = [&](const std::vector<Number>& sum, Number heap) {
            for (std::size_t j = 0; j < sum.size(); ++j) {
                for (const auto& result : moves[sum[j]]) {
                    auto next = sum;
                    next.erase(next.begin() + static_cast<std::ptrdiff_t>(j));
                    next.insert(next.end(), result.begin(), result.end());
                    if (value_of(next) == value_of({heap}) &&
                        counter_of(next) < counter_of({heap})) {
                        return true;
                    }
                }
            }
            return false;
        };
        for (Number heap = 0; heap < moves.size(); ++heap) {
            const std::string label = label_of(labels, heap);
            if (label == "none" || label.front() == 'i') continue;
            for (const auto& sum : moves[heap]) {
                const auto value = value_of(sum);
                const bool is_smaller =
                    value && !is_loopy(*value) && *value < *value_of({heap});
                if (!is_smaller || counter_of(sum) >= counter_of({heap})) {
                    ASSERT_TRUE(has_answer(sum, heap)) << i << ' ' << heap;
                    ++answers;
                }
            }
        }
    }
    EXPECT_GT(answers, ::test::tries(500));
}

TEST(HeapLabels, ResumeWhereTheyWereStopped) {
    std::vector<Results> moves(20000);
    for (Number heap = 0; heap < moves.size(); ++heap) {
        moves[heap] = {{(heap * 7 + 1) % moves.size()}, {(heap + 1) % moves.size()}};
    }
    moves.push_back({});
    moves[5].push_back({20000});
    const HeapLabels labels = labels_of(moves);
    int calls = 0;
    while (!labels.nimber(Heap(Number{0}), Budget::spent())) ASSERT_LT(++calls, 1000);
    EXPECT_GT(calls, 10);
    EXPECT_EQ(label_of(labels, 5), "inf{0}");
}

TEST(HeapLabels, DoNotKnowHeapsFromWhereThereIsNoEnd) {
    const LittleMemory memory(4000000);
    const HeapLabels labels(std::make_shared<Endless>());
    EXPECT_EQ(labels.nimber(Heap(Number{2}), {}), std::nullopt);
    EXPECT_LE(Memory::used(), Memory::limit());
    EXPECT_EQ(labels.nimber(Heap(Number{2}), {}), std::nullopt);
    EXPECT_EQ(labels.nimber(Heap(Number{1}), {}), finite(1));  // as it was before
}

TEST(HeapLabels, AreSharedByThreads) {
    std::vector<Results> moves(3000);
    for (Number heap = 1; heap < moves.size(); ++heap) moves[heap] = {{heap - 1}, {heap}};
    const HeapLabels labels = labels_of(moves);
    std::vector<std::jthread> threads;
    for (Number i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (Number heap = i; heap < 3000; heap += 7) {
                const auto nimber = labels.nimber(Heap(heap), {});
                ASSERT_TRUE(nimber);
                EXPECT_EQ(to_string(*nimber), heap == 0 ? "0" : heap == 1 ? "inf{0}" : "inf{}");
            }
        });
    }
}

}  // namespace engine::test::heap_labels_test

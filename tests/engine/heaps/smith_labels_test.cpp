#include "engine/heaps/smith_labels.hpp"

#include "tests/agreement/play_back_oracle.hpp"
#include "tests/harness/patience.hpp"

namespace engine::test::smith_labels_test {

// The winner of each position under normal play.
std::vector<Verdict> verdicts_of(const Moves& moves) {
    std::vector<Verdict> verdicts(moves.size());
    play_back(moves, Outcome::P, verdicts);
    call_the_rest_drawn(verdicts);
    return verdicts;
}

// The arrays of a graph, and its labels.
struct Labelled {
    explicit Labelled(const Moves& moves) {
        for (const auto& options : moves) {
            targets.insert(targets.end(), options.begin(), options.end());
            first.push_back(targets.size());
        }
        std::optional<SmithLabels> found;
        EXPECT_TRUE(find_smith_labels(graph(), {}, found).run({}));
        labels = *std::move(found);
    }
    GraphView graph() const { return {first, targets}; }

    std::vector<std::uint64_t> first{0};
    std::vector<std::uint32_t> targets;
    SmithLabels labels{{}, {}};
};

std::string text_of(const Labelled& graph, std::uint32_t vertex) {
    if (graph.labels.is_finite(vertex)) return std::to_string(graph.labels.value(vertex));
    std::string text = "inf{";
    for (const auto label : graph.labels.finite_options(graph.graph(), vertex)) {
        if (text.back() != '{') text += ',';
        text += std::to_string(label);
    }
    return text + "}";
}

Moves random_graph(std::mt19937_64& random, std::size_t most_vertices) {
    const std::size_t size = 1 + uniform_below(random, most_vertices);
    const std::size_t density = 1 + uniform_below(random, 4);  // options a vertex, at most
    Moves moves(size);
    for (auto& options : moves) {
        for (std::size_t i = uniform_below(random, density + 1); i > 0; --i) {
            options.push_back(uniform_below(random, size));
        }
        std::ranges::sort(options);
        options.erase(std::unique(options.begin(), options.end()), options.end());
    }
    return moves;
}

// Smith's rules to the letter, one vertex at a time.
std::vector<std::optional<std::size_t>> labels_by_rules(const Moves& moves) {
    std::vector<std::optional<std::size_t>> labels(moves.size());
    std::vector<bool> infinite(moves.size());
    const auto has = [&](std::size_t v, std::size_t label) {
        return std::ranges::any_of(moves[v],
                                   [&](std::size_t option) { return labels[option] == label; });
    };
    for (std::size_t level = 0; level <= moves.size(); ++level) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t v = 0; v < moves.size(); ++v) {
                if (labels[v] || infinite[v] || has(v, level)) continue;
                const bool ready = std::ranges::all_of(moves[v], [&](std::size_t option) {
                    return labels[option] || has(option, level);
                });
                if (!ready) continue;
                labels[v] = level;
                changed = true;
            }
        }
        for (std::size_t v = 0; v < moves.size(); ++v) {
            if (!labels[v] && !has(v, level)) infinite[v] = true;
        }
    }
    return labels;
}

// The sum of games: a token on each graph.
class Product {
  public:
    explicit Product(const std::vector<Moves>& graphs) : graphs_(graphs) {
        std::size_t size = 1;
        for (const Moves& graph : graphs) size *= graph.size();
        for (std::size_t p = 0; p < size; ++p) {
            moves_.emplace_back();
            std::size_t stride = 1;
            for (const Moves& graph : graphs) {
                const std::size_t token = p / stride % graph.size();
                for (const std::size_t option : graph[token]) {
                    moves_.back().push_back(p - token * stride + option * stride);
                }
                stride *= graph.size();
            }
        }
    }
    const Moves& moves() const { return moves_; }
    std::vector<std::uint32_t> tokens(std::size_t position) const {
        std::vector<std::uint32_t> tokens;
        for (const Moves& graph : graphs_) {
            tokens.push_back(static_cast<std::uint32_t>(position % graph.size()));
            position /= graph.size();
        }
        return tokens;
    }

  private:
    const std::vector<Moves>& graphs_;
    Moves moves_;
};

// Nim heaps 0..last.
Moves nim_graph(std::size_t last) {
    Moves moves(last + 1);
    for (std::size_t heap = 0; heap <= last; ++heap) {
        for (std::size_t smaller = 0; smaller < heap; ++smaller) moves[heap].push_back(smaller);
    }
    return moves;
}

// The label of a sum, as the theory has it; nullopt for two or more infinite ones.
struct Total {
    std::uint64_t finite = 0;
    std::size_t infinite_count = 0;
    std::vector<std::uint64_t> infinite_values;

    Total(const std::vector<Labelled>& graphs, const std::vector<std::uint32_t>& tokens) {
        for (std::size_t i = 0; i < graphs.size(); ++i) {
            if (graphs[i].labels.is_finite(tokens[i])) {
                finite ^= graphs[i].labels.value(tokens[i]);
            } else {
                ++infinite_count;
                infinite_values = graphs[i].labels.finite_options(graphs[i].graph(), tokens[i]);
            }
        }
    }
    Outcome outcome() const {
        if (infinite_count == 0) return finite == 0 ? Outcome::P : Outcome::N;
        const bool wins = infinite_count == 1 &&
                          std::ranges::find(infinite_values, finite) != infinite_values.end();
        return wins ? Outcome::N : Outcome::D;
    }
};

TEST(SmithLabels, LabelTheExampleOfTheLiterature) {
    // a -> b -> c -> d -> {a, e}, e -> f
    const Labelled graph(Moves{{1}, {2}, {3}, {0, 4}, {5}, {}});
    std::string texts;
    for (std::uint32_t v = 0; v < 6; ++v) texts += text_of(graph, v) + " ";
    EXPECT_EQ(texts, "inf{} inf{} inf{} inf{1} 1 0 ");
}

TEST(SmithLabels, LabelVerticesOnCyclesTooWhereMovesCanBeAnswered) {
    // 0 <-> 1, 1 -> 2: from 1 one moves to the end, so that 0 is lost, and is answered in 1.
    EXPECT_EQ(text_of(Labelled(Moves{{1}, {0, 2}, {}}), 0), "0");
    EXPECT_EQ(text_of(Labelled(Moves{{1}, {0, 2}, {}}), 1), "1");
    EXPECT_EQ(text_of(Labelled(Moves{{0}}), 0), "inf{}");
    EXPECT_EQ(text_of(Labelled(Moves{{0, 1}, {}}), 0), "inf{0}");
}

TEST(SmithLabels, AreNimbersWithoutCycles) {
    const Labelled nim(nim_graph(40));
    for (std::uint32_t v = 0; v <= 40; ++v) {
        EXPECT_EQ(nim.labels.value(v), v);
    }
}

TEST(SmithLabels, AgreeWithSmithsRules) {
    std::mt19937_64 random(1966);
    for (int i = 0; i < ::test::tries(20000); ++i) {
        const Moves moves = random_graph(random, i % 10 == 0 ? 40 : 9);
        const auto expected = labels_by_rules(moves);
        const Labelled graph(moves);
        for (std::uint32_t v = 0; v < moves.size(); ++v) {
            ASSERT_EQ(graph.labels.is_finite(v), expected[v].has_value()) << i << ' ' << v;
            if (expected[v]) {
                ASSERT_EQ(graph.labels.value(v), *expected[v]);
            }
        }
    }
}

// Vertices in any order, and in the order of play, which needs no search for one.
TEST(SmithLabels, DoNotDependOnTheOrderOfVertices) {
    std::mt19937_64 random(1962);
    for (int i = 0; i < ::test::tries(300); ++i) {
        const std::size_t size = 1 + uniform_below(random, 300);
        Moves ordered(size);
        for (std::size_t v = 0; v + 1 < size; ++v) {
            for (std::size_t j = uniform_below(random, 12); j > 0; --j) {
                ordered[v].push_back(v + 1 + uniform_below(random, size - v - 1));
            }
        }
        std::vector<std::size_t> name(size);
        std::iota(name.begin(), name.end(), std::size_t{0});
        std::ranges::shuffle(name, random);
        Moves shuffled(size);
        for (std::size_t v = 0; v < size; ++v) {
            for (const std::size_t option : ordered[v]) {
                shuffled[name[v]].push_back(name[option]);
            }
        }
        const Labelled one(ordered), other(shuffled);
        const auto expected = labels_by_rules(ordered);
        for (std::uint32_t v = 0; v < size; ++v) {
            ASSERT_EQ(one.labels.value(v), expected[v]) << i << ' ' << v;
            ASSERT_EQ(other.labels.value(static_cast<std::uint32_t>(name[v])), expected[v]);
        }
    }
}

TEST(SmithLabels, CountersFallWithEachReply) {
    std::mt19937_64 random(1986);
    for (int i = 0; i < ::test::tries(5000); ++i) {
        const Moves moves = random_graph(random, 15);
        const Labelled graph(moves);
        const SmithLabels& labels = graph.labels;
        const auto goes_back = [&](std::uint32_t from, std::uint32_t over) {
            return std::ranges::any_of(moves[over], [&](std::size_t reply) {
                const auto to = static_cast<std::uint32_t>(reply);
                return labels.value(to) == labels.value(from) &&
                       labels.counter(to) < labels.counter(from);
            });
        };
        for (std::uint32_t v = 0; v < moves.size(); ++v) {
            if (!labels.is_finite(v)) continue;
            for (const std::uint32_t option : graph.graph().options(v)) {
                ASSERT_NE(labels.value(option), labels.value(v));
                if (labels.value(option) < labels.value(v)) {
                    ASSERT_LT(labels.counter(option), labels.counter(v));
                } else {
                    ASSERT_TRUE(goes_back(v, option)) << i << ": " << v << "->" << option;
                }
            }
        }
    }
}

TEST(SmithLabels, TellTheOutcomesOfSums) {
    std::mt19937_64 random(1975);
    int drawn = 0, won = 0, draws_by_two = 0;
    for (int i = 0; i < ::test::tries(1500); ++i) {
        std::vector<Moves> graphs;
        for (Count j = 1 + uniform_below(random, 3); j > 0; --j) {
            graphs.push_back(random_graph(random, 7));
        }
        graphs.push_back(nim_graph(uniform_below(random, 4)));
        std::vector<Labelled> labelled(graphs.begin(), graphs.end());
        const Product product(graphs);
        const auto verdicts = verdicts_of(product.moves());
        for (std::size_t p = 0; p < verdicts.size(); ++p) {
            const Total total(labelled, product.tokens(p));
            ASSERT_EQ(total.outcome(), verdicts[p].outcome) << i << ' ' << p;
            drawn += total.outcome() == Outcome::D;
            won += total.outcome() == Outcome::N;
            draws_by_two += total.infinite_count > 1;
            if (total.outcome() != Outcome::N) continue;
            for (const std::size_t next : product.moves()[p]) {
                const Total after(labelled, product.tokens(next));
                ASSERT_EQ(after.infinite_count == 0 && after.finite == 0,
                          verdicts[next].outcome == Outcome::P);
            }
        }
    }
    EXPECT_GT(drawn, ::test::tries(10000));
    EXPECT_GT(won, ::test::tries(5000));
    EXPECT_GT(draws_by_two, ::test::tries(10000));
}

TEST(SmithLabels, TwoGamesThatAreEachWonMayBeDrawnTogether) {
    const std::vector<Moves> graphs(2, Moves{{0, 1}, {}});  // stay, or go to the end
    const Product product(graphs);
    EXPECT_EQ(verdicts_of(graphs[0])[0], (Verdict{Outcome::N, 1}));
    EXPECT_EQ(verdicts_of(product.moves())[0].outcome, Outcome::D);
    const std::vector<Labelled> labelled(graphs.begin(), graphs.end());
    EXPECT_EQ(Total(labelled, {0, 0}).outcome(), Outcome::D);
}

TEST(SmithLabels, TakeGivenLabelsForVerticesWithoutOptions) {
    const std::vector<std::uint64_t> first{0, 0, 0, 2, 3};
    const std::vector<std::uint32_t> targets{0, 1, 3};
    std::optional<SmithLabels> labels;
    ASSERT_TRUE(find_smith_labels({first, targets}, {{0, 1}, {1, 0}}, labels).run({}));
    EXPECT_EQ(labels->value(0), 1u);
    EXPECT_EQ(labels->value(2), 2u);
    EXPECT_FALSE(labels->is_finite(3));
}

TEST(SmithLabels, ResumeWhereTheyWereStopped) {
    std::mt19937_64 random(3);
    Moves moves(60000);  // some steps long
    for (auto& options : moves) {
        for (int i = 0; i < 4; ++i) options.push_back(uniform_below(random, moves.size()));
    }
    moves.emplace_back();
    const Labelled at_once(moves);
    std::optional<SmithLabels> labels;
    Steps labelling = find_smith_labels(at_once.graph(), {}, labels);
    std::stop_source stop;
    stop.request_stop();
    int runs = 1;
    while (!labelling.run({{}, stop.get_token()})) ++runs;
    EXPECT_GT(runs, 5);
    for (std::uint32_t v = 0; v < moves.size(); ++v) {
        ASSERT_EQ(labels->value(v), at_once.labels.value(v));
    }
}

}  // namespace engine::test::smith_labels_test

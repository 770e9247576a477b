#include "engine/heaps/solvers.hpp"

#include "engine/heaps/smith_labels.hpp"
#include "engine/rules/graph.hpp"
#include "tests/agreement/play_back_oracle.hpp"
#include "tests/agreement/random_rulesets.hpp"
#include "tests/engine/follower_listing.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::test::graph_solver_test {

TEST(GraphSolver, KnowsTheLabelsOfTheExampleOfTheLiterature) {
    const auto solver = solver_of("graph{a->b;b->c;c->d;d->a,e;e->f}");
    std::string texts;
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
        texts += to_string(*solver->nimber(vertex(name), {})) + " ";
    }
    EXPECT_EQ(texts, "inf{} inf{} inf{} inf{1} 1 0 ");
}

TEST(GraphSolver, FindsFollowersByNimber) {
    const auto solver = solver_of("graph{a->b,c,d,e;d->c;e->e}");  // b, c: 0; d: 1
    EXPECT_EQ(to_string(*solver->nimber(vertex("a"), {})), "inf{0,1}");
    EXPECT_EQ(solver->count_followers(vertex("a"), finite(0), {}).count, 2u);
    EXPECT_TRUE(solver->count_followers(vertex("a"), finite(0), {}).complete);
    EXPECT_EQ(solver->follower(vertex("a"), finite(0), 1, {}), std::vector{vertex("c")});
    EXPECT_EQ(solver->find_follower(vertex("a"), finite(1), {}), std::vector{vertex("d")});
    EXPECT_EQ(solver->find_follower(vertex("a"), finite(2), {}), std::nullopt);
    EXPECT_EQ(solver->find_follower(vertex("a"), Nimber(protocol::Ordinal{{{1, 1}}}), {}),
              std::nullopt);
    EXPECT_EQ(solver->list_followers(vertex("a"), finite(0), 1, {}).size(), 1u);
    EXPECT_EQ(solver->has_nimber(vertex("d"), 1, {}), true);
    EXPECT_EQ(solver->has_nimber(vertex("a"), SmithLabels::kInfinite, {}), false);
}

TEST(GraphSolver, AgreesWithTheOracle) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 500; ++i) {
        const std::string text = random_graph_text(random, 9);
        const auto solver = solver_of(text);
        const Game game = game_of(text + ":a");
        PlayBackOracle oracle;
        const Nimber value = *solver->nimber(vertex("a"), {});
        const bool wins = is_loopy(value) ? std::ranges::binary_search(
                                                std::get<Loopy>(value).values, std::uint64_t{0})
                                          : !is_zero(value);
        const Outcome outcome = wins ? Outcome::N : is_loopy(value) ? Outcome::D : Outcome::P;
        ASSERT_EQ(outcome, oracle.outcome(game)) << text;
        if (outcome == Outcome::N) {
            ASSERT_EQ(solver->count_followers(vertex("a"), finite(0), {}).count,
                      oracle.best_moves(game)->size());
        }
    }
}

// A cycle with a way out of each vertex, large enough for some steps.
std::string large_graph() {
    std::string text = "graph{";
    for (int i = 0; i < 3000; ++i) {
        text += "v" + std::to_string(i) + "->v" + std::to_string((i + 1) % 3000);
        for (int j = 1; j <= 10; ++j) text += ",end" + std::to_string(i * j % 100);
        text += ";";
    }
    return text + "end0}";
}

TEST(GraphSolver, LabelsInStepsAndResumesLater) {
    const auto solver = make_graph_solver(*find_ruleset({large_graph()}));
    const Budget spent = Budget::spent();
    int calls = 0;
    while (!solver->nimber(vertex("v0"), spent)) ++calls;
    EXPECT_GT(calls, 0);
    EXPECT_EQ(to_string(*solver->nimber(vertex("v0"), spent)), "inf{0}");
}

TEST(GraphSolver, IsSharedByThreads) {
    const auto solver = solver_of(large_graph());
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back(
            [&] { EXPECT_EQ(to_string(*solver->nimber(vertex("v7"), {})), "inf{0}"); });
    }
}

TEST(GraphSolver, DoesNotKnowWithoutMemory) {
    const auto solver = make_graph_solver(*find_ruleset({large_graph()}));
    {
        const LittleMemory memory(0);
        EXPECT_EQ(solver->nimber(vertex("v0"), {}), std::nullopt);
    }
    EXPECT_TRUE(solver->nimber(vertex("v0"), {}));
}

}  // namespace engine::test::graph_solver_test

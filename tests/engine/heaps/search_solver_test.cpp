#include "engine/heaps/solvers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/heaps/nimber_search.hpp"
#include "engine/heaps/search_games.hpp"
#include "tests/engine/follower_listing.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::test::search_solver_test {

constexpr const char* kWythoff =
    "rules{(a,b)->(a-k,b):k>=1;(a,b)->(a,b-k):k>=1;(a,b)->(a-k,b-k):k>=1}";

// Numbers that get smaller, numbers that split, tuples, tuples with `stop`, tuples that grow.
std::vector<std::pair<std::string, std::vector<Heap>>> cases() {
    std::vector<Heap> numbers;
    for (Number n = 0; n <= 40; ++n) numbers.emplace_back(n);
    std::vector<Heap> pairs;
    std::vector<Heap> triples;
    for (Number a = 0; a <= 6; ++a) {
        for (Number b = 0; b <= 6; ++b) {
            pairs.push_back(heap_with({a, b}));
            for (Number c = 0; c <= 4; ++c) triples.push_back(heap_with({a, b, c}));
        }
    }
    return {
        {"rules{n->n-k:k>=1&n%k=0&k<n}", numbers},
        {"rules{n->x,n-x:0<x&x<n-x}", numbers},
        {"rules{n->n/2:n>1;n->n-1}", numbers},
        {"rules{n->x,n-x-1:0<=x&x<=n-1;n->n-3}", numbers},
        {kWythoff, pairs},
        {"rules{(a,b)->(a-1,b+1):a>0;(a,b)->(a,b-k):k>=1&k<=2}", pairs},
        {"rules{(a,b)->(a-1,0),(0,b):a>0;(a,b)->(a,b-2)}", pairs},
        {"rules{(a,b,c)->(a-k,b,c):k>=1&a%k=0;(a,b,c)->(a,b-1,c-1);stop:a+b+c<=1}", triples},
    };
}

TEST(SearchSolver, AsksTheTableOfSmallerHeapsForMoves) {
    // P-positions: …, 2396, 3595, 5393, …
    const auto rules = ruleset_of("rules{n->n-k:k>=1&3*k<=n}");
    const auto solver = make_search_solver(rules);
    ASSERT_EQ(solver->nimber(Heap(Number{3595}), {}), finite(0));
    const auto follower = solver->find_follower(Heap(Number{5000}), finite(0), {});
    ASSERT_TRUE(follower);
    EXPECT_EQ(*follower, std::vector<Heap>{Heap(Number{3595})});
    EXPECT_EQ(solver->nimber(Heap(Number{4999}), Budget::spent()), std::nullopt)
        << "what is known is enough";
    ASSERT_EQ(solver->has_nimber(Heap(Number{5000}), 0, {}), false);
    EXPECT_NE(solver->nimber(Heap(Number{4999}), Budget::spent()), std::nullopt);
    const auto zeros = solver->list_followers(Heap(Number{5000}), finite(0), 9, {});
    ASSERT_EQ(zeros.size(), 1U);
    EXPECT_EQ(zeros.front(), *follower);
}

TEST(SearchSolver, KnowsEverySmallHeap) {
    for (const auto& [text, heaps] : cases()) {
        SCOPED_TRACE(text);
        const auto rules = ruleset_of(text);
        const auto solver = make_search_solver(rules);
        Mex mex(*rules);
        for (const Heap& heap : heaps) {
            const auto fresh = make_search_solver(rules);
            EXPECT_EQ(fresh->has_nimber(heap, 1, {}), mex.nimber(heap) == 1) << to_string(heap);
            expect_solved(*rules, *solver, heap, mex);
        }
    }
}

TEST(SearchSolver, TakesTheTableForNumbersThatReachMany) {
    const auto few = make_search_solver(ruleset_of("rules{n->n-1;n->n-3;n->n-4}"));
    EXPECT_EQ(few->nimber(Heap(Number{20000}), {}), finite(1));  // period 7: 0 1 0 1 2 3 2
    EXPECT_EQ(few->has_nimber(Heap(Number{20001}), 0, {}), true);
    const auto halving = make_search_solver(ruleset_of("rules{n->n/2:n>0}"));
    EXPECT_EQ(halving->nimber(Heap(protocol::kMaxNumber), {}), finite(1));  // 63 moves
}

TEST(SearchSolver, SearchesTuplesFarLargerThanATable) {
    const auto solver =
        make_search_solver(ruleset_of("rules{(a,b)->(a-1,b):a>0;(a,b)->(a,b-1):b>0}"));
    EXPECT_EQ(solver->has_nimber(heap_with({150, 151}), 1, {}), true);
    EXPECT_EQ(solver->nimber(heap_with({0, 20000}), {}), finite(0));
}

TEST(SearchSolver, ResumesWhereItsTimeEnded) {
    const auto solver = make_search_solver(ruleset_of(kWythoff));
    std::optional<bool> has;
    const std::clock_t begin = std::clock();
    while (!has) {
        ASSERT_LT(std::clock() - begin, 60 * CLOCKS_PER_SEC) << "it begins again each time";
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
        has = solver->has_nimber(heap_with({36, 60}), 0, Budget{deadline, {}});
    }
    EXPECT_EQ(has, false);  // {37,60} is the 23rd cold pair
    EXPECT_EQ(solver->has_nimber(heap_with({37, 60}), 0, {}), true);
}

TEST(SearchSolver, LeavesLoopsToLabels) {
    // 3 can go round with 2, and to 0.
    const auto solver = make_search_solver(ruleset_of("rules{n->5-n:n=2|n=3;n->0:n=3}"));
    EXPECT_EQ(solver->nimber(Heap(Number{0}), {}), finite(0));
    EXPECT_EQ(solver->has_nimber(Heap(Number{3}), 0, {}), false);
    EXPECT_EQ(solver->nimber(Heap(Number{2}), {}), finite(0)) << "3 is answered by 0";
    EXPECT_EQ(solver->nimber(Heap(Number{3}), {}), finite(1));
    EXPECT_GT(solver->counter(Heap(Number{3}), {}), solver->counter(Heap(Number{2}), {}));
    const auto round = make_search_solver(ruleset_of("rules{n->5-n:n=2|n=3}"));
    EXPECT_EQ(round->nimber(Heap(Number{2}), {}), Nimber(Loopy{}));
    EXPECT_EQ(round->has_nimber(Heap(Number{2}), 0, {}), false);
}

// In some of these rooms one array of the table can grow to 960 numbers, and the other cannot.
TEST(SearchSolver, GoesOnOnceThereIsMemory) {
    const auto rules = ruleset_of("rules{n->n-k:k>=1}");
    const Heap heap(Number{1500});
    for (std::size_t room = 8500; room < 12000; room += 500) {
        const auto solver = make_search_solver(rules);
        {
            const LittleMemory memory(room);
            ASSERT_EQ(solver->nimber(heap, {}), std::nullopt) << room;
        }
        ASSERT_EQ(solver->nimber(heap, {}), finite(1500)) << room;
    }
}

// A hundred million followers: what is kept of each is counted.
TEST(RulesetGame, ListsFollowersWithinTheMemory) {
    const LittleMemory memory(1000000);
    const RulesetGame game(ruleset_of("pass{0.77}"));
    std::size_t visited = 0;
    const bool all = game.visit_followers(
        RulesetGame::state_of(heap_with({100000000, 100})), {},
        [&](std::span<const RulesetGame::State>) { return ++visited < 100000; });
    EXPECT_FALSE(all);
    EXPECT_LT(visited, 100000u);
    const Budget budget = Budget{}.at_most(std::chrono::seconds(60));
    const auto solver = make_search_solver(ruleset_of("pass{0.77}"));
    EXPECT_EQ(
        solver->find_follower(heap_with({100000000, 100}), Nimber(std::uint64_t{77}), budget),
        std::nullopt);
    EXPECT_FALSE(budget.is_spent());
}

// As sets of cells or vertices, and by the lists of the rules.
void expect_same_nimbers(const std::string& ruleset, const std::vector<Heap>& heaps) {
    const auto rules = ruleset_of(ruleset);
    const auto sets = solver_of(ruleset);
    const auto lists = make_search_solver(rules);
    for (const Heap& heap : heaps) {
        const auto nimber = lists->nimber(heap, {});
        ASSERT_TRUE(nimber);
        ASSERT_EQ(sets->nimber(heap, {}), nimber) << ruleset << ':' << to_string(heap);
        for (const std::uint64_t asked : {0, 1, 2}) {
            ASSERT_EQ(sets->has_nimber(heap, asked, {}), *nimber == finite(asked))
                << ruleset << ':' << to_string(heap);
            const auto one = sets->find_follower(heap, finite(asked), {});
            ASSERT_EQ(one.has_value(),
                      lists->find_follower(heap, finite(asked), {}).has_value());
        }
    }
}

// A path of `length` cells on a board of 8 by 8: down, right, down and so on, or to and fro
// along the rows that `comb` leaves between them.
std::string snake(std::size_t length, bool comb) {
    std::vector<std::string> rows(8, std::string(8, 'x'));
    std::size_t row = 0, column = 0;
    for (std::size_t i = 0; i < length; ++i) {
        rows[row][column] = 'o';
        const bool forth = row % 4 < 2;
        const bool down = comb ? row % 2 == 1 || column == (forth ? 7U : 0U) : i % 2 == 0;
        down ? ++row : comb && !forth ? --column : ++column;
    }
    return fmt::format("{}", fmt::join(rows, "_"));
}

TEST(VertexGame, TakesAPathForARowWhereverItBends) {
    std::vector<Heap> paths;
    for (std::size_t length = 2; length <= 15; ++length) {
        paths.emplace_back(protocol::Vertex{snake(length, false)});
    }
    for (std::size_t length = 9; length <= 35; ++length) {
        paths.emplace_back(protocol::Vertex{snake(length, true)});
    }
    expect_same_nimbers("cram", paths);
}

TEST(VertexGame, KeepsOneOfTheLeavesOfAVertex) {
    const VertexGame game;
    const auto states_of = [&](const char* board) { return game.states_of(vertex(board)); };
    EXPECT_EQ(states_of("xox_ooo_xox"), states_of("oo"));
    EXPECT_EQ(states_of("oxo_ooo_xxo"), states_of("oxo_ooo"));
}

// Regions that half a turn maps to themselves, with holes, of all parities.
TEST(VertexGame, HasTheNimbersOfTheListsWhereOneMayMirror) {
    std::mt19937_64 random(11);
    std::vector<Heap> boards;
    for (int i = 0; i < 60; ++i) {
        const std::size_t columns = 1 + random() % 5, rows = 1 + random() % 4;
        std::string cells(rows * columns, 'o');
        for (std::size_t cell = 0; cell <= cells.size() / 2; ++cell) {
            if (random() % 4 == 0) cells[cell] = cells[cells.size() - 1 - cell] = 'x';
        }
        std::string board;
        for (std::size_t row = 0; row < rows; ++row) {
            board += (row > 0 ? "_" : "") + cells.substr(row * columns, columns);
        }
        boards.emplace_back(protocol::Vertex{board});
    }
    expect_same_nimbers("cram", boards);
}

TEST(VertexGame, HasTheNimbersOfTheLists) {
    std::mt19937_64 random(7);
    std::vector<Heap> boards, sets;
    for (int i = 0; i < 60; ++i) {
        // The last ones have a side of 9, and regions on both sides of 8.
        const std::size_t rows = 1 + random() % 5, columns = i < 50 ? 1 + random() % 5 : 9;
        std::string board;
        for (std::size_t row = 0; row < std::min<std::size_t>(rows, 3 + (i < 50)); ++row) {
            if (row > 0) board += '_';
            for (std::size_t c = 0; c < columns; ++c) board += random() % 4 == 0 ? 'x' : 'o';
        }
        boards.emplace_back(protocol::Vertex{board});
        sets.emplace_back(Number{random() % (1 << 14)});
    }
    expect_same_nimbers("cram", boards);
    for (int i = 0; i < 4; ++i) {
        std::string graph;
        for (char v = 'a'; v < 'o'; ++v) {
            graph += std::string(graph.empty() ? "" : ";") + v;
            for (char w = 'a'; w < v; ++w) {
                if (random() % 5 == 0)
                    graph += (graph.back() == v ? "->" : ",") + std::string(1, w);
            }
        }
        expect_same_nimbers("node-kayles{" + graph + '}', sets);
        expect_same_nimbers("arc-kayles{" + graph + '}', sets);
    }
}

TEST(RulesetGame, PacksTuplesWithoutLoss) {
    const std::vector<std::vector<Number>> all{{0, 0},
                                               {1, 0},
                                               {0, 1},
                                               {127, 128},
                                               {128, 127},
                                               {16383, 16384},
                                               {300, 5},
                                               {protocol::kMaxNumber, 0},
                                               {protocol::kMaxNumber, protocol::kMaxNumber}};
    std::set<RulesetGame::State> states;
    for (const auto& entries : all) {
        const auto state = RulesetGame::state_of(entries);
        EXPECT_EQ(RulesetGame::heap_of(state), heap_with(entries));
        states.insert(state);
    }
    EXPECT_EQ(states.size(), all.size());
    for (const Heap& heap : {Heap(Number{5}), Heap(Number{300}), vertex("oxo_ooo")}) {
        EXPECT_EQ(RulesetGame::heap_of(RulesetGame::state_of(heap)), heap);
    }
}

}  // namespace engine::test::search_solver_test

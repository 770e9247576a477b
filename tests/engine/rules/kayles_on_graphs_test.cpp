#include "tests/agreement/play_back_oracle.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test::kayles_on_graphs_test {

// A graph as pairs of vertices, played by the book.
struct Graph {
    unsigned vertices = 0;
    std::set<std::pair<unsigned, unsigned>> edges;  // the smaller vertex first

    bool joins(unsigned a, unsigned b) const { return edges.contains(std::minmax(a, b)); }

    // "v0;v1;v2;v0->v1": all vertices named in order.
    std::string text() const {
        std::string text;
        for (unsigned v = 0; v < vertices; ++v) {
            text += (v > 0 ? ";v" : "v") + std::to_string(v);
        }
        for (const auto& [a, b] : edges) {
            text += ";v" + std::to_string(b) + "->v" + std::to_string(a);
        }
        return text;
    }
};

std::set<unsigned> vertices_of(Number heap) {
    std::set<unsigned> set;
    for (unsigned v = 0; v < 64; ++v) {
        if ((heap >> v & 1) != 0) set.insert(v);
    }
    return set;
}

std::vector<Heap> connected_parts(const Graph& graph, std::set<unsigned> left) {
    std::vector<Heap> parts;
    while (!left.empty()) {
        std::set<unsigned> part{*left.begin()};
        for (bool grows = true; grows;) {
            grows = false;
            for (const unsigned v : left) {
                for (const unsigned w : part) {
                    if (part.contains(v) || !graph.joins(v, w)) continue;
                    part.insert(v);
                    grows = true;
                    break;
                }
            }
        }
        Number number = 0;
        for (const unsigned v : part) {
            number += Number{1} << v;
            left.erase(v);
        }
        parts.emplace_back(number);
    }
    std::ranges::sort(parts);
    if (parts.empty()) parts.emplace_back(Number{0});
    return parts;
}

Followers node_moves(const Graph& graph, Number heap) {
    Followers moves;
    for (const unsigned v : vertices_of(heap)) {
        auto left = vertices_of(heap);
        std::erase_if(left, [&](unsigned w) { return v == w || graph.joins(v, w); });
        moves.insert(connected_parts(graph, left));
    }
    return moves;
}

Followers arc_moves(const Graph& graph, Number heap) {
    Followers moves;
    for (const auto& [a, b] : graph.edges) {
        auto left = vertices_of(heap);
        if (!left.contains(a) || !left.contains(b)) continue;
        left.erase(a);
        left.erase(b);
        moves.insert(connected_parts(graph, left));
    }
    return moves;
}

Graph random_graph(std::mt19937_64& random, unsigned vertices) {
    Graph graph{vertices, {}};
    for (unsigned b = 0; b < vertices; ++b) {
        for (unsigned a = 0; a < b; ++a) {
            if (random() % 5 < 2) graph.edges.emplace(a, b);
        }
    }
    return graph;
}

Graph path(unsigned vertices) {
    Graph graph{vertices, {}};
    for (unsigned v = 1; v < vertices; ++v) graph.edges.emplace(v - 1, v);
    return graph;
}

Graph grid(unsigned rows, unsigned columns) {
    Graph graph{rows * columns, {}};
    for (unsigned cell = 0; cell < rows * columns; ++cell) {
        if (cell % columns + 1 < columns) graph.edges.emplace(cell, cell + 1);
        if (cell / columns + 1 < rows) graph.edges.emplace(cell, cell + columns);
    }
    return graph;
}

std::string full(const std::string& name, const Graph& graph) {
    return name + "{" + graph.text() + "}:" + std::to_string((Number{1} << graph.vertices) - 1);
}

TEST(KaylesOnGraphs, TakesVerticesOrEdges) {
    const Followers results = number_results(7);
    std::mt19937_64 random(1);
    for (int i = 0; i < 60; ++i) {
        const Graph graph = random_graph(random, 1 + static_cast<unsigned>(random() % 8));
        const auto heaps = heaps_with(all_tuples(1, (Number{1} << graph.vertices) - 1));
        const Followers single = results_of(heaps);
        for (const bool nodes : {false, true}) {
            const auto moves = [&](const std::vector<Number>& heap) {
                return (nodes ? node_moves : arc_moves)(graph, heap[0]);
            };
            expect_by_the_book((nodes ? "node-kayles{" : "arc-kayles{") + graph.text() + "}",
                               heaps, moves, i % 4 == 0 ? results : single);
        }
    }
}

TEST(KaylesOnGraphs, WritesPartsSortedAndLoneVerticesToo) {
    const auto texts = [](const std::string& position) {
        return sorted_texts(game_of(position).moves(100));
    };
    using Texts = std::vector<std::string>;
    EXPECT_EQ(texts("node-kayles{a->b;b->c;c->d;d->e}:31"),
              Texts({"1=1,16", "1=24", "1=28", "1=3", "1=7"}));
    EXPECT_EQ(texts("arc-kayles{a->b;b->c;c->d;d->e}:31"),
              Texts({"1=1,24", "1=28", "1=3,16", "1=7"}));
    EXPECT_EQ(texts("node-kayles{a}:1"), Texts({"1=0"}));
    EXPECT_EQ(texts("arc-kayles{b->a;c}:7"), Texts({"1=4"}));
    EXPECT_EQ(texts("arc-kayles{b->a;c}:4,0"), Texts());
    const Game game = game_of("arc-kayles{a->b;b->c;c->d;d->e}:31");
    EXPECT_EQ(to_string(*game.read_move("1=16,0,3")), "1=3,16");
    EXPECT_FALSE(game.read_move("1=3"));
}

TEST(KaylesOnGraphs, RefusesWhatIsNoGraphOrNoHeap) {
    expect_refused(
        {{"node-kayles{a->b;c->c}", 13,
          "read 'c->c', expected edges between different vertices: no loops"},
         {"node-kayles{a->b;b->a}", 13,
          "read 'b->a', expected each edge once, in either direction: no double edges"},
         {"arc-kayles{a->b,b}", 12,
          "read 'a->b', expected each edge once, in either direction: no double edges"},
         {"arc-kayles{}", 12, "read '}', expected a vertex: letters, digits and '_'"},
         {"node-kayles{" + Graph{64, {}}.text() + "}", 13,
          "read a graph of 64 vertices, expected at most 63"}});
    EXPECT_TRUE(ruleset_of("arc-kayles{a->b;c}")->check_heap(Heap(Number{7})));
    expect_refused_heaps(
        "arc-kayles{a->b;c}", {"8", "(1,2)"},
        "a number up to 7: bit i of a heap of arc-kayles says that vertex i is there");
}

TEST(KaylesOnGraphs, TakesTheLargestGraphs) {
    const Graph graph = path(63);
    for (const std::string name : {"node-kayles", "arc-kayles"}) {
        const Game game = game_of(full(name, graph));
        EXPECT_EQ(game.move_count(), name == "arc-kayles" ? 62U : 63U);
    }
}

TEST(KaylesOnGraphs, TellsNoPathsOfALengthApart) {
    const auto rules = ruleset_of("node-kayles{a->b;b->c;c->d;d->a;d->e;e->f;g->h;h->i}");
    const auto reduced = [&](Number heap) {
        return *rules->reduced(Heap(heap), Convention::Misere);
    };
    EXPECT_EQ(reduced(0b000000011), reduced(0b000110000));
    EXPECT_EQ(reduced(0b111000000), reduced(0b000000111));
    EXPECT_EQ(reduced(0b100000001).size(), 2U);
    EXPECT_EQ(reduced(0b100000000), reduced(0b000000001));
    EXPECT_EQ(reduced(0b000001111), std::vector<Heap>{Heap(Number{15})});  // a cycle
    EXPECT_TRUE(ruleset_of("arc-kayles{a->b;c}")
                    ->reduced(Heap(Number{5}), Convention::Misere)
                    ->empty());
}

// On a path of n vertices: Dawson's Chess and Dawson's Kayles.
TEST(KaylesOnGraphs, OnPathsIsDawson) {
    for (unsigned n = 1; n <= 24; ++n) {
        EXPECT_EQ(nimber_text(full("node-kayles", path(n))),
                  nimber_text("octal{0.137}:" + std::to_string(n)));
        EXPECT_EQ(nimber_text(full("arc-kayles", path(n))),
                  nimber_text("octal{0.07}:" + std::to_string(n)));
    }
    EXPECT_EQ(nimber_text(full("node-kayles", path(63))), nimber_text("octal{0.137}:63"));
    EXPECT_EQ(nimber_text(full("arc-kayles", path(63))), nimber_text("octal{0.07}:63"));
}

TEST(KaylesOnGraphs, OnGridsIsCram) {
    EXPECT_EQ(nimber_text(full("arc-kayles", grid(3, 4))), nimber_text("cram:oooo_oooo_oooo"));
    EXPECT_EQ(nimber_text(full("arc-kayles", grid(3, 5))),
              nimber_text("cram:ooooo_ooooo_ooooo"));
    EXPECT_EQ(nimber_text(full("arc-kayles", grid(4, 4))),
              nimber_text("cram:oooo_oooo_oooo_oooo"));
}

TEST(KaylesOnGraphs, AgreesWithPlayUnderMisere) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 20; ++i) {
        PlayBackOracle oracle(100000);
        const Graph graph = random_graph(random, 7);
        for (const std::string name : {"node-kayles", "arc-kayles"}) {
            const std::string text =
                full(name, graph) + "," + std::to_string(random() % 128) + " misere";
            EXPECT_EQ(make_analyst()->outcome(game_of(text), {}), oracle.outcome(game_of(text)))
                << text;
        }
    }
}

}  // namespace engine::test::kayles_on_graphs_test

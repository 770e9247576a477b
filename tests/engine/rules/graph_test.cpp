#include "engine/rules/graph.hpp"

#include "tests/engine/follower_listing.hpp"
#include "tests/harness/temporary_file.hpp"

namespace engine::test::graph_test {

using Edges = std::map<std::string, std::set<std::string>>;

void expect_edges(const Ruleset& rules, const Edges& edges) {
    Followers results;
    for (const auto& [name, targets] : edges) results.insert({vertex(name)});
    results.insert({vertex("nowhere")});
    results.insert({Heap(Number{0})});
    for (const auto& [name, targets] : edges) {
        ASSERT_TRUE(rules.check_heap(vertex(name)));
        Followers expected;
        for (const auto& target : targets) expected.insert({vertex(target)});
        expect_followers(rules, vertex(name), expected);
        expect_allowed(rules, vertex(name), expected, results);
    }
}

const Graph& graph_of(const std::shared_ptr<const Ruleset>& rules) {
    return dynamic_cast<const Graph&>(*rules);
}

TEST(Graph, MovesAlongEdges) {
    struct Case {
        const char* text;
        Edges edges;
        bool has_cycle;
    };
    const Case cases[] = {
        {"graph{a}", {{"a", {}}}, false},
        {"graph{a->b}", {{"a", {"b"}}, {"b", {}}}, false},
        {"graph{a->b,c;b->c}", {{"a", {"b", "c"}}, {"b", {"c"}}, {"c", {}}}, false},
        {"graph{a->b;a->c;b;a->b,b}", {{"a", {"b", "c"}}, {"b", {}}, {"c", {}}}, false},
        {"graph{a->a}", {{"a", {"a"}}}, true},
        {"graph{a->b;b->c;c->a,d}",
         {{"a", {"b"}}, {"b", {"c"}}, {"c", {"a", "d"}}, {"d", {}}},
         true},
        {"graph{0->007,7;007->7}", {{"0", {"007", "7"}}, {"007", {"7"}}, {"7", {}}}, false},
        {"graph{A->a;a->_;_->A_very_long_name_1,A_very_long_name_2}",
         {{"A", {"a"}},
          {"a", {"_"}},
          {"_", {"A_very_long_name_1", "A_very_long_name_2"}},
          {"A_very_long_name_1", {}},
          {"A_very_long_name_2", {}}},
         false},
        // 8 bytes and 9: where names cease to be their own key.
        {"graph{abcdefgh->abcdefghi,abcdefg}",
         {{"abcdefgh", {"abcdefghi", "abcdefg"}}, {"abcdefghi", {}}, {"abcdefg", {}}},
         false},
    };
    for (const auto& [text, edges, has_cycle] : cases) {
        SCOPED_TRACE(text);
        const auto rules = ruleset_of(text);
        expect_edges(*rules, edges);
        EXPECT_EQ(rules->can_repeat(), has_cycle);
        EXPECT_EQ(graph_of(rules).graph().vertex_count(), edges.size());
    }
}

// A cycle, found by walking along every path.
bool comes_back(const Edges& edges, const std::string& from, std::set<std::string>& path) {
    if (!path.insert(from).second) return true;
    for (const auto& target : edges.at(from)) {
        if (comes_back(edges, target, path)) return true;
    }
    path.erase(from);
    return false;
}

TEST(Graph, IsWhatItsTextSays) {
    std::mt19937_64 random(5);
    int cyclic = 0;
    for (int i = 0; i < 300; ++i) {
        Edges edges;
        std::string text = "graph{";
        const auto name = [&] {
            const auto number = std::to_string(random() % 12);
            return random() % 2 ? "v" + number : "vertex_number_" + number;
        };
        const std::size_t entries = 1 + random() % 12;
        for (std::size_t entry = 0; entry < entries; ++entry) {
            const std::string from = name();
            edges[from];
            text += (entry > 0 ? ";" : "") + from;
            const std::size_t targets = random() % 3;
            for (std::size_t target = 0; target < targets; ++target) {
                const std::string to = name();
                edges[from].insert(to);
                edges[to];
                text += (target > 0 ? "," : "->") + to;
            }
        }
        text += "}";
        SCOPED_TRACE(text);
        const auto rules = ruleset_of(text);
        expect_edges(*rules, edges);
        bool has_cycle = false;
        for (const auto& [from, targets] : edges) {
            std::set<std::string> path;
            has_cycle = has_cycle || comes_back(edges, from, path);
        }
        EXPECT_EQ(rules->can_repeat(), has_cycle);
        cyclic += has_cycle ? 1 : 0;
    }
    EXPECT_GT(cyclic, 30);
    EXPECT_LT(cyclic, 270);
}

TEST(Graph, KnowsItsVerticesByIndex) {
    const auto rules = ruleset_of("graph{x->z,y;y->x}");
    const Digraph& graph = graph_of(rules).graph();
    EXPECT_EQ(graph.edge_count(), 3u);
    EXPECT_EQ(graph.name(0), "x");
    EXPECT_EQ(graph.name(1), "z");
    EXPECT_EQ(graph.name(2), "y");
    EXPECT_EQ(graph.find("y"), Digraph::Index{2});
    EXPECT_EQ(graph.find("w"), std::nullopt);
    EXPECT_EQ(graph.find(""), std::nullopt);
    const auto targets = graph.targets(0);
    EXPECT_EQ(std::vector(targets.begin(), targets.end()), (std::vector<Digraph::Index>{1, 2}));
    EXPECT_TRUE(graph.targets(1).empty());
}

TEST(Graph, SaysWhatIsWrong) {
    const std::string name = "expected a vertex: letters, digits and '_'";
    const std::string target = "expected a vertex where the edge leads to";
    expect_refused({
        {"graph{}", 7, "read '}', " + name},
        {"graph{;}", 7, "read ';', " + name},
        {"graph{a;}", 9, "read '}', " + name},
        {"graph{->a}", 7, "read '-', " + name},
        {"graph{a->}", 10, "read '}', " + target},
        {"graph{a->;b}", 10, "read ';', " + target},
        {"graph{a->b,}", 12, "read '}', " + target},
        {"graph{a->,b}", 10, "read ',', " + target},
        {"graph{a-b}", 9, "read 'b', expected '>' after '-'"},
        {"graph{a>b}", 8, "read '>', expected ';', '->' or the end of the graph"},
        {"graph{a,b}", 8, "read ',', expected ';', '->' or the end of the graph"},
        {"graph{a->b->c}", 11, "read '-', expected ',', ';' or the end of the graph"},
        {"graph{a->b#}", 11, "read '#', expected ',', ';' or the end of the graph"},
        {"graph{a.b}", 8, "read '.', expected ';', '->' or the end of the graph"},
        {"graph", 1,
         "read 'graph', expected parameters in braces after it, such as graph{a->b,c;b->c}"},
    });
}

TEST(Graph, NamesTheVerticesThatItHas) {
    const auto error = [](const char* graph, const char* name) {
        return ruleset_of(graph)->check_heap(vertex(name)).error().text;
    };
    EXPECT_EQ(error("graph{a->b}", "c"), "read 'c', expected a vertex of the graph: a, b");
    EXPECT_EQ(error("graph{1;2;3;4;5;6;7;8;9}", "01"),
              "read '01', expected a vertex of the graph: 1, 2, 3, 4, 5, 6, 7, 8, …");
    EXPECT_FALSE(ruleset_of("graph{5}")->check_heap(Heap(Number{5})));
}

// ---- files ----

class GraphFile : public ::testing::Test {
  protected:
    Result<Digraph> load(const std::string& text) {
        std::ofstream(path_, std::ios::binary) << text;
        auto loaded = load_graph(path_);
        if (!loaded) return loaded.error();
        return std::move(loaded->graph);
    }

    const ::test::TemporaryFile file_;
    const std::string& path_ = file_.path();
};

TEST_F(GraphFile, ReadsWordsApart) {
    const auto graph = load(
        "# a ring\n"
        "a -> b,\tc ;\r\n"
        "  b\n->\nc # where b leads to\n"
        ";c->a\n\n");
    ASSERT_TRUE(graph) << graph.error().text;
    EXPECT_EQ(graph->vertex_count(), 3u);
    EXPECT_EQ(graph->edge_count(), 4u);
    EXPECT_TRUE(graph->has_cycle());
    EXPECT_TRUE(load("lonely"));
}

TEST_F(GraphFile, SaysWhichLineIsWrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"", "line 1: read the end, expected a vertex: letters, digits and '_'"},
        {"# nothing\n", "line 2: read the end, expected a vertex: letters, digits and '_'"},
        {"a->b;\nb->;", "line 2: read ';', expected a vertex where the edge leads to"},
        {"a\nb", "line 2: read 'b', expected ';', '->' or the end of the graph"},
        {"a - > b", "line 1: read ' ', expected '>' after '-'"},
        {"a->b}", "line 1: read '}', expected ',', ';' or the end of the graph"},
        {"a;", "line 1: read the end, expected a vertex: letters, digits and '_'"},
    };
    for (const auto& [text, error] : cases) {
        const auto graph = load(text);
        ASSERT_FALSE(graph) << text;
        EXPECT_EQ(graph.error().text, "graph file '" + path_ + "', " + error);
    }
    EXPECT_EQ(load_graph("/no/such").error().text,
              "cannot read the graph file '/no/such': No such file or directory");
    EXPECT_EQ(load_graph("/tmp").error().text,
              "cannot read the graph file '/tmp': it is not a regular file");
    EXPECT_EQ(load_graph("/dev/zero").error().text,
              "cannot read the graph file '/dev/zero': it is not a regular file");
}

// Here no program has allowed it.
TEST_F(GraphFile, IsForTheEngineAlone) {
    expect_refused({{"graph{@big.txt}", 7,
                     "read '@big.txt', expected a graph written out: only nim-engine reads one "
                     "from a file, and not for a peer"}});
}

}  // namespace engine::test::graph_test

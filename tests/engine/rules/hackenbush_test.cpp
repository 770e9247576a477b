#include "tests/agreement/play_back_oracle.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test::hackenbush_test {

// Edges as pairs of vertices; vertex 0 is the ground.
using Edges = std::vector<std::pair<unsigned, unsigned>>;

std::string ruleset_text(const Edges& edges) {
    const auto name = [](unsigned vertex) {
        return vertex == 0 ? "ground" : "v" + std::to_string(vertex);
    };
    std::string text;
    for (const auto& [a, b] : edges) {
        text += (text.empty() ? "" : ";") + name(a) + "->" + name(b);
    }
    return "hackenbush{" + (text.empty() ? "ground" : text) + "}";
}

// Those that a path of edges joins to the ground.
Number hanging(const Edges& edges, Number heap) {
    std::set<unsigned> reached{0};
    Number found = 0;
    for (bool grows = true; grows;) {
        grows = false;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const Number bit = Number{1} << i;
            const auto [a, b] = edges[i];
            if ((heap & bit) == 0 || (found & bit) != 0) continue;
            if (!reached.contains(a) && !reached.contains(b)) continue;
            reached.insert({a, b});
            found |= bit;
            grows = true;
        }
    }
    return found;
}

Followers moves_of(const Edges& edges, Number heap) {
    Followers moves;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const Number bit = Number{1} << i;
        if ((heap & bit) != 0) moves.insert({Heap(hanging(edges, heap & ~bit))});
    }
    return moves;
}

// Any edges, loops and double ones too, in any order.
Edges random_picture(std::mt19937_64& random, std::size_t edges, unsigned vertices) {
    Edges picture;
    for (std::size_t i = 0; i < edges; ++i) {
        picture.emplace_back(random() % vertices, random() % vertices);
    }
    if (!picture.empty() && hanging(picture, 1) == 0) picture[0].first = 0;
    return picture;
}

TEST(Hackenbush, CutsAnEdgeAndWhatHangsOnItAlone) {
    const Followers results = number_results(7);
    std::mt19937_64 random(1);
    for (int i = 0; i < 120; ++i) {
        const Edges edges = random_picture(random, 1 + random() % 9, 2 + i % 6);
        const auto rules = ruleset_of(ruleset_text(edges));
        std::vector<Heap> heaps;
        for (Number heap = 0; heap < Number{1} << edges.size(); ++heap) {
            const bool hangs = hanging(edges, heap) == heap;
            EXPECT_EQ(rules->check_heap(Heap(heap)).has_value(), hangs);
            if (hangs) heaps.emplace_back(heap);
        }
        const auto moves = [&](const std::vector<Number>& heap) {
            return moves_of(edges, heap[0]);
        };
        expect_by_the_book(ruleset_text(edges), heaps, moves,
                           i % 4 == 0 ? results : results_of(heaps));
    }
}

TEST(Hackenbush, LeavesOneNumber) {
    using Texts = std::vector<std::string>;
    const auto texts = [](const std::string& position) {
        return sorted_texts(game_of(position).moves(100));
    };
    EXPECT_EQ(texts("hackenbush{ground->a;a->b;ground->c}:7"), Texts({"1=3", "1=4", "1=5"}));
    EXPECT_EQ(texts("hackenbush{ground->a,a}:3"), Texts({"1=1", "1=2"}));
    EXPECT_EQ(texts("hackenbush{b->b;b->ground}:3"), Texts({"1=0", "1=2"}));
    EXPECT_EQ(texts("hackenbush{ground}:0"), Texts());
}

TEST(Hackenbush, RefusesWhatIsNoPicture) {
    std::string many = "ground->a";
    for (int i = 0; i < 63; ++i) many += ",a";
    std::string wide = "ground->a";
    for (int i = 0; i < 125; ++i) wide += ";v" + std::to_string(i);
    expect_refused(
        {{"hackenbush{a->b}", 12,
          "read a graph without the vertex 'ground', expected edges that hang on it"},
         {"hackenbush{" + many + "}", 12, "read a graph of 64 edges, expected at most 63"},
         {"hackenbush{" + wide + "}", 12,
          "read a graph of 127 vertices, expected at most 126, two for each edge"}});
    const auto rules = ruleset_of("hackenbush{ground->a;a->b;b->c}");
    const auto refused = [&](const char* text) {
        return rules->check_heap(heap_of(text)).error().text;
    };
    for (const char* text : {"8", "(1,2)"}) {
        EXPECT_EQ(refused(text), "read '" + std::string(text) +
                                     "', expected a number up to 7: bit i of a heap of "
                                     "hackenbush says that edge i is there");
    }
    EXPECT_EQ(refused("5"),
              "read '5', expected edges that hang on the ground: edge 2, b->c, "
              "does not");
}

TEST(Hackenbush, FallsApartAtTheGround) {
    const auto reduced = [](const char* ruleset, Number heap) {
        return *ruleset_of(ruleset)->reduced(Heap(heap), Convention::Misere);
    };
    using Heaps = std::vector<Heap>;
    EXPECT_EQ(reduced("hackenbush{ground->a,b;a->b;ground->c,ground}", 31),
              Heaps({Heap(Number{7}), Heap(Number{8}), Heap(Number{16})}));
    EXPECT_EQ(reduced("hackenbush{ground->a,b;a->b;ground->c,ground}", 0), Heaps());
}

// Winning Ways, chapters 2 and 7.
TEST(Hackenbush, HasThePublishedValues) {
    // A stalk is a nim heap; a tree adds up its branches; a cycle of n edges is n mod 2.
    EXPECT_EQ(nimber_text("hackenbush{ground->a;a->b;b->c;c->d}:15"), "4");
    EXPECT_EQ(nimber_text("hackenbush{ground->a;a->b,c;b->d;c->e;e->f}:63"), "2");
    EXPECT_EQ(nimber_text("hackenbush{ground->a;a->b;b->ground}:7"), "1");
    EXPECT_EQ(nimber_text("hackenbush{ground->a;a->b;b->c;c->ground}:15"), "0");
    // A girl: two legs, skirt of three edges, body, two arms, head as a loop.
    EXPECT_EQ(nimber_text("hackenbush{ground->l,r;l->h;r->h;h->n;n->x,y,n}:255"), "2");
}

TEST(Hackenbush, SolvesTheLargestPictures) {
    Edges stalk, cycle;
    for (unsigned i = 0; i < 63; ++i) {
        stalk.emplace_back(i, i + 1);
        cycle.emplace_back(i, (i + 1) % 63);
    }
    const std::string all = ":" + std::to_string(protocol::kMaxNumber);
    EXPECT_EQ(nimber_text(ruleset_text(stalk) + all), "63");
    EXPECT_EQ(nimber_text(ruleset_text(cycle) + all), "1");
    std::mt19937_64 choice(1);
    const Game game = game_of(ruleset_text(stalk) + all + "+nim:5");
    const auto move = make_analyst()->choose(game, {}, {}, choice, {});
    EXPECT_EQ(make_analyst()->outcome(after(game, *move), {}), Outcome::P);
}

TEST(Hackenbush, AgreesWithPlayUnderMisere) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 30; ++i) {
        PlayBackOracle oracle(100000);
        const Edges edges = random_picture(random, 8, 6);
        const std::string text = ruleset_text(edges) + ":" +
                                 std::to_string(hanging(edges, random() % 256)) + "," +
                                 std::to_string(hanging(edges, 255)) + " misere";
        EXPECT_EQ(make_analyst()->outcome(game_of(text), {}), oracle.outcome(game_of(text)))
            << text;
    }
}

}  // namespace engine::test::hackenbush_test

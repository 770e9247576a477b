#include "tests/agreement/play_back_oracle.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test::hackenbush_test {

using testing::UnorderedElementsAreArray;

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
    for (int i = 0; i < 60; ++i) {
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

TEST(Hackenbush, LeavesOneHeap) {
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
    expect_refused(
        {{"hackenbush{a->b}", 12,
          "read a graph without the vertex 'ground', expected edges that hang on it"}});
    const std::string stalk = "hackenbush{ground->a;a->b;b->c}";
    expect_refused_heaps(
        stalk, {"8", "(1,2)"},
        "a number up to 7: bit i of a heap of hackenbush says that edge i is there");
    expect_refused_heaps(stalk, {"5"}, "edges that hang on the ground: edge 2, b->c, does not");

    std::string loops = "hackenbush{ground->a;a->b;c->c";
    for (int i = 3; i < 65; ++i) loops += ",c";
    expect_refused_heaps(loops + "}", {"1", "(1,2,0)", "(1,4)"},
                         "a tuple of 2 numbers, the last up to 3: bit i of number j, from 0, "
                         "of a heap of hackenbush says that edge 63j+i is there");
    expect_refused_heaps(loops + "}", {"(3,2)"},
                         "edges that hang on the ground: edge 64, c->c, does not");
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

TEST(Hackenbush, SolvesPicturesOf63Edges) {
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

// The edges of small pictures among many others, of which none is there.
TEST(Hackenbush, IsTheSameInTuples) {
    constexpr std::size_t kEdges = 63 * 2 + 5;
    std::mt19937_64 random(4);
    for (int i = 0; i < 60; ++i) {
        const Edges small = random_picture(random, 1 + random() % 8, 2 + i % 5);
        std::vector<std::size_t> places(kEdges);
        std::iota(places.begin(), places.end(), 0);
        std::ranges::shuffle(places, random);
        Edges large(kEdges, {0, 9});
        for (std::size_t edge = 0; edge < small.size(); ++edge) {
            large[places[edge]] = small[edge];
        }
        const auto spread = [&](const Heap& heap) {
            Tuple tuple{{0, 0, 0}};
            for (std::size_t edge = 0; edge < small.size(); ++edge) {
                const Number bit = std::get<Number>(heap) >> edge & 1;
                tuple.entries[places[edge] / 63] |= bit << places[edge] % 63;
            }
            return Heap(tuple);
        };
        const auto text = ruleset_text(large);
        const auto rules = ruleset_of(text);
        const auto solver = solver_of(text);
        const auto small_rules = ruleset_of(ruleset_text(small));
        const auto small_solver = solver_of(ruleset_text(small));
        std::vector<Heap> heaps;
        for (Number heap = 0; heap < Number{1} << small.size(); ++heap) {
            const bool hangs = hanging(small, heap) == heap;
            ASSERT_EQ(rules->check_heap(spread(Heap(heap))).has_value(), hangs);
            if (hangs) heaps.emplace_back(heap);
        }
        Followers results;
        for (const Heap& heap : heaps) results.insert({spread(heap)});
        for (const Heap& heap : heaps) {
            Followers expected;
            for (const auto& move : moves_of(small, std::get<Number>(heap))) {
                expected.insert({spread(move[0])});
            }
            expect_followers(*rules, spread(heap), expected);
            expect_allowed(*rules, spread(heap), expected, results);
            EXPECT_EQ(solver->nimber(spread(heap), {}), small_solver->nimber(heap, {}));
            for (std::uint64_t nimber = 0; nimber < 4; ++nimber) {
                auto wins = small_solver->list_followers(heap, finite(nimber), 100, {});
                for (auto& move : wins) move[0] = spread(move[0]);
                EXPECT_THAT(solver->list_followers(spread(heap), finite(nimber), 100, {}),
                            UnorderedElementsAreArray(wins));
            }
            auto parts = *small_rules->reduced(heap, Convention::Misere);
            std::ranges::transform(parts, parts.begin(), spread);
            EXPECT_THAT(*rules->reduced(spread(heap), Convention::Misere),
                        UnorderedElementsAreArray(parts));
        }
    }
}

// Trees of any size: a vertex hangs on an earlier one.
TEST(Hackenbush, FindsAllCutsOfLargeTrees) {
    std::mt19937_64 random(5);
    for (const std::size_t edges : {100U, 200U, 300U}) {
        Edges tree;
        for (unsigned i = 1; i <= edges; ++i) {
            const unsigned near = i > 8 ? i - 8 : 0;
            tree.emplace_back(near + random() % (i - near), i);
        }
        // By the colon principle, of what stands on a vertex when one edge is gone.
        const auto value_without = [&](std::size_t gone) {
            std::vector<std::uint64_t> values(edges + 1);
            for (std::size_t i = edges; i-- > 0;) {
                if (i != gone) values[tree[i].first] ^= values[tree[i].second] + 1;
            }
            return values[0];
        };
        const std::string text = ruleset_text(tree);
        const auto rules = ruleset_of(text);
        const auto solver = solver_of(text);
        Tuple all{{}};
        for (std::size_t left = edges; left > 0; left -= std::min<std::size_t>(left, 63)) {
            all.entries.push_back(left >= 63 ? protocol::kMaxNumber : (Number{1} << left) - 1);
        }
        const Heap heap(all);
        ASSERT_EQ(solver->nimber(heap, {}), finite(value_without(edges)));
        std::map<std::uint64_t, Followers> expected;
        for (std::size_t i = 0; i < edges; ++i) {
            expected[value_without(i)].insert(rules->follower(heap, i));
        }
        for (std::uint64_t nimber = 0; nimber < 2 * edges; ++nimber) {
            const auto found = solver->list_followers(heap, finite(nimber), edges, {});
            EXPECT_EQ(Followers(found.begin(), found.end()), expected[nimber]) << nimber;
            EXPECT_EQ(found.size(), expected[nimber].size());
        }
    }
}

TEST(Hackenbush, SolvesAStalkOfAHundredThousandEdges) {
    constexpr std::size_t kEdges = 100'000;
    std::string text = "hackenbush{ground->v1";
    for (std::size_t i = 1; i < kEdges; ++i) {
        text += ";v" + std::to_string(i) + "->v" + std::to_string(i + 1);
    }
    text += '}';
    const auto rules = ruleset_of(text);
    Tuple all{std::vector<Number>(kEdges / 63, protocol::kMaxNumber)};
    all.entries.push_back((Number{1} << kEdges % 63) - 1);
    const auto solver = solver_of(text);
    EXPECT_EQ(solver->nimber(Heap(all), {}), finite(kEdges));
    const auto found = solver->list_followers(Heap(all), finite(12345), 2, {});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(rules->is_follower(Heap(all), found[0]));
    EXPECT_EQ(rules->follower_count(found[0][0]), 12345U);
}

TEST(Hackenbush, StopsBetweenTheCutsOfManyEdges) {
    // Two vertices. Each of the edges is on a cycle, and its cut leaves an odd number of them.
    const std::string text = ruleset_text(Edges(16 * 63, {0, 1}));
    const Heap heap(Tuple{std::vector<Number>(16, protocol::kMaxNumber)});
    std::stop_source stop;
    const Budget budget{Budget().deadline, stop.get_token()};
    int visited = 0;
    const auto visit = [&](Count, HeapSolver::FollowerAt) {
        ++visited;
        stop.request_stop();
        return true;
    };
    const auto solver = solver_of(text);
    EXPECT_FALSE(solver->visit_followers(heap, finite(1), budget, visit));
    EXPECT_GE(visited, 1);
    EXPECT_LE(visited, 20);
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

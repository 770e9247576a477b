#include "engine/heaps/heap_pool.hpp"

#include "tests/agreement/positions.hpp"

namespace engine::test::heap_pool_test {

// Distinguishes heaps of every kind and finds them again, as their moves show.
TEST(HeapPool, KeepsHeapsOfEveryKind) {
    for (const char* position :
         {"nim:1,3,9", "wythoff:(1,2),(2,1),(0,1),(1,1)", "take{1,2}:4294967297,1,4294967296",
          "graph{a->b,c;b->c,d;c->d;aa->d,d2;d2->d}:a,b,c,aa,d2"}) {
        SCOPED_TRACE(position);
        const Game game = game_of(position);
        HeapPool pool;
        pool.add_ruleset(game.ruleset(0));
        const auto& heaps = game.position().components.front().heaps;
        for (std::size_t i = 0; i < heaps.size(); ++i) {
            EXPECT_EQ(pool.find(0, heaps[i]), std::nullopt);
            EXPECT_EQ(pool.intern(0, heaps[i]), i);
        }
        for (std::size_t i = 0; i < heaps.size(); ++i) {
            const auto index = pool.intern(0, heaps[i]);
            EXPECT_EQ(index, i);
            ASSERT_TRUE(pool.list_moves(*index, {}));
            EXPECT_FALSE(pool.is_cut(*index));
            // Moves to heaps without a move are one.
            std::set<std::vector<Heap>> results;
            for (const Move& move : game.moves(1000)) {
                if (move.heap != i + 1) continue;
                auto left = move.result;
                std::erase_if(
                    left, [&](const Heap& heap) { return !game.ruleset(0)->has_move(heap); });
                results.insert(left);
            }
            EXPECT_EQ(pool.move_count(*index), results.size());
        }
    }
}

TEST(HeapPool, FollowsOrdinals) {
    const Game game = game_of("nim:(w^2*3+w+5),(w^2*3+w+6),(w)");
    HeapPool pool;
    pool.add_ruleset(game.ruleset(0));
    const auto& heaps = game.position().components.front().heaps;
    for (std::size_t i = 0; i < heaps.size(); ++i) EXPECT_EQ(pool.intern(0, heaps[i]), i);
    for (std::size_t i = 0; i < heaps.size(); ++i) {
        ASSERT_TRUE(pool.list_moves(static_cast<HeapPool::Index>(i), {}));
        EXPECT_TRUE(pool.is_cut(static_cast<HeapPool::Index>(i)));
        EXPECT_EQ(pool.find(0, heaps[i]), i);
    }
}

// Limits the work for its moves, not their number.
TEST(HeapPool, StopsAmidTheMovesOfALaboriousHeap) {
    std::string cookies = "cookie:(1000";
    for (int i = 999; i > 0; --i) cookies += ',' + std::to_string(i);
    std::string rules = "rules{n->n-k:k>=1";
    for (int i = 0; i < 5000; ++i) rules += "&n>0";
    for (const std::string& position : {cookies + ')', rules + "}:200"}) {
        SCOPED_TRACE(position.substr(0, 40));
        const Game game = game_of(position);
        HeapPool pool;
        pool.add_ruleset(game.ruleset(0));
        pool.intern(0, game.position().components.front().heaps.front());
        EXPECT_FALSE(pool.list_moves(0, Budget().at_most(std::chrono::seconds(-1))));
        EXPECT_LE(pool.size(), 2U);
        EXPECT_TRUE(pool.list_moves(0, {}));
        EXPECT_GE(pool.size(), 200U);
    }
}

}  // namespace engine::test::heap_pool_test

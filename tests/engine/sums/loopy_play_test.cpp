// Positions in which play may never end.
#include "engine/sums/analyst.hpp"
#include "engine/sums/choice.hpp"
#include "tests/agreement/play_back_oracle.hpp"

namespace engine::test::loopy_play_test {

// Heaps that can return, and heaps that split into such.
const std::string kSplitsAndLoops =
    "rules{n->x,y,n-x-y-1:x<=y&y>0;n->n+1:n<5;n->xor(n,3):n<8;stop:n=3}:";

TEST(LoopyPlay, SaysUnknownOfWhatHasNoEnd) {
    const auto analyst = make_analyst();
    for (const char* text : {"rules{n->n+1}:1", "rules{n->n,n+1}:3,4 misere"}) {
        const Budget budget = Budget{}.at_most(std::chrono::milliseconds(50));
        EXPECT_EQ(analyst->outcome(game_of(text), budget), Outcome::Unknown) << text;
    }
}

TEST(LoopyPlay, ClaimsAWinThatIsProvenThoughThereIsNoEnd) {
    const auto analyst = make_analyst();
    const Budget budget = Budget{}.at_most(std::chrono::minutes(1));
    for (const char* text : {"rules{n->n,n:n=1;n->0:n=1}:1", "rules{n->n+1:n>0;n->n-1}:1"}) {
        const Game game = game_of(text);
        EXPECT_EQ(analyst->outcome(game, budget), Outcome::N) << text;
    }
}

TEST(LoopyPlay, ClaimsNoWinInEndlessPlay) {
    // 3 -> 5+4+1 could only be answered by 5+*3, if that were lost: 5 has too few moves for the
    // nimber 3, but continues by 5 -> 4+3.
    const Game game =
        game_of("rules{n->5,4,1:n=3;n->0:n=5;n->4,3:n=5;n->0:n=4;n->1:n=4;n->0:n=1}:3");
    const Budget budget = Budget{}.at_most(std::chrono::milliseconds(200));
    const Outcome outcome = make_analyst()->outcome(game, budget);
    EXPECT_TRUE(outcome == Outcome::Unknown || outcome == Outcome::D) << to_string(outcome);
}

TEST(LoopyPlay, KnowsNimbersOfHeapsThatSplitIntoThemselves) {
    const auto analyst = make_analyst();
    for (const auto& [heap, nimber] : {std::pair{3, 0}, {0, 1}, {2, 1}, {1, 0}}) {
        const Game game = game_of(kSplitsAndLoops + std::to_string(heap));
        EXPECT_EQ(analyst->nimber(game, {}), finite(static_cast<std::uint64_t>(nimber)))
            << heap;
    }
}

// The perfect player against a random one. Returns the number of its moves to the win; 0: the
// game repeats.
int moves_to_win(Game game, std::mt19937_64& random) {
    const auto analyst = make_analyst();
    std::set<std::vector<Heap>> seen;
    bool perfect = analyst->outcome(game, {}) == Outcome::N;
    for (int moves = 0; game.has_move(); perfect = !perfect) {
        if (!perfect) {
            game.play(sample_moves(game, 1, random, {}).front());
            continue;
        }
        const auto move = analyst->choose(game, {}, {}, random, {});
        if (!move) return 0;
        game.play(*move);
        ++moves;
        auto heaps = game.position().components.front().heaps;
        std::ranges::sort(heaps);
        if (!seen.insert(heaps).second) return 0;
        if (!game.has_move()) return moves;
    }
    return 0;
}

void win_without_going_round(const std::string& rules, const std::vector<std::string>& sums) {
    std::mt19937_64 random(3);
    for (const std::string& heaps : sums) {
        for (int i = 0; i < 20; ++i) {
            ASSERT_GT(moves_to_win(game_of(rules + heaps), random), 0)
                << rules << heaps << ", game " << i;
        }
    }
}

TEST(LoopyPlay, WinsWonPositionsWithoutRepetition) {
    win_without_going_round(kSplitsAndLoops, {"0", "1", "2", "4", "5", "6", "7", "8", "9", "10",
                                              "11", "12", "1,9", "2,6,12", "7,7,8,11"});
    win_without_going_round("rules{n->n-1;n->n-2;n->n-3;n->n-5;n->n+1,4:n>4&n<20}:",
                            {"8", "10", "20", "7,9", "7,10,14", "6,9,11,15"});
}

}  // namespace engine::test::loopy_play_test

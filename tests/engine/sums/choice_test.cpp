#include "engine/sums/choice.hpp"

#include "engine/sums/analyst.hpp"
#include "tests/agreement/play_back_oracle.hpp"

namespace engine::test::choice_test {

// The share of replies that win after a move, by playing everything out.
double share_after(const Game& game, const Move& move, PlayBackOracle& oracle) {
    const Game next = after(game, move);
    const auto all = next.moves(100000);
    if (all.empty()) return 1;
    const auto winning = *oracle.best_moves(next);
    return static_cast<double>(winning.size()) / static_cast<double>(all.size());
}

TEST(Trap, LeavesTheLeastShareOfWinningReplies) {
    std::mt19937_64 random(7);
    for (const std::string sum :
         {"nim:3,3", "nim:1,2,3", "nim:5,5 misere", "take{1,3,4}:14", "take{1-3}:12",
          "nim:1,4,5+take{2,3}:5", "take{2,4,7}:9,9", "take{!2}:0,6+nim:6,6"}) {
        PlayBackOracle oracle;
        const Game game = game_of(sum);
        if (oracle.wins(game)) continue;
        double least = 2;
        const auto moves = game.moves(100000);
        for (const Move& move : moves) least = std::min(least, share_after(game, move, oracle));
        for (int i = 0; i < 5; ++i) {
            const Move trap = best_trap(game, moves, random, {});
            EXPECT_DOUBLE_EQ(share_after(game, trap, oracle), least)
                << sum << ' ' << to_string(trap);
        }
    }
}

// Among equally good traps it takes the one after which play lasts longest.
TEST(Trap, BreaksTiesByLength) {
    std::mt19937_64 random(7);
    const Game game = game_of("take{1,2,3}:8");  // each move leaves one winning reply of three
    std::set<std::string> chosen;
    for (int i = 0; i < 20; ++i) {
        chosen.insert(to_string(best_trap(game, game.moves(100), random, {})));
    }
    EXPECT_EQ(chosen, (std::set<std::string>{"1=7"}));
}

Move longest_of_all(const Game& game, std::mt19937_64& random) {
    return longest_move(game, game.moves(1000), random, {});
}

TEST(LongestPlay, IsFoundInEverySmallSum) {
    std::mt19937_64 random(5);
    for (const std::string sum :
         {"nim:3,2", "nim:0,4", "take{2,3}:9", "take{2,3}:7,5", "take{3,5}:11+nim:2",
          "take{!1,3}:8+take{2}:5", "take{4-}:15+take{2,5}:6", "take{2,4,7}:1,10",
          "kayles:7+nim:2", "grundy:9", "lasker:4,2", "wythoff:(3,5)", "cookie:(1,2,2,5)",
          "graph{a->b,c;b->c}:a", "rules{n->n-k:k>=1&k*k<=n}:12"}) {
        PlayBackOracle oracle;
        const Game game = game_of(sum);
        LookAhead ahead(game, {});
        std::size_t longest = 0;
        for (const Move& move : game.moves(1000)) {
            const Game next = after(game, move);
            longest = std::max(longest, oracle.longest_play(next));
            // The loss in one heap is the loss of the sum.
            const std::size_t loss = oracle.longest_play(game) - oracle.longest_play(next);
            EXPECT_EQ(ahead.loss(move).moves, static_cast<int>(loss))
                << sum << ' ' << to_string(move);
        }
        for (int i = 0; i < 10; ++i) {
            const Game next = after(game, longest_of_all(game, random));
            EXPECT_EQ(oracle.longest_play(next), longest) << sum;
        }
    }
}

TEST(LongestPlay, DrawsAmongHeapsThatLoseTheSame) {
    const Game game = game_of("nim:5,0,5,5");
    std::mt19937_64 random(5);
    std::set<std::string> moves;
    for (int i = 0; i < 100; ++i) moves.insert(to_string(longest_of_all(game, random)));
    EXPECT_EQ(moves, (std::set<std::string>{"1=4", "3=4", "4=4"}));
}

// Heaps that last longer than the look-ahead all seem to last equally long.
TEST(LongestPlay, TakesLeastBeyondTheLookAhead) {
    std::mt19937_64 random(5);
    for (const auto& [sum, move] : {std::pair{"nim:900,5", "1=899"},
                                    {"take{3,5}:900+nim:2", "1=897"},
                                    {"wythoff:(0,70)", "1=(0,69)"},
                                    {"nim:(w),1", "1=999"}}) {
        EXPECT_EQ(to_string(longest_of_all(game_of(sum), random)), move) << sum;
    }
    const auto choose = [&](const std::string& lost) {
        const Style style{Choice::Random, Losing::Longest};
        return to_string(*make_analyst()->choose(game_of(lost), {}, style, random, {}));
    };
    EXPECT_THAT(choose("nim:9000000000000000000,9000000000000000000"),
                ::testing::AnyOf("1=8999999999999999999", "2=8999999999999999999"));
    EXPECT_THAT(choose("nim:(w+3),(w+3)"), ::testing::AnyOf("1=(w+2)", "2=(w+2)"));
}

TEST(LongestPlay, CountsPlayThatCanLastForEver) {
    const Game game = game_of("graph{a->b,c;b->a}:a");
    LookAhead ahead(game, {});
    EXPECT_EQ(ahead.loss(*game.read_move("1=b")).moves, 0);
    EXPECT_EQ(ahead.loss(*game.read_move("1=c")).moves, LookAhead::kMostMoves);
}

TEST(Losing, TakesAnyMoveWhereThereIsNoTime) {
    const Game game = game_of("nim:3,3");
    std::mt19937_64 random(7);
    for (const auto& choose : {best_trap, longest_move}) {
        std::set<std::string> chosen;
        for (int i = 0; i < 200; ++i)
            chosen.insert(to_string(choose(game, game.moves(100), random, Budget::spent())));
        EXPECT_EQ(chosen.size(), 6U);
    }
}

}  // namespace engine::test::choice_test

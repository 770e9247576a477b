#include "engine/sums/choice.hpp"

#include "tests/agreement/play_back_oracle.hpp"

namespace engine::test::trap_test {

// The share of replies that win after a move, by playing everything out.
double share_after(const Game& game, const Move& move, PlayBackOracle& oracle) {
    Game next = game;
    next.play(move);
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

TEST(Trap, TakesAnyMoveWhereThereIsNoTime) {
    std::mt19937_64 random(7);
    const Game game = game_of("nim:3,3");
    const Budget over = Budget::spent();
    std::set<std::string> chosen;
    for (int i = 0; i < 200; ++i) {
        chosen.insert(to_string(best_trap(game, game.moves(100), random, over)));
    }
    EXPECT_EQ(chosen.size(), 6U);
}

}  // namespace engine::test::trap_test

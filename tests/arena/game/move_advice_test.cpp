#include "arena/game/referee.hpp"

namespace arena::move_advice_test {

TEST(MoveAdvice, KnowsBlanksAndMovesThatWereCutOff) {
    const engine::Game game = *engine::read_game("kayles:7+nim:3");
    constexpr const char* kBlanks = "write it without blanks: ";
    constexpr const char* kCut = "is its line buffer too small? Lines have up to 1 MiB";
    EXPECT_EQ(move_advice(game, "bestmove 2 = 0"), kBlanks + std::string("2=0"));
    EXPECT_EQ(move_advice(game, "bestmove 1=2, 4"), kBlanks + std::string("1=2,4"));
    EXPECT_EQ(move_advice(game, "bestmove 2= 0"), kBlanks + std::string("2=0"));
    EXPECT_EQ(move_advice(game, "bestmove 2 = 0 (all)"), kBlanks + std::string("2=0"));
    EXPECT_EQ(move_advice(game, "bestmove 2=0.0"),
              "write whole numbers: in Python, 6 // 2 is one and 6 / 2 is not");
    EXPECT_EQ(move_advice(game, "bestmove 2="), kCut);
    EXPECT_EQ(move_advice(game, "bestmove 1=2,"), kCut);
    for (const char* line :
         {"bestmove", "bestmove 2=9", "bestmove 2 = 9", "bestmove 3=0", "bestmove 1=1 0"}) {
        EXPECT_EQ(move_advice(game, line), "") << line;
    }
}

}  // namespace arena::move_advice_test

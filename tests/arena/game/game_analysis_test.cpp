#include "arena/game/game_analysis.hpp"

#include "tests/arena/game_records.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::game_analysis_test {

using engine::Outcome;

std::string analysed(std::string_view position, std::vector<std::string> moves,
                     Depth depth = Depth::Everything) {
    const auto record = game_record(position, std::move(moves));
    return to_string(analyse_game(record, StandInAnalyst(), {}, depth));
}

TEST(GameAnalysis, TellsWhatEachMoveDid) {
    // Only 1=1 wins 3,4,5; 1=0 throws it, and 3=4 makes 4,4 of 4,5. Then one side has nothing
    // to throw, and the other has decisions until one heap is left.
    EXPECT_EQ(analysed("nim:3,4,5", {"1=0", "3=4", "2=0", "3=0"}), "1 xwPw P 1:1=1");
    EXPECT_EQ(analysed("nim:5", {"1=3", "1=1", "1=0"}), "1 xxW P 1:1=0 2:1=0");
    EXPECT_EQ(analysed("nim:0", {}), "1 - P");
    EXPECT_EQ(analysed("nim:1", {}), "1 - N");
}

TEST(GameAnalysis, FindsOnlyMistakesOnRequest) {
    EXPECT_EQ(analysed("nim:3,4,5", {"1=0", "3=4", "2=0", "3=0"}, Depth::Mistakes), "1 uv?v P");
}

TEST(GameAnalysis, KnowsWhereThereIsNoDecision) {
    // From 1,1,1 every move wins.
    EXPECT_EQ(analysed("nim:1,1,1", {"1=0"}), "1 W P");
    EXPECT_EQ(analysed("nim:1,1 misere", {"1=0"}), "1 W P");
    // More legal moves than the first look covers; all but the last two are good.
    EXPECT_EQ(analysed("nim:2", {"1=0"}), "1 w P");
}

TEST(GameAnalysis, SaysWhatIsUnknown) {
    StandInAnalyst analyst;
    analyst.knows = false;
    EXPECT_EQ(to_string(analyse_game(game_record("nim:5", {"1=3", "1=0"}), analyst, {})),
              "1 ?? ?");
}

// Answers the outcomes of positions, by the size of their first heap.
class BySize : public StandInAnalyst {
  public:
    explicit BySize(std::vector<Outcome> outcomes) : outcomes_(std::move(outcomes)) {}
    Outcome outcome(const engine::Game& game, const engine::Budget&) const override {
        return outcomes_[std::get<protocol::Number>(game.position().components[0].heaps[0])];
    }
    std::optional<engine::MoveList> best_moves(const engine::Game& game, std::size_t,
                                               const engine::Budget& budget) const override {
        engine::MoveList list;
        for (const engine::Move& move : game.moves(100)) {
            engine::Game next = game;
            next.play(move);
            const Finding mistake = is_mistake(outcome(game, budget), outcome(next, budget));
            if (mistake == Finding::Unknown) return std::nullopt;
            if (mistake == Finding::No) list.moves.push_back(move);
        }
        return list;
    }

  private:
    std::vector<Outcome> outcomes_;
};

std::string analysed_by(const BySize& analyst, std::string_view position,
                        std::vector<std::string> moves) {
    return to_string(analyse_game(game_record(position, std::move(moves)), analyst, {}));
}

TEST(GameAnalysis, CountsDraws) {
    // 3: drawn, by a move to 2; 1: won; 0: lost.
    const BySize analyst({Outcome::P, Outcome::N, Outcome::D, Outcome::D});
    EXPECT_EQ(analysed_by(analyst, "nim:3", {"1=2", "1=1"}), "1 dy N 2:1=0");
    EXPECT_EQ(analysed_by(analyst, "nim:1", {"1=0"}), "1 W P");
}

TEST(GameAnalysis, InfersAWinFromTheMoveThatShowsIt) {
    const BySize analyst({Outcome::P, Outcome::Unknown, Outcome::Unknown, Outcome::N});
    EXPECT_EQ(analysed_by(analyst, "nim:2", {"1=1", "1=0"}), "1 ?W P")
        << "1 has one move, which wins";
    EXPECT_EQ(analysed_by(analyst, "nim:2", {"1=0"}), "1 v P")
        << "whether 1=1 wins too is not known";
    EXPECT_EQ(analysed_by(analyst, "nim:3", {"1=2", "1=1"}), "1 n? ?");
}

TEST(GameAnalysis, CountsNoDecisionWhereNotAllMovesAreKnown) {
    // From 3 the moves to 1 (a mistake) and 0 are known, that to 2 is not.
    const BySize analyst({Outcome::P, Outcome::N, Outcome::Unknown, Outcome::N});
    EXPECT_EQ(analysed_by(analyst, "nim:3", {"1=1", "1=0"}), "1 uW P");
    EXPECT_EQ(analysed_by(analyst, "nim:3", {"1=0"}), "1 v P");
    EXPECT_FALSE(analyse_game(game_record("nim:3", {"1=0"}), analyst, {}).is_complete());
    EXPECT_TRUE(analyse_game(game_record("nim:1", {"1=0"}), analyst, {}).is_complete());
}

TEST(GameAnalysis, IsNotLedAstrayByMovesThatAreNoMoves) {
    EXPECT_EQ(analysed("nim:3,4,5", {"1=1", "7=9", "1=0"}), "1 w?? ?");
}

TEST(GameAnalysis, ReadsBackWhatItWrites) {
    std::mt19937_64 random(4);
    const std::string letters = "PwWvxundDeyzf?";
    for (int round = 0; round < 500; ++round) {
        std::string text = "1 ";
        const std::size_t plies = random() % 12;
        for (std::size_t i = 0; i < plies; ++i) text += letters[random() % letters.size()];
        if (plies == 0) text += '-';
        text += ' ';
        text += "NPD?"[random() % 4];
        for (std::size_t i = 0; i < plies; ++i) {
            const char letter = text[2 + i];
            if (std::string("xyuz").find(letter) != std::string::npos && random() % 2 == 0) {
                text += ' ' + std::to_string(i + 1) + ":2=(1,0),(w^2+1)";
            }
        }
        const auto analysis = parse_game_analysis(text);
        ASSERT_TRUE(analysis) << text;
        EXPECT_EQ(to_string(*analysis), text);
        EXPECT_EQ(analysis->plies.size(), plies);
    }
}

TEST(GameAnalysis, ReadsNothingElse) {
    for (const char* text : {"",
                             "2 w P",
                             "1",
                             "1 ",
                             "1 wq P",
                             "1 w",
                             "1 w X",
                             "1 x P 1",
                             "1 x P 1:",
                             "1 x P  1:1=1",
                             "1 x P 1:1=1 ",
                             "1 x P 01:1=1",
                             "1 x P 1:\x01",
                             "1 x P 2:1=1",
                             "1 w P 1:1=1",
                             "1 xx P 2:1=1 1:1=1",
                             "1 x P 99999999999999999999999:1=1",
                             "1 w PP",
                             "1 wP",
                             " 1 w P",
                             "1 x P 1:1=1 1:1=1",
                             "1 x P :1=1"})
        EXPECT_FALSE(parse_game_analysis(text)) << text;
}

}  // namespace arena::game_analysis_test

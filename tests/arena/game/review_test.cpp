#include "arena/game/game_analysis.hpp"

#include "tests/arena/game_records.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::review_test {

// "move 2, in nim:1,2: 2=0 loses, 2=1 wins": what the player in the seat threw; or empty.
std::string thrown(const GameRecord& record, std::size_t seat,
                   const engine::Analyst& analyst = StandInAnalyst()) {
    const GameAnalysis analysis = review_game(record, analyst, {});
    const std::size_t ply = first_throw(record, analysis, seat);
    return ply == 0 ? "" : throw_text(record, analysis, ply, analyst, {});
}

engine::Outcome start(const GameRecord& record) {
    return review_game(record, StandInAnalyst(), {}).start();
}

// Answers with a list of outcomes, one for each call.
class ScriptedAnalyst : public StandInAnalyst {
  public:
    explicit ScriptedAnalyst(std::vector<engine::Outcome> script) : script_(script) {}

    engine::Outcome outcome(const engine::Game&, const engine::Budget&) const override {
        return next_ < script_.size() ? script_[next_++] : engine::Outcome::Unknown;
    }
    std::optional<engine::MoveList> best_moves(const engine::Game&, std::size_t,
                                               const engine::Budget&) const override {
        return std::nullopt;
    }

  private:
    std::vector<engine::Outcome> script_;
    mutable std::size_t next_ = 0;
};

TEST(Review, FindsTheFirstLosingMoveFromAWonPosition) {
    // 3,4,5 is won. Taking all of the 3 gives the win away, and the answer 4,1 keeps that so.
    const GameRecord game = game_record("nim:3,4,5", {"1=0", "3=4", "2=0", "3=0"});
    EXPECT_EQ(start(game), engine::Outcome::N);
    EXPECT_EQ(thrown(game, 0), "move 1, in nim:3,4,5: 1=0 loses, 1=1 wins");
    EXPECT_EQ(thrown(game, 1), "");
}

TEST(Review, SeesWhatEachPlayerThrew) {
    // Lost at first; p2 answers 1,2 by 1,1 (right); p1 has no choice; then p2 ends it.
    const GameRecord faultless = game_record("nim:2,2", {"1=1", "2=1", "1=0", "2=0"});
    EXPECT_EQ(start(faultless), engine::Outcome::P);
    EXPECT_EQ(thrown(faultless, 0), "");
    EXPECT_EQ(thrown(faultless, 1), "");

    // p2 should make 1,1 of 1,2 but leaves 1. p1 wins by taking it, so p1 threw nothing.
    const GameRecord blunder = game_record("nim:2,2", {"1=1", "2=0", "1=0"});
    EXPECT_EQ(thrown(blunder, 0), "");
    EXPECT_EQ(thrown(blunder, 1), "move 2, in nim:1,2: 2=0 loses, 2=1 wins");

    // Both throw it: p1 from 5 to 3, p2 from 3 to 1.
    const GameRecord both = game_record("nim:5", {"1=3", "1=1", "1=0"});
    EXPECT_EQ(thrown(both, 0), "move 1, in nim:5: 1=3 loses, 1=0 wins");
    EXPECT_EQ(thrown(both, 1), "move 2, in nim:3: 1=1 loses, 1=0 wins");
}

TEST(Review, BlamesNoPlayerForAMoveOfTheArena) {
    GameRecord game = game_record("nim:5", {"1=3", "1=2", "1=1", "1=0"}, 1);
    game.strikes[0] = {{1, Reason::IllegalMove, "bestmove 9=9"}};
    EXPECT_EQ(thrown(game, 0), "move 3, in nim:2: 1=1 loses, 1=0 wins");
    EXPECT_EQ(thrown(game, 1), "move 2, in nim:3: 1=2 loses, 1=0 wins");
    game.strikes[0].push_back({3, Reason::IllegalMove, "bestmove 9=9"});
    EXPECT_EQ(thrown(game, 0), "");
}

TEST(Review, KnowsMisere) {
    const GameRecord game = game_record("nim:1,2 misere", {"2=1", "1=0", "2=0"});
    EXPECT_EQ(start(game), engine::Outcome::N);
    EXPECT_EQ(thrown(game, 0), "move 1, in nim:1,2 misere: 2=1 loses, 2=0 wins");
    EXPECT_EQ(thrown(game, 1), "") << "from 1 the one move loses, and wins nothing away";
}

TEST(Review, ReadsGamesThatEndedByAFault) {
    EXPECT_EQ(start(game_record("nim:0", {})), engine::Outcome::P);
    const GameRecord game = game_record("nim:3,4,5", {"1=1", "2=3"});
    EXPECT_EQ(thrown(game, 0), "");
    EXPECT_EQ(thrown(game, 1), "");
}

TEST(Review, LeavesOutUnknownPositions) {
    StandInAnalyst analyst;
    analyst.knows = false;
    const GameRecord game = game_record("nim:5", {"1=3", "1=0"});
    EXPECT_EQ(review_game(game, analyst, {}).start(), engine::Outcome::Unknown);
    EXPECT_EQ(thrown(game, 0, analyst), "");
    EXPECT_EQ(thrown(game, 1, analyst), "");
}

TEST(Review, CountsAWinGivenAwayForADrawButNotForTheUnknown) {
    using engine::Outcome;
    const std::vector script{Outcome::N, Outcome::Unknown, Outcome::N, Outcome::D, Outcome::D};
    const GameRecord record = game_record("nim:5", {"1=4", "1=3", "1=2", "1=1"});
    EXPECT_EQ(thrown(record, 0, ScriptedAnalyst(script)), "move 3, in nim:3: 1=2")
        << "no better move is known";
    EXPECT_EQ(thrown(record, 1, ScriptedAnalyst(script)), "");
}

TEST(Review, IsKeptWholeByItsNote) {
    for (const char* position : {"nim:3,4,5", "nim:2,2"}) {
        const GameRecord record = game_record(position, {"1=1", "2=0", "1=0"});
        const GameAnalysis analysis = review_game(record, StandInAnalyst(), {});
        EXPECT_EQ(*parse_game_analysis(to_string(analysis)), analysis);
    }
}

TEST(Review, KeepsLongTextsShort) {
    std::string position = "nim:2";
    for (int i = 0; i < 300; ++i) position += ",0";
    const std::string text = thrown(game_record(position, {"1=1", "1=0"}), 0);
    EXPECT_GT(text.size(), 200u);
    EXPECT_LT(text.size(), 260u);
}

}  // namespace arena::review_test

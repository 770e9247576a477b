#include "arena/game/game_analysis.hpp"

#include "tests/arena/stand_in_analyst.hpp"

namespace arena::review_test {

GameRecord record_of(std::string_view position, std::vector<std::string> moves) {
    GameRecord record;
    record.task.position =
        std::make_shared<const protocol::Position>(*protocol::parse_position(position));
    record.moves = std::move(moves);
    return record;
}

GameReview review(const GameRecord& record) {
    return review_game(record, StandInAnalyst(), engine::Budget{});
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
    const GameReview game = review(record_of("nim:3,4,5", {"1=0", "3=4", "2=0", "3=0"}));
    EXPECT_EQ(game.start, engine::Outcome::N);
    ASSERT_TRUE(game.thrown[0]);
    EXPECT_EQ(game.thrown[0]->ply, 1u);
    EXPECT_EQ(game.thrown[0]->position, "nim:3,4,5");
    EXPECT_EQ(game.thrown[0]->move, "1=0");
    EXPECT_EQ(game.thrown[0]->winning, "1=1");
    EXPECT_FALSE(game.thrown[1]);
}

TEST(Review, SeesWhatEachPlayerThrew) {
    // Lost at first; p2 answers 1,2 by 1,1 (right); p1 has no choice; then p2 ends it.
    const GameReview faultless = review(record_of("nim:2,2", {"1=1", "2=1", "1=0", "2=0"}));
    EXPECT_EQ(faultless.start, engine::Outcome::P);
    EXPECT_FALSE(faultless.thrown[0]);
    EXPECT_FALSE(faultless.thrown[1]);

    // p2 should make 1,1 of 1,2 but leaves 1. p1 wins by taking it, so p1 threw nothing.
    const GameReview blunder = review(record_of("nim:2,2", {"1=1", "2=0", "1=0"}));
    EXPECT_FALSE(blunder.thrown[0]);
    ASSERT_TRUE(blunder.thrown[1]);
    EXPECT_EQ(blunder.thrown[1]->ply, 2u);
    EXPECT_EQ(blunder.thrown[1]->position, "nim:1,2");
    EXPECT_EQ(blunder.thrown[1]->move, "2=0");
    EXPECT_EQ(blunder.thrown[1]->winning, "2=1");

    // Both throw it: p1 from 5 to 3, p2 from 3 to 1.
    const GameReview both = review(record_of("nim:5", {"1=3", "1=1", "1=0"}));
    ASSERT_TRUE(both.thrown[0]);
    EXPECT_EQ(both.thrown[0]->ply, 1u);
    ASSERT_TRUE(both.thrown[1]);
    EXPECT_EQ(both.thrown[1]->ply, 2u);
    EXPECT_EQ(both.thrown[1]->winning, "1=0");
}

TEST(Review, KnowsMisere) {
    const GameReview game = review(record_of("nim:1,2 misere", {"2=1", "1=0", "2=0"}));
    EXPECT_EQ(game.start, engine::Outcome::N);
    ASSERT_TRUE(game.thrown[0]);
    EXPECT_EQ(game.thrown[0]->position, "nim:1,2 misere");
    EXPECT_EQ(game.thrown[0]->winning, "2=0");
    EXPECT_FALSE(game.thrown[1]) << "from 1 the one move loses, and wins nothing away";
}

TEST(Review, ReadsGamesThatEndedByAFault) {
    EXPECT_EQ(review(record_of("nim:0", {})).start, engine::Outcome::P);
    const GameReview game = review(record_of("nim:3,4,5", {"1=1", "2=3"}));
    EXPECT_FALSE(game.thrown[0]);
    EXPECT_FALSE(game.thrown[1]);
}

TEST(Review, LeavesOutUnknownPositions) {
    StandInAnalyst analyst;
    analyst.knows = false;
    const GameReview game = review_game(record_of("nim:5", {"1=3", "1=0"}), analyst, {});
    EXPECT_EQ(game.start, engine::Outcome::Unknown);
    EXPECT_FALSE(game.thrown[0]);
    EXPECT_FALSE(game.thrown[1]);
}

TEST(Review, CountsAWinGivenAwayForADrawButNotForTheUnknown) {
    using engine::Outcome;
    const GameRecord record = record_of("nim:5", {"1=4", "1=3", "1=2", "1=1"});
    const ScriptedAnalyst analyst(
        {Outcome::N, Outcome::Unknown, Outcome::N, Outcome::D, Outcome::D});
    const GameReview game = review_game(record, analyst, {});
    ASSERT_TRUE(game.thrown[0]);
    EXPECT_EQ(game.thrown[0]->ply, 3u);
    EXPECT_EQ(game.thrown[0]->position, "nim:3");
    EXPECT_EQ(game.thrown[0]->winning, "") << "none is known";
    EXPECT_FALSE(game.thrown[1]);
}

TEST(Review, KeepsLongTextsShort) {
    std::string position = "nim:2";
    for (int i = 0; i < 300; ++i) position += ",0";
    const GameReview game = review(record_of(position, {"1=1", "1=0"}));
    ASSERT_TRUE(game.thrown[0]);
    EXPECT_LT(game.thrown[0]->position.size(), 210u);
}

}  // namespace arena::review_test

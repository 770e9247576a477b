#include "arena/play/recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/arena/shared_memory.hpp"
#include "tests/arena/store_games.hpp"

namespace arena::verifier_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

GameRecord game(std::vector<std::string> moves, int winner = 0) {
    GameRecord record;
    record.moves = std::move(moves);
    record.reason = Reason::NoMoves;
    record.winner = winner;
    return record;
}

TEST(Verifier, NamesTheFirstMoveThatDiffers) {
    const GameRecord recorded = game({"1=0", "2=1", "3=0"});
    EXPECT_EQ(difference_of(recorded, game({"1=0", "2=1", "3=0"})), "");
    EXPECT_EQ(difference_of(recorded, game({"1=0", "2=0", "3=1"})),
              "move 2 is 2=1 there, 2=0 here");
    EXPECT_EQ(difference_of(recorded, game({"1=0", "2=1"})), "move 3 is 3=0 there, none here");
    EXPECT_EQ(difference_of(game({}), game({"1=0"})), "move 1 is none there, 1=0 here");
    GameRecord lost = recorded;
    lost.reason = Reason::IllegalMove;
    EXPECT_EQ(difference_of(recorded, lost),
              "all moves are the same, but it ended by no-moves there, illegal-move here");
}

TEST(Verifier, LeavesOutWhatTimeOrAProcessDecided) {
    GameRecord record = game({"1=0"});
    EXPECT_TRUE(Verifier::can_verify(record));
    record.strikes[1] = {{1, Reason::Timeout, ""}};
    EXPECT_FALSE(Verifier::can_verify(record));
    record.strikes[1].clear();
    for (const Reason reason : {Reason::Timeout, Reason::Disconnected, Reason::Startup,
                                Reason::Protocol, Reason::OffTurn, Reason::Void}) {
        record.reason = reason;
        EXPECT_FALSE(Verifier::can_verify(record)) << name(reason);
    }
    record.reason = Reason::IllegalMove;
    EXPECT_TRUE(Verifier::can_verify(record));
}

TEST(Verifier, RecordsWhatCameOfItAndNamesTheMachine) {
    SharedMemory memory;
    const auto there = memory.attach();
    const auto here = memory.attach();
    ASSERT_TRUE(there->open(kConfiguration));
    ASSERT_TRUE(there->join(four_players()));
    ASSERT_TRUE(there->plan({round_plan(1)}));
    const auto id = there->sharing()->enlist({"lab7", 1, 1, 1, ""});
    ASSERT_TRUE(id);
    const auto claims = there->claim(1);
    ASSERT_TRUE(claims);
    const GameRecord recorded = finished(claims->front(), 1);
    ASSERT_TRUE(there->record({recorded}));

    std::vector<std::string> told;
    Verifier verifier(
        *here, [&](const std::string& line) { told.push_back(line); },
        [](const protocol::Error& error) { ADD_FAILURE() << error.text; });
    EXPECT_FALSE(verifier.takes(recorded.task.key));
    verifier.expect(recorded.task.key);
    EXPECT_TRUE(verifier.takes(recorded.task.key));
    EXPECT_FALSE(verifier.takes(recorded.task.key)) << "once";

    verifier.compare(recorded);
    EXPECT_THAT(told, IsEmpty());
    EXPECT_THAT(*here->sharing()->verifications(true), IsEmpty());
    GameRecord other = recorded;
    other.moves[1] = "2=2";
    verifier.compare(other);
    EXPECT_THAT(told,
                ElementsAre("mismatch: game 1.1.1.1.1.1 of worker " + std::to_string(*id) +
                            " (lab7): move 2 is 2=0 there, 2=2 here"));
    const auto differing = here->sharing()->verifications(true);
    ASSERT_EQ(differing->size(), 1u);
    EXPECT_EQ(differing->front().difference, "move 2 is 2=0 there, 2=2 here");
    EXPECT_EQ(verifier.games(), 2u);
}

}  // namespace arena::verifier_test

#include "arena/store/writer.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <map>
#include <thread>

#include "arena/store/memory_store.hpp"

namespace arena {
namespace {

// A store with room for so many pairs, all of them claimed.
class WriterTest : public ::testing::Test {
  protected:
    void plan(int pairs) {
        ASSERT_TRUE(store_->open({{"format", "round-robin"}}));
        ASSERT_TRUE(store_->join({{"Ann", "cmd=ann", 1}, {"Bob", "cmd=bob", 1}}));
        RoundPlan round;
        for (int i = 1; i <= pairs; ++i) {
            round.pairs.push_back({PairKey{1, 1, 1, i, 1}, {0, 1}, "nim:1"});
        }
        ASSERT_TRUE(store_->plan({round}));
        const auto claims =
            store_->claim("test", static_cast<std::size_t>(pairs), std::chrono::hours(1));
        ASSERT_TRUE(claims);
        for (const Claim& claim : *claims) tokens_[claim.pair.key] = claim.token;
    }

    FinishedGame game(int position, int leg) {
        FinishedGame game;
        GameTask& task = game.record.task;
        task.key = {PairKey{1, 1, 1, position, 1}, leg};
        if (leg == 2) task.players = {1, 0};
        task.position =
            std::make_shared<protocol::Position>(*protocol::parse_position("nim:1"));
        game.record.winner = 0;
        game.record.reason = Reason::NoMoves;
        game.record.moves = {"1=0"};
        game.record.times = {Microseconds(5)};
        game.token = tokens_.at(task.key.pair);
        return game;
    }

    std::unique_ptr<Store> store_ = make_memory_store();
    std::map<PairKey, std::uint64_t> tokens_;
};

TEST_F(WriterTest, TellsOfEachGameOnceItIsInTheStore) {
    constexpr int kPairs = 3000;  // more than one commit takes, and more than may wait
    plan(kPairs);
    std::atomic<int> told{0};
    Writer writer(
        *store_,
        [&](const std::vector<FinishedGame>& games, const std::vector<Recorded>& recorded) {
            ASSERT_EQ(games.size(), recorded.size());
            EXPECT_LE(games.size(), Writer::kMostInCommit);
            for (std::size_t i = 0; i < games.size(); ++i) {
                EXPECT_EQ(recorded[i], Recorded::New);
                const auto stored = store_->game(games[i].record.task.key);
                ASSERT_TRUE(stored);
                EXPECT_TRUE(stored->has_value());
                ++told;
            }
        },
        [](const protocol::Error& error) { ADD_FAILURE() << error.text; });
    std::vector<std::thread> threads;
    for (int leg = 1; leg <= 2; ++leg) {
        threads.emplace_back([&, leg] {
            for (int i = 1; i <= kPairs; ++i) writer.add(game(i, leg));
        });
    }
    for (std::thread& thread : threads) thread.join();
    writer.finish();
    EXPECT_EQ(told, 2 * kPairs);
}

TEST_F(WriterTest, SaysOnceThatNothingCanBeRecordedAndDropsTheRest) {
    plan(2);
    FinishedGame unplanned = game(1, 1);
    unplanned.record.task.key.pair.pairing = 77;
    int errors = 0;
    Writer writer(
        *store_, [](const auto&, const auto&) { ADD_FAILURE() << "nothing was recorded"; },
        [&](const protocol::Error&) { ++errors; });
    writer.add(unplanned);
    writer.finish();
    EXPECT_EQ(errors, 1);
    writer.add(game(2, 1));  // does not wait
    EXPECT_FALSE(writer.is_full());
}

}  // namespace
}  // namespace arena

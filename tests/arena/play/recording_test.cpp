#include "arena/play/recording.hpp"

#include "arena/record/open_store.hpp"
#include "tests/arena/game_records.hpp"
#include "tests/arena/loop.hpp"

namespace arena::recording_test {

// A store with this many pairs, all of them claimed.
class RecordingTest : public ::testing::Test {
  protected:
    void plan(int pairs) {
        ASSERT_TRUE(store_->open({{"format", "round-robin"}}));
        ASSERT_TRUE(store_->join({{"Ann", "cmd=ann", 1}, {"Bob", "cmd=bob", 1}}));
        RoundPlan round;
        for (int i = 1; i <= pairs; ++i) {
            round.pairs.push_back({PairKey{1, 1, 1, i, 1}, {0, 1}, position("nim:1")});
        }
        ASSERT_TRUE(store_->plan({round}));
    }

    static GameRecord game(int position, int leg) {
        return in_pair({1, 1, 1, position, 1}, leg, game_record("nim:1", {"1=0"}));
    }

    std::unique_ptr<Store> store_ = make_memory_store();
};

TEST_F(RecordingTest, ReportsEachGameOnceItIsInTheStore) {
    constexpr int kPairs = 3000;  // more than one commit holds, and more than may be pending
    plan(kPairs);
    std::atomic<int> told{0};
    Recording recording(
        *store_, Recording::kGather, false,
        [&](const std::vector<GameRecord>& games, const std::vector<Recorded>& recorded) {
            ASSERT_EQ(games.size(), recorded.size());
            EXPECT_LE(games.size(), Recording::kMostInCommit);
            for (std::size_t i = 0; i < games.size(); ++i) {
                EXPECT_EQ(recorded[i], Recorded::New);
                const auto stored = store_->game(games[i].task.key);
                ASSERT_TRUE(stored);
                EXPECT_TRUE(stored->has_value());
                ++told;
            }
        },
        [](const protocol::Error& error) { ADD_FAILURE() << error.text; });
    std::vector<std::thread> threads;
    for (int leg = 1; leg <= 2; ++leg) {
        threads.emplace_back([&, leg] {
            for (int i = 1; i <= kPairs; ++i) recording.put(game(i, leg));
        });
    }
    for (std::thread& thread : threads) thread.join();
    recording.finish();
    EXPECT_EQ(told, 2 * kPairs);
}

TEST_F(RecordingTest, WaitsUntilGamesHaveBeenReported) {
    plan(2);
    std::atomic<int> told{0};
    Recording recording(
        *store_, std::chrono::milliseconds(0), false,
        [&](const std::vector<GameRecord>& games, const auto&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            told += static_cast<int>(games.size());
        },
        [](const protocol::Error& error) { ADD_FAILURE() << error.text; });
    for (int position = 1; position <= 2; ++position) {
        for (int leg = 1; leg <= 2; ++leg) {
            recording.put(game(position, leg));
            recording.flush();
            EXPECT_EQ(told, 2 * (position - 1) + leg);
        }
    }
}

TEST_F(RecordingTest, SaysOnceThatNothingCanBeRecordedAndDropsTheRest) {
    plan(2);
    GameRecord unplanned = game(1, 1);
    unplanned.task.key.pair.pairing = 77;
    int errors = 0;
    Recording recording(
        *store_, Recording::kGather, false,
        [](const auto&, const auto&) { ADD_FAILURE() << "nothing was recorded"; },
        [&](const protocol::Error&) { ++errors; });
    recording.put(unplanned);
    recording.finish();
    EXPECT_EQ(errors, 1);
    recording.put(game(2, 1));  // does not wait
    recording.flush();
    EXPECT_FALSE(recording.is_full());
}

// A commit takes a moment: what does not wait for it goes on before.
TEST_F(RecordingTest, ARecordingThatWaitsReportsAGameBeforeItGoesOn) {
    plan(1);
    Loop loop;  // outlives the recording's threads, which post to it
    std::atomic<int> told{0};
    Recording recording(
        *store_, std::chrono::milliseconds(50), true, [&](const auto&, const auto&) { ++told; },
        [](const protocol::Error& error) { ADD_FAILURE() << error.text; });
    for (int leg = 1; leg <= 2; ++leg) {
        loop.finish(recording.add(game(1, leg)));
        EXPECT_EQ(told, leg);
    }
}

}  // namespace arena::recording_test

#include "arena/store/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/awaitable.hpp>
#include <latch>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arena/store/memory_store.hpp"
#include "tests/arena/loop.hpp"
#include "tests/arena/store_games.hpp"

namespace arena {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

// A store that records what the test lets it, and after that nothing.
class Gate : public Store {
  public:
    explicit Gate(std::unique_ptr<Store> store) : store_(std::move(store)) {}

    using Games = std::vector<FinishedGame>;
    std::function<void(const Games&)> before_recording = [](const Games&) {};
    bool full = false;

    protocol::Result<std::vector<Recorded>> record(const Games& games) override {
        before_recording(games);
        if (full) return protocol::Error{protocol::Fault::Disconnected, "the disk is full", 0};
        return store_->record(games);
    }

    protocol::Result<void> open(const Configuration& configuration) override {
        return store_->open(configuration);
    }
    protocol::Result<Configuration> configuration() override { return store_->configuration(); }
    protocol::Result<void> join(const std::vector<Entrant>& entrants) override {
        return store_->join(entrants);
    }
    protocol::Result<std::vector<Entrant>> entrants() override { return store_->entrants(); }
    protocol::Result<void> rename(int entrant, const std::string& name) override {
        return store_->rename(entrant, name);
    }
    protocol::Result<void> plan(const std::vector<RoundPlan>& rounds) override {
        return store_->plan(rounds);
    }
    protocol::Result<std::vector<Claim>> claim(const std::string& worker, std::size_t count,
                                               Milliseconds lease) override {
        return store_->claim(worker, count, lease);
    }
    protocol::Result<std::vector<std::uint64_t>> renew(const std::vector<std::uint64_t>& tokens,
                                                       Milliseconds lease) override {
        return store_->renew(tokens, lease);
    }
    protocol::Result<void> release(const std::vector<std::uint64_t>& tokens) override {
        return store_->release(tokens);
    }
    protocol::Result<std::vector<Event>> events(std::uint64_t after,
                                                std::size_t limit) override {
        return store_->events(after, limit);
    }
    protocol::Result<std::optional<StoredGame>> game(const GameKey& key) override {
        return store_->game(key);
    }
    protocol::Result<void> for_each_game(
        const std::function<bool(const StoredGame&)>& visit) override {
        return store_->for_each_game(visit);
    }
    protocol::Result<void> annotate(const std::vector<Annotation>& annotations) override {
        return store_->annotate(annotations);
    }
    protocol::Result<std::vector<GameKey>> unannotated(const std::optional<GameKey>& after,
                                                       std::size_t limit) override {
        return store_->unannotated(after, limit);
    }

  private:
    std::unique_ptr<Store> store_;
};

class WriterTest : public ::testing::Test {
  protected:
    static constexpr int kRounds = 1000;

    WriterTest() {
        EXPECT_TRUE(store.open(kConfiguration));
        EXPECT_TRUE(store.join(four_players()));
        std::vector<RoundPlan> rounds;
        for (int round = 1; round <= kRounds; ++round) rounds.push_back(round_plan(round));
        EXPECT_TRUE(store.plan(rounds));
        claims = *store.claim("worker", 2 * kRounds, 1h);
    }

    void open(std::size_t most_waiting) {
        writer = std::make_unique<Writer>(
            store, most_waiting,
            [this](const auto& games, const auto& answers) {
                ASSERT_EQ(games.size(), answers.size());
                groups.push_back(games.size());
                for (std::size_t i = 0; i < games.size(); ++i) {
                    // What is told is there.
                    const auto game = *store.game(games[i].record.task.key);
                    EXPECT_TRUE(game.has_value() || answers[i] == Recorded::Stale);
                    told.push_back(to_string(games[i].record.task.key));
                    outcomes.push_back(answers[i]);
                }
                if (on_group) on_group();
            },
            [this](const protocol::Error& error) { errors.push_back(error.text); });
    }

    // Game `number`, from 0, as workers hand it over.
    GameRecord game(std::size_t number) const {
        FinishedGame game = finished(claims[number / 2], number % 2 == 0 ? 1 : 2);
        game.record.task.token = game.token;
        return game.record;
    }
    void add(std::size_t number) { loop.finish(writer->add(game(number))); }

    Gate store{make_memory_store()};
    std::vector<Claim> claims;
    Loop loop;
    // What is told, on the writer's thread: to be read once that has finished.
    std::vector<std::size_t> groups;
    std::vector<std::string> told;
    std::vector<Recorded> outcomes;
    std::vector<std::string> errors;
    std::function<void()> on_group;
    std::unique_ptr<Writer> writer;
};

TEST_F(WriterTest, TellsOfGamesInTheirOrderOnceTheyAreRecorded) {
    open(100);
    for (const std::size_t number : {2, 0, 1, 0}) add(number);
    writer->finish();
    EXPECT_THAT(told, ElementsAre("1.1.2.1.1.1", "1.1.1.1.1.1", "1.1.1.1.1.2", "1.1.1.1.1.1"));
    EXPECT_THAT(outcomes,
                ElementsAre(Recorded::New, Recorded::New, Recorded::New, Recorded::Known));
    EXPECT_THAT(errors, IsEmpty());
}

TEST_F(WriterTest, TellsOfTokensThatAreStale) {
    ASSERT_TRUE(store.release({claims[0].token}));
    open(100);
    add(0);
    writer->finish();
    EXPECT_THAT(outcomes, ElementsAre(Recorded::Stale));
}

TEST_F(WriterTest, CommitsManyGamesTogether) {
    std::latch reached(1);
    std::latch released(1);
    store.before_recording = [&](const Gate::Games& games) {
        if (games.front().record.task.key.pair.round != 1) return;
        reached.count_down();
        released.wait();
    };
    open(4000);
    add(0);
    writer->flush();
    reached.wait();
    for (std::size_t number = 4; number < 4 + 2500; ++number) add(number);
    released.count_down();
    writer->finish();
    EXPECT_THAT(groups, ElementsAre(1, 1000, 1000, 500));
}

TEST_F(WriterTest, CommitsAfterAMomentIfThereAreNoMore) {
    std::latch committed(1);
    on_group = [&] { committed.count_down(); };
    open(100);
    add(0);
    committed.wait();
    writer->finish();
    EXPECT_THAT(told, ElementsAre("1.1.1.1.1.1"));
}

TEST_F(WriterTest, HoldsUpWhoHandsOverGamesTooFast) {
    std::latch reached(1);
    std::latch released(1);
    store.before_recording = [&](const Gate::Games& games) {
        if (games.front().record.task.key.pair.round != 1) return;
        reached.count_down();
        released.wait();
    };
    open(10);
    add(0);
    writer->flush();
    reached.wait();
    for (std::size_t number = 4; number < 14; ++number) add(number);
    const auto one_more = [this]() -> Awaitable<bool> {
        co_await writer->add(game(14));
        co_return true;
    };
    const auto added = loop.start(one_more());
    EXPECT_FALSE(added->has_value());
    released.count_down();
    EXPECT_TRUE(loop.finish(added));
    EXPECT_TRUE((*store.game(game(14).task.key)).has_value());
    writer->finish();
    EXPECT_THAT(told, SizeIs(12));
}

TEST_F(WriterTest, TellsOfEachGameBeforeTheNextIfAsked) {
    open(0);
    for (std::size_t number = 0; number < 3; ++number) {
        add(number);
        EXPECT_TRUE((*store.game(game(number).task.key)).has_value());
    }
    writer->finish();
    EXPECT_THAT(groups, ElementsAre(1, 1, 1));
}

TEST_F(WriterTest, StopsAtTheFirstErrorAndTellsItOnce) {
    open(0);
    add(0);
    store.full = true;
    for (std::size_t number = 1; number < 5; ++number) add(number);
    writer->finish();
    add(5);
    EXPECT_THAT(errors, ElementsAre("the disk is full"));
    EXPECT_THAT(told, ElementsAre("1.1.1.1.1.1"));
}

TEST_F(WriterTest, FinishesWhatItWasGivenBeforeItGoes) {
    open(2000);
    for (std::size_t number = 0; number < 1500; ++number) add(number);
    writer.reset();
    EXPECT_THAT(told, SizeIs(1500));
    EXPECT_THAT(outcomes, Each(Recorded::New));
}

}  // namespace
}  // namespace arena

// How processes share a record in a database: each store here stands for a process.
#include "arena/record/sharing.hpp"

#include "tests/arena/postgres_server.hpp"
#include "tests/arena/store_games.hpp"
#include "tests/harness/patience.hpp"

namespace arena::sharing_test {

using namespace testing;
using namespace std::chrono_literals;
using protocol::Fault;
using protocol::test::kPatience;

class SharedStore : public ::testing::Test {
  protected:
    // A tournament with two rounds of two pairs.
    void SetUp() override {
        ASSERT_TRUE(one->open(kConfiguration));
        ASSERT_TRUE(one->join(four_players()));
        ASSERT_TRUE(one->plan({round_plan(1), round_plan(2)}));
    }
    // The leases of a store end now.
    void lapse(const std::unique_ptr<Store>& store) {
        server.lapse(database, store == one ? first_worker : second_worker);
    }

    PostgresServer& server = PostgresServer::instance();
    std::string database = server.empty_database();
    // No lease that has lapsed is renewed meanwhile.
    std::unique_ptr<Store> one = server.store(database, {.lease = 1h});
    std::unique_ptr<Store> two = server.store(database, {.lease = 1h});
    int first_worker = *one->sharing()->enlist({});
    int second_worker = *two->sharing()->enlist({});
};

// ---- claims ----

TEST_F(SharedStore, HandsEachPairToOneProcess) {
    const auto first = *one->claim(3);
    const auto second = *two->claim(3);
    ASSERT_THAT(first, SizeIs(3));
    ASSERT_THAT(second, SizeIs(1));
    EXPECT_EQ(second[0].pair, round_plan(2).pairs[1]);
    EXPECT_THAT(*one->claim(3), IsEmpty());
}

TEST_F(SharedStore, TakesBackPairsThatWereNotBegun) {
    const auto first = *one->claim(4);
    ASSERT_THAT(first, SizeIs(4));
    ASSERT_TRUE(one->sharing()->release({first[1].pair.key, first[2].pair.key}));
    const auto second = *two->claim(4);
    ASSERT_THAT(second, SizeIs(2));
    EXPECT_EQ(second[0].pair, first[1].pair);
    EXPECT_EQ(second[1].pair, first[2].pair);
    ASSERT_TRUE(two->sharing()->release({first[1].pair.key}));
    EXPECT_THAT(*one->claim(4), SizeIs(1)) << "also what it has given back itself";
}

TEST_F(SharedStore, FreesThePairsOfAProcessThatLeaves) {
    ASSERT_THAT(*one->claim(3), SizeIs(3));
    ASSERT_TRUE(one->sharing()->leave());
    EXPECT_THAT(*two->claim(4), SizeIs(4));
    EXPECT_THAT(*one->claim(4), IsEmpty());
}

TEST_F(SharedStore, FreesThePairsOfALeaseThatHasEnded) {
    const auto first = *one->claim(3);
    ASSERT_TRUE(one->record({finished(first[0], 1)}));
    lapse(one);
    const auto second = *two->claim(4);
    ASSERT_THAT(second, SizeIs(4));
    EXPECT_EQ(second[0].pair, first[0].pair);
    EXPECT_THAT(second[0].missing, ElementsAre(false, true)) << "what is recorded stays";
}

TEST_F(SharedStore, KeepsLeasesOfAProcessThatLives) {
    ASSERT_THAT(*one->claim(4), SizeIs(4));
    lapse(two);
    EXPECT_THAT(*two->claim(4), IsEmpty());
}

// ---- results ----

TEST_F(SharedStore, DropsAResultOfALeaseThatAnotherHasTaken) {
    const auto first = *one->claim(1);
    lapse(one);
    const auto second = *two->claim(1);
    ASSERT_EQ(second[0].pair, first[0].pair);
    GameRecord other = finished(second[0], 1);
    other.winner = 1;
    EXPECT_THAT(*one->record({finished(first[0], 1)}), ElementsAre(Recorded::Late));
    EXPECT_THAT(*two->record({other}), ElementsAre(Recorded::New));
    EXPECT_THAT(*one->record({finished(first[0], 1), finished(first[0], 2)}),
                ElementsAre(Recorded::Late, Recorded::Late));
    const auto stored = *one->game({first[0].pair.key, 1});
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->winner, 1);

    std::uint64_t late = 0;
    const auto workers = *one->sharing()->workers();
    for (const WorkerStatus& worker : workers) late += worker.late;
    EXPECT_EQ(late, 3u);
}

TEST_F(SharedStore, CountsAResultOfALeaseThatEndedAndNobodyTook) {
    const auto first = *one->claim(1);
    lapse(one);
    EXPECT_THAT(*one->record({finished(first[0], 1), finished(first[0], 2)}),
                ElementsAre(Recorded::New, Recorded::New));
    EXPECT_THAT(*two->claim(4), SizeIs(3));
}

TEST_F(SharedStore, AnswersForEachGameInTheOrderGiven) {
    const auto first = *one->claim(2);
    ASSERT_THAT(first, SizeIs(2));
    ASSERT_TRUE(one->record({finished(first[1], 2)}));
    lapse(one);
    const auto second = *two->claim(1);
    ASSERT_EQ(second[0].pair.key, first[0].pair.key);
    ASSERT_TRUE(two->record({finished(second[0], 1)}));
    EXPECT_THAT(*one->record({finished(first[1], 1), finished(first[0], 1),
                              finished(first[1], 2), finished(first[0], 2)}),
                ElementsAre(Recorded::New, Recorded::Late, Recorded::Known, Recorded::Late));
}

TEST_F(SharedStore, NumbersEventsOfAllProcessesInOneOrder) {
    std::vector<RoundPlan> rounds;
    for (int round = 3; round <= 50; ++round) rounds.push_back(round_plan(round));
    ASSERT_TRUE(one->plan(rounds));
    std::vector<std::unique_ptr<Store>> stores;
    std::vector<Store*> players;
    for (int i = 0; i < 4; ++i) {
        stores.push_back(server.store(database));
        players.push_back(stores.back().get());
    }
    EXPECT_EQ(play_and_watch(players, *two, 4 + 50 + 200), 200);
}

// ---- the planner ----

// The server of a database takes a moment to see that a connection has ended.
void lead_once_the_other_is_gone(Store& store) {
    while (!*store.sharing()->lead()) std::this_thread::sleep_for(5ms);
}

TEST_F(SharedStore, LetsOneProcessPlan) {
    EXPECT_TRUE(*one->sharing()->lead()) << "it has planned already";
    EXPECT_FALSE(*two->sharing()->lead());
    const auto planned = two->plan({round_plan(3)});
    ASSERT_FALSE(planned);
    EXPECT_EQ(planned.error().fault, Fault::TimedOut);
    EXPECT_EQ(planned.error().text, "another process plans this record now");
    EXPECT_TRUE((*one->sharing()->queue()).has_planner);
    EXPECT_THAT(*one->events(6, 10), IsEmpty());
}

TEST_F(SharedStore, LetsAnotherPlanOnceThePlannerIsGone) {
    one.reset();
    lead_once_the_other_is_gone(*two);
    EXPECT_TRUE(two->plan({round_plan(3)}));
    const auto events = *two->events(6, 10);
    ASSERT_THAT(events, SizeIs(1));
    EXPECT_EQ(std::get<RoundPlan>(events[0].what), round_plan(3));
}

// ---- the end, and what is told ----

TEST_F(SharedStore, TellsAllThatTheContestIsOver) {
    EXPECT_FALSE(*two->sharing()->finished());
    EXPECT_FALSE(two->sharing()->finish()) << "it does not lead";
    ASSERT_TRUE(one->sharing()->finish());
    EXPECT_TRUE(*two->sharing()->finished());
    ASSERT_TRUE(one->plan({round_plan(3)}));
    EXPECT_FALSE(*two->sharing()->finished());
    ASSERT_TRUE(one->sharing()->finish());
    ASSERT_TRUE(two->join({{"Eve", "cmd=eve", 4}}));
    EXPECT_FALSE(*one->sharing()->finished());
    ASSERT_TRUE(one->sharing()->finish());
    one.reset();
    lead_once_the_other_is_gone(*two);
    EXPECT_TRUE(*two->sharing()->finished()) << "to lead is not to plan";
}

TEST_F(SharedStore, TellsWhenAnotherHasCommitted) {
    std::mutex mutex;
    std::condition_variable told;
    int changes = 0;
    const auto wait_for_more = [&](int than) {
        std::unique_lock lock(mutex);
        return told.wait_for(lock, kPatience, [&] { return changes > than; });
    };
    two->sharing()->on_change([&] {
        const std::lock_guard lock(mutex);
        ++changes;
        told.notify_all();
    });
    const auto claims = *one->claim(1);
    ASSERT_TRUE(one->record({finished(claims[0], 1)}));
    EXPECT_TRUE(wait_for_more(0));
    // Later commits are told of as well; each only once it can be read.
    for (int round = 3; round <= 5; ++round) {
        const auto before = [&] {
            const std::lock_guard lock(mutex);
            return changes;
        }();
        ASSERT_TRUE(one->plan({round_plan(round)}));
        EXPECT_TRUE(wait_for_more(before));
    }
    two->sharing()->on_change(nullptr);
}

TEST_F(SharedStore, ListsItsWorkers) {
    const WorkerInfo info{"hall", 4711, 8, 12345, "1.2", 16};
    const int id = *two->sharing()->enlist(info);
    const auto claims = *two->claim(2);
    ASSERT_TRUE(two->record({finished(claims[0], 1), finished(claims[0], 2)}));
    const auto found = [&] {
        const auto workers = *one->sharing()->workers();
        for (const WorkerStatus& worker : workers)
            if (worker.id == id) return worker;
        return WorkerStatus{};
    };
    const WorkerStatus worker = found();
    EXPECT_EQ(worker.info, info);
    EXPECT_TRUE(worker.is_live);
    EXPECT_EQ(worker.games, 2u);
    EXPECT_EQ(worker.leases, 1u);
    EXPECT_GT(worker.rate, 0);
    EXPECT_GE(worker.silence, 0ms);
    EXPECT_LT(worker.silence, 1min);
    const QueueStatus queue = *one->sharing()->queue();
    EXPECT_EQ(queue.waiting, 2u);
    EXPECT_EQ(queue.leased, 1u);
    EXPECT_EQ(queue.events, 8u);
    server.lapse(database, id);
    EXPECT_EQ(one->sharing()->queue()->waiting, 3u);
    EXPECT_EQ(one->sharing()->queue()->leased, 0u);
    ASSERT_TRUE(two->sharing()->leave());
    EXPECT_EQ(found().id, id);
    EXPECT_FALSE(found().is_live);
}

TEST_F(SharedStore, KeepsTheHashesOfTheFirstMachine) {
    EXPECT_EQ(*one->sharing()->build(2, "abc"), "abc");
    EXPECT_EQ(*two->sharing()->build(2, "def"), "abc");
    EXPECT_EQ(*two->sharing()->build(3, "def"), "def");
}

}  // namespace arena::sharing_test

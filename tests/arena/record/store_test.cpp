// Properties of every store, whatever its backend.
#include "arena/record/store.hpp"

#include "arena/record/open_store.hpp"
#include "tests/arena/postgres_server.hpp"
#include "tests/arena/store_games.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::store_test {

using namespace testing;
using namespace std::chrono_literals;

// A store, and the objects that it needs for its lifetime.
struct OpenStore {
    std::unique_ptr<::test::TemporaryFolder> folder;
    std::unique_ptr<Store> store;

    Store* operator->() { return store.get(); }
};

struct Backend {
    const char* name;
    OpenStore (*make)();
};

OpenStore memory_store() { return {nullptr, make_memory_store()}; }

OpenStore sqlite_store() {
    auto folder = std::make_unique<::test::TemporaryFolder>();
    auto store = open_sqlite_store(folder->file("record.db"));
    if (!store) throw std::runtime_error(store.error().text);
    return {std::move(folder), *std::move(store)};
}

OpenStore postgres_store() {
    PostgresServer& server = PostgresServer::instance();
    return {nullptr, server.store(server.empty_database())};
}

class StoreTest : public ::testing::TestWithParam<Backend> {
  protected:
    // A tournament of four players.
    void SetUp() override {
        ASSERT_TRUE(store->open(kConfiguration));
        ASSERT_TRUE(store->join(four_players()));
    }

    std::vector<Claim> claim(std::size_t count) { return *store->claim(count); }
    std::vector<Recorded> record(const std::vector<GameRecord>& games) {
        return *store->record(games);
    }
    std::vector<std::string> keys() { return keys_of(*store.store); }
    std::vector<std::string> names() {
        std::vector<std::string> names;
        const auto entrants = *store->entrants();
        for (const Entrant& entrant : entrants) names.push_back(entrant.name);
        return names;
    }
    // Plays all planned games.
    void play_all() {
        for (const Claim& next : claim(1000)) {
            for (const int leg : {1, 2}) record({finished(next, leg)});
        }
    }

    OpenStore store = GetParam().make();
};

INSTANTIATE_TEST_SUITE_P(Backends, StoreTest,
                         ::testing::Values(Backend{"memory", memory_store},
                                           Backend{"sqlite", sqlite_store},
                                           Backend{"postgres", postgres_store}),
                         [](const auto& backend) { return backend.param.name; });

// ---- what it is a record of ----

TEST_P(StoreTest, ResumesWithTheSameConfiguration) {
    EXPECT_TRUE(store->open(kConfiguration));
    EXPECT_EQ(*store->configuration(), kConfiguration);
}

TEST_P(StoreTest, RefusesAnotherConfigurationWithTheDifference) {
    const auto opened = store->open({{"format", "round-robin"}, {"seed", "7"}});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().fault, protocol::Fault::BadInput);
    EXPECT_EQ(opened.error().text,
              "the record was begun with another configuration:\n"
              "format: the record has swiss, now round-robin");
    EXPECT_EQ(*store->configuration(), kConfiguration);
}

TEST_P(StoreTest, KnowsItsPlayersInTheOrderInWhichTheyJoined) {
    ASSERT_TRUE(store->join({{"Eve", "cmd=eve", 3}}));
    const auto entrants = *store->entrants();
    ASSERT_THAT(entrants, SizeIs(5));
    EXPECT_EQ(entrants[0], (Entrant{"Ann", "cmd=ann", 1}));
    EXPECT_EQ(entrants[4], (Entrant{"Eve", "cmd=eve", 3}));
}

TEST_P(StoreTest, RefusesNamesThatAreTaken) {
    EXPECT_EQ(store->join({{"Eve", "cmd=eve", 1}, {"Bob", "cmd=other", 1}}).error().text,
              "read a second player called 'Bob', expected another name");
    EXPECT_EQ(store->join({{"Eve", "cmd=eve", 1}, {"Eve", "cmd=other", 1}}).error().text,
              "read a second player called 'Eve', expected another name");
    EXPECT_THAT(*store->entrants(), SizeIs(4));
}

TEST_P(StoreTest, RenamesPlayers) {
    ASSERT_TRUE(store->rename({{1, "Robert"}}));
    ASSERT_TRUE(store->rename({{1, "Robert"}, {3, "Daniel"}}));
    ASSERT_TRUE(store->rename({}));
    EXPECT_THAT(names(), ElementsAre("Ann", "Robert", "Cid", "Daniel"));
}

TEST_P(StoreTest, LetsPlayersSwapTheirNames) {
    ASSERT_TRUE(store->rename({{0, "Bob"}, {1, "Ann"}}));
    EXPECT_THAT(names(), ElementsAre("Bob", "Ann", "Cid", "Dan"));
    ASSERT_TRUE(store->rename({{3, "Eve"}, {0, "Dan"}, {2, "Bob"}, {1, "Cid"}}));
    EXPECT_THAT(names(), ElementsAre("Dan", "Cid", "Bob", "Eve"));
}

TEST_P(StoreTest, RenamesAllOrNone) {
    const std::vector<std::pair<std::vector<std::pair<int, std::string>>, std::string>> cases{
        {{{0, "Eve"}, {2, "Bob"}}, "read a second player called 'Bob', expected another name"},
        {{{0, "Eve"}, {2, "Eve"}}, "read a second player called 'Eve', expected another name"},
        {{{0, "Eve"}, {4, "Fay"}}, "read player 4, expected 0..3"},
        {{{0, "Eve"}, {-1, "Fay"}}, "read player -1, expected 0..3"},
    };
    for (const auto& [renamed, why] : cases) {
        const auto done = store->rename(renamed);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().text, why);
        EXPECT_THAT(names(), ElementsAre("Ann", "Bob", "Cid", "Dan"));
    }
}

// ---- plans ----

TEST_P(StoreTest, KeepsAnExistingPlan) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    RoundPlan again = round_plan(1);
    again.spent = 5s;
    again.note = "said later";
    ASSERT_TRUE(store->plan({again, round_plan(2)}));
    const auto events = *store->events(4, 10);
    ASSERT_THAT(events, SizeIs(2));
    EXPECT_EQ(std::get<RoundPlan>(events[0].what), round_plan(1));
    EXPECT_EQ(std::get<RoundPlan>(events[1].what), round_plan(2));
    EXPECT_THAT(claim(100), SizeIs(4));
}

TEST_P(StoreTest, RefusesAnotherPlanForARoundThatIsPlanned) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    RoundPlan other = round_plan(1);
    std::swap(other.pairs[0].players[0], other.pairs[0].players[1]);
    EXPECT_EQ(store->plan({round_plan(2), other}).error().text,
              "stage 1, round 1, attempt 1 is planned already, and otherwise: read pair "
              "1.1.1.1.1.1 of players 1 and 0 from 'nim:3,4,5', expected pair 1.1.1.1.1.1 of "
              "players 0 and 1 from 'nim:3,4,5'");
    other = round_plan(1);
    other.pairs.pop_back();
    EXPECT_EQ(store->plan({other}).error().text,
              "stage 1, round 1, attempt 1 is planned already, and otherwise: read no more "
              "pairs, expected pair 1.1.2.1.1.1 of players 2 and 3 from 'nim:3,4,5'");
    other = round_plan(1);
    other.byes = {3};
    EXPECT_EQ(store->plan({other}).error().text,
              "stage 1, round 1, attempt 1 is planned already, and otherwise: read 1 byes, "
              "expected the 0 that are there");
    EXPECT_THAT(claim(100), SizeIs(2)) << "nothing of a call that is refused is planned";
    EXPECT_THAT(*store->events(5, 10), IsEmpty());
}

TEST_P(StoreTest, RefusesPlansThatMakeNoSense) {
    RoundPlan plan = round_plan(1);
    plan.pairs[1].players[1] = 4;
    EXPECT_EQ(store->plan({plan}).error().text,
              "read pair 1.1.2.1.1.1 of players 2 and 4 from 'nim:3,4,5', expected players "
              "0..3");
    plan = round_plan(1);
    plan.round = 2;
    EXPECT_EQ(store->plan({plan}).error().text,
              "read pair 1.1.1.1.1.1 of players 0 and 1 from 'nim:3,4,5', expected one of "
              "stage 1, round 2, attempt 1");
    plan = round_plan(1);
    plan.pairs[0].position = {};
    EXPECT_EQ(store->plan({plan}).error().text,
              "read pair 1.1.1.1.1.1 of players 0 and 1 from '', expected a position");
    plan = round_plan(1);
    std::swap(plan.pairs[0], plan.pairs[1]);
    EXPECT_EQ(store->plan({plan}).error().text,
              "read pair 1.1.1.1.1.1 of players 0 and 1 from 'nim:3,4,5' after pair "
              "1.1.2.1.1.1 of players 2 and 3 from 'nim:3,4,5', expected keys that rise");
    plan = round_plan(1);
    plan.byes = {-1};
    EXPECT_EQ(store->plan({plan}).error().text,
              "read a bye of player -1 in stage 1, round 1, attempt 1, expected players 0..3");
    EXPECT_THAT(claim(1), IsEmpty());
}

// ---- claims ----

TEST_P(StoreTest, HandsOutPairsInTheOrderOfTheSchedule) {
    ASSERT_TRUE(store->plan({round_plan(2), round_plan(1)}));
    const auto first = claim(3);
    ASSERT_THAT(first, SizeIs(3));
    EXPECT_EQ(first[0].pair, round_plan(1).pairs[0]);
    EXPECT_EQ(first[1].pair, round_plan(1).pairs[1]);
    EXPECT_EQ(first[2].pair, round_plan(2).pairs[0]);
    EXPECT_THAT(first[0].missing, ElementsAre(true, true));
    const auto rest = claim(3);
    ASSERT_THAT(rest, SizeIs(1));
    EXPECT_EQ(rest[0].pair, round_plan(2).pairs[1]);
    EXPECT_THAT(claim(3), IsEmpty());
}

TEST_P(StoreTest, HandsOutRoundsThatArePlannedBeforeThoseThatWere) {
    ASSERT_TRUE(store->plan({round_plan(2)}));
    EXPECT_THAT(claim(100), SizeIs(2));
    ASSERT_TRUE(store->plan({round_plan(1)}));
    const auto claims = claim(100);
    ASSERT_THAT(claims, SizeIs(2));
    EXPECT_EQ(claims[0].pair, round_plan(1).pairs[0]);
}

TEST_P(StoreTest, SaysWhichLegIsMissing) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    const Claim first{round_plan(1).pairs[0], {}};
    record({finished(first, 1)});
    const auto claims = claim(1);
    EXPECT_EQ(claims[0].pair, first.pair);
    EXPECT_THAT(claims[0].missing, ElementsAre(false, true));
}

TEST_P(StoreTest, HandsOutNoPairThatHasBeenPlayed) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    const Claim first{round_plan(1).pairs[0], {}};
    record({finished(first, 1), finished(first, 2)});
    const auto claims = claim(10);
    ASSERT_THAT(claims, SizeIs(1));
    EXPECT_EQ(claims[0].pair, round_plan(1).pairs[1]);
}

// ---- games ----

TEST_P(StoreTest, CountsAGameOnce) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    const Claim pair = claim(1)[0];
    GameRecord other = finished(pair, 1);
    other.winner = 1;
    EXPECT_THAT(record({finished(pair, 1), other}),
                ElementsAre(Recorded::New, Recorded::Known));
    EXPECT_THAT(record({other, finished(pair, 2)}),
                ElementsAre(Recorded::Known, Recorded::New));
    EXPECT_THAT(record({finished(pair, 1), finished(pair, 2)}),
                ElementsAre(Recorded::Known, Recorded::Known));
    EXPECT_THAT(keys(), ElementsAre("1.1.1.1.1.1", "1.1.1.1.1.2"));
    EXPECT_EQ((*store->game({pair.pair.key, 1}))->winner, 0);
}

TEST_P(StoreTest, RecordsAllOrNone) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    const Claim pair = claim(1)[0];
    GameRecord unplanned = finished(pair, 2);
    unplanned.task.key.pair.round = 7;
    EXPECT_EQ(store->record({finished(pair, 1), unplanned}).error().text,
              "game 1.7.1.1.1.2 is not planned, expected a game of a round that is");
    GameRecord swapped = finished(pair, 2);
    swapped.task.players = {0, 1};
    EXPECT_EQ(store->record({finished(pair, 1), swapped}).error().text,
              "game 1.1.1.1.1.2: read players 0 and 1, expected 1 and 0");
    GameRecord moved = finished(pair, 2);
    moved.task.position = position("nim:1");
    EXPECT_EQ(store->record({finished(pair, 1), moved}).error().text,
              "game 1.1.1.1.1.2: read 'nim:1', expected 'nim:3,4,5'");
    EXPECT_THAT(keys(), IsEmpty());
    EXPECT_THAT(*store->events(5, 10), IsEmpty());
}

TEST_P(StoreTest, GivesGamesBackAsTheyWere) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    const Claim pair = claim(1)[0];
    const GameRecord plain = finished(pair, 1);
    GameRecord eventful = eventful_game(pair, 2);
    record({plain, eventful});
    expect_equal(**store->game({pair.pair.key, 1}), plain);

    // Text from players is safe to show.
    eventful.received = "\\x1b[31m\xEF\xBF\xBD";
    eventful.stderr_tail = "Traceback:\n  \\x07line 3\n";
    eventful.stderr_tails[1] = "Traceback:\n  \\x07line 3\n";
    expect_equal(**store->game({pair.pair.key, 2}), eventful);
    EXPECT_FALSE((*store->game({claim(1)[0].pair.key, 1})).has_value());
}

TEST_P(StoreTest, GivesGamesInTheOrderOfTheSchedule) {
    ASSERT_TRUE(store->plan({round_plan(1), round_plan(2)}));
    const auto claims = claim(4);
    for (const std::size_t i : {3, 0, 2, 1}) {
        record({finished(claims[i], 2), finished(claims[i], 1)});
    }
    EXPECT_THAT(keys(),
                ElementsAre("1.1.1.1.1.1", "1.1.1.1.1.2", "1.1.2.1.1.1", "1.1.2.1.1.2",
                            "1.2.1.1.1.1", "1.2.1.1.1.2", "1.2.2.1.1.1", "1.2.2.1.1.2"));
    int seen = 0;
    EXPECT_TRUE(store->for_each_game([&](const GameRecord&) { return ++seen < 3; }));
    EXPECT_EQ(seen, 3);
}

TEST_P(StoreTest, CanBeUsedWhileItsGamesAreVisited) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    play_all();
    EXPECT_TRUE(store->for_each_game([&](const GameRecord& game) {
        const GameKey& key = game.task.key;
        EXPECT_TRUE(store->annotate({{key, "seen " + to_string(key)}}));
        return true;
    }));
    EXPECT_TRUE(store->for_each_game([&](const GameRecord& game) {
        EXPECT_EQ(game.annotation, "seen " + to_string(game.task.key));
        return true;
    }));
}

// ---- events ----

TEST_P(StoreTest, NumbersEventsWithoutGaps) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    const auto claims = claim(2);
    record({finished(claims[1], 2), finished(claims[0], 1)});
    record({finished(claims[1], 2)});  // already recorded: no effect
    ASSERT_TRUE(store->join({{"Eve", "cmd=eve", 2}}));
    ASSERT_TRUE(store->rename({{0, "Anna"}}));
    ASSERT_TRUE(store->plan({round_plan(2)}));
    record({eventful_game(claims[0], 2)});

    const auto events = *store->events(0, 100);
    ASSERT_THAT(events, SizeIs(10));
    for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].number, i + 1);
    EXPECT_EQ(std::get<Entrant>(events[0].what).name, "Anna");
    EXPECT_EQ(std::get<Entrant>(events[3].what).name, "Dan");
    EXPECT_EQ(std::get<RoundPlan>(events[4].what), round_plan(1));
    const auto& game = std::get<GameResult>(events[5].what);
    EXPECT_EQ(to_string(game.key), "1.1.2.1.1.2");
    EXPECT_THAT(game.players, ElementsAre(3, 2));
    EXPECT_EQ(game.winner, 0);
    EXPECT_EQ(game.reason, Reason::NoMoves);
    EXPECT_EQ(to_string(std::get<GameResult>(events[6].what).key), "1.1.1.1.1.1");
    EXPECT_EQ(std::get<Entrant>(events[7].what), (Entrant{"Eve", "cmd=eve", 2}));
    EXPECT_EQ(std::get<RoundPlan>(events[8].what), round_plan(2));
    const auto& last = std::get<GameResult>(events[9].what);
    EXPECT_EQ(to_string(last.key), "1.1.1.1.1.2");
    EXPECT_EQ(last.reason, Reason::Disconnected);
    EXPECT_THAT(last.strikes, ElementsAre(2, 1));
    EXPECT_THAT(last.off_turn_cpu, ElementsAre(Microseconds(5), Microseconds(6)));
    const GameResult told = result_of(eventful_game(claims[0], 2));
    EXPECT_EQ(last.moves, told.moves) << "the fault is no move";
    EXPECT_EQ(last.thought, told.thought);
}

TEST_P(StoreTest, TellsEventsSinceANumber) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    play_all();
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t after = 0;;) {
        const auto events = *store->events(after, 2);
        if (events.empty()) break;
        EXPECT_LE(events.size(), 2u);
        for (const Event& event : events) numbers.push_back(event.number);
        after = events.back().number;
    }
    EXPECT_THAT(numbers, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
    EXPECT_THAT(*store->events(9, 2), IsEmpty());
    EXPECT_THAT(*store->events(~std::uint64_t{0} >> 1, 2), IsEmpty());
}

TEST_P(StoreTest, TellsByesAndFurtherAttempts) {
    RoundPlan replay = round_plan(1);
    replay.attempt = 2;
    replay.pairs.pop_back();
    replay.pairs[0].key.attempt = 2;
    replay.byes = {3, 2};
    replay.spent = 90s;
    replay.note = "replayed: 1 : 1";
    ASSERT_TRUE(store->plan({round_plan(1), replay}));
    EXPECT_EQ(std::get<RoundPlan>((*store->events(5, 1))[0].what), replay);
    const auto claims = claim(9);
    ASSERT_THAT(claims, SizeIs(3));
    EXPECT_EQ(claims[1].pair, replay.pairs[0]);
}

// ---- annotations ----

TEST_P(StoreTest, KeepsNotesOnGames) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    play_all();
    const std::vector<GameKey> bare{
        {{1, 1, 1, 1, 1}, 1}, {{1, 1, 1, 1, 1}, 2}, {{1, 1, 2, 1, 1}, 1}};
    ASSERT_TRUE(store->annotate({{bare[1], "first"}, {bare[2], R"({"mistakes":[3]})"}}));
    ASSERT_TRUE(store->annotate({{bare[1], "second"}}));
    EXPECT_EQ((*store->game(bare[0]))->annotation, "");
    EXPECT_EQ((*store->game(bare[1]))->annotation, "second");
    EXPECT_EQ((*store->game(bare[2]))->annotation, R"({"mistakes":[3]})");
}

TEST_P(StoreTest, RefusesNotesOnGamesThatAreNotThere) {
    ASSERT_TRUE(store->plan({round_plan(1)}));
    const Claim pair = claim(1)[0];
    record({finished(pair, 1)});
    EXPECT_EQ(
        store->annotate({{{pair.pair.key, 1}, "a"}, {{pair.pair.key, 2}, "b"}}).error().text,
        "there is no game 1.1.1.1.1.2 in the record");
    EXPECT_EQ((*store->game({pair.pair.key, 1}))->annotation, "");
}

// ---- several at once ----

TEST_P(StoreTest, SharesOutPairsAmongThreads) {
    std::vector<RoundPlan> rounds;
    for (int round = 1; round <= 25; ++round) rounds.push_back(round_plan(round));
    ASSERT_TRUE(store->plan(rounds));

    Store* const shared = store.store.get();
    EXPECT_EQ(play_and_watch({shared, shared, shared, shared}, *shared, 4 + 25 + 100), 100);
    EXPECT_THAT(keys(), SizeIs(100));
}

// ---- where nothing is kept ----

TEST(ForgetfulStore, ForgetsAPairOnceBothItsGamesAreRecorded) {
    const auto store = make_memory_store(Keep::Nothing);
    ASSERT_TRUE(store->open(kConfiguration));
    ASSERT_TRUE(store->join(four_players()));
    ASSERT_TRUE(store->plan({round_plan(1)}));
    const auto claims = *store->claim(10);
    ASSERT_THAT(claims, SizeIs(2));
    EXPECT_THAT(*store->record({finished(claims[0], 1), finished(claims[0], 1)}),
                ElementsAre(Recorded::New, Recorded::Known));
    EXPECT_THAT(*store->record({finished(claims[0], 2), finished(claims[1], 2)}),
                ElementsAre(Recorded::New, Recorded::New));
    EXPECT_FALSE(store->record({finished(claims[0], 1)})) << "nobody plans it any more";
    EXPECT_THAT(*store->claim(10), IsEmpty());
    EXPECT_THAT(*store->events(0, 100), SizeIs(8)) << "players, the round, games";
    const auto last = *store->events(7, 100);
    ASSERT_THAT(last, SizeIs(1));
    EXPECT_EQ(last[0].number, 8u);
    EXPECT_THAT(*store->events(0, 100), SizeIs(1)) << "those before have been read";
    EXPECT_FALSE((*store->game({claims[0].pair.key, 1})).has_value());
}

// ---- difference() ----

TEST(Difference, IsALineForEachKey) {
    EXPECT_EQ(difference({{"a", "1"}, {"b", "2"}, {"d", "4"}},
                         {{"a", "1"}, {"b", "3"}, {"c", "3"}, {"e", ""}}),
              "b: the record has 2, now 3\n"
              "c: the record has nothing, now 3\n"
              "d: the record has 4, now nothing\n"
              "e: the record has nothing, now nothing");
    EXPECT_EQ(difference({{"a", "1"}}, {{"a", "1"}}), "");
    EXPECT_EQ(difference({{"a", "x\n"}}, {}), "a: the record has x\\n, now nothing");
    EXPECT_EQ(difference({{"budget", "4000"}}, {{"budget", "0"}}),
              "budget: the record has 4000ms, now nothing");
}

// A contest that another process begins after its configuration was asked for.
class BeginsMeanwhile : public Store {
  public:
    protocol::Result<Configuration> configuration() override {
        return std::exchange(has_begun_, true) ? kConfiguration : Configuration{};
    }
    protocol::Result<std::vector<Entrant>> entrants() override { return four_players(); }

    protocol::Result<void> open(const Configuration&) override { return unasked(); }
    protocol::Result<void> join(const std::vector<Entrant>&) override { return unasked(); }
    protocol::Result<void> rename(const std::vector<std::pair<int, std::string>>&) override {
        return unasked();
    }
    protocol::Result<void> plan(const std::vector<RoundPlan>&) override { return unasked(); }
    protocol::Result<std::vector<Claim>> claim(std::size_t) override { return unasked(); }
    protocol::Result<std::vector<Recorded>> record(const std::vector<GameRecord>&) override {
        return unasked();
    }
    protocol::Result<std::vector<Event>> events(std::uint64_t, std::size_t) override {
        return unasked();
    }
    protocol::Result<std::optional<GameRecord>> game(const GameKey&) override {
        return unasked();
    }
    protocol::Result<void> for_each_game(
        const std::function<bool(const GameRecord&)>&) override {
        return unasked();
    }
    protocol::Result<void> annotate(const std::vector<Annotation>&) override {
        return unasked();
    }

  private:
    static protocol::Error unasked() { return {protocol::Fault::BadInput, "unasked", 0}; }
    bool has_begun_ = false;
};

TEST(WholeConfiguration, IsNoUnfinishedCopyOfAContestThatBeginsMeanwhile) {
    BeginsMeanwhile store;
    const auto configuration = whole_configuration(store);
    ASSERT_TRUE(configuration) << configuration.error().text;
    EXPECT_EQ(*configuration, kConfiguration);
}

}  // namespace arena::store_test

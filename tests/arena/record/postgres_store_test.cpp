// What a store in a PostgreSQL database does besides sharing.
#include "arena/record/open_store.hpp"

#include <fstream>
#include <functional>

#include "arena/record/sharing.hpp"
#include "tests/arena/postgres_server.hpp"
#include "tests/arena/store_games.hpp"
#include "tests/harness/patience.hpp"

namespace arena::postgres_store_test {

using namespace testing;
using namespace std::chrono_literals;
using protocol::Fault;
using protocol::test::kPatience;

class PostgresStore : public ::testing::Test {
  protected:
    std::unique_ptr<Store> open(const StoreAccess& access = {},
                                const std::string& user = "postgres") {
        return server.store(database, access, user);
    }
    // A store with two rounds of two pairs.
    std::unique_ptr<Store> begun(const StoreAccess& access = {}) {
        auto store = open(access);
        EXPECT_TRUE(store->open(kConfiguration));
        EXPECT_TRUE(store->join(four_players()));
        EXPECT_TRUE(store->plan({round_plan(1), round_plan(2)}));
        return store;
    }
    void admin(const std::string& statement) { server.admin(database, statement); }
    void cut() { server.cut(database); }
    // A user with this role alone.
    void create_user(const std::string& name, const std::string& role) {
        admin("DROP ROLE IF EXISTS " + name);
        admin("CREATE ROLE " + name + " LOGIN IN ROLE " + role);
    }

    PostgresServer& server = PostgresServer::instance();
    std::string database = server.empty_database();
};

// ---- the record in the database ----

TEST_F(PostgresStore, IsFoundAgain) {
    const auto claims = *begun()->claim(1);
    {
        const auto store = open();
        EXPECT_EQ(*store->configuration(), kConfiguration);
        EXPECT_THAT(*store->entrants(), SizeIs(4));
        ASSERT_TRUE(store->plan({round_plan(3)}));
    }
    const auto reader = open({.read_only = true});
    EXPECT_THAT(*reader->events(0, 100), SizeIs(7));
    EXPECT_TRUE(reader->sharing()->workers());
    EXPECT_FALSE(reader->sharing()->enlist({}));
    const auto changed = reader->join({{"Eve", "cmd=eve", 1}});
    ASSERT_FALSE(changed);
    EXPECT_THAT(changed.error().text, HasSubstr("was opened for reading only"));
}

TEST_F(PostgresStore, ShowsAReaderTheGamesThatNoPlannerHasNumbered) {
    {
        begun();
        create_user("hand", "nimarena_worker");
        const auto worker = open({}, "hand");
        const auto claims = *worker->claim(1);
        ASSERT_TRUE(worker->record({finished(claims[0], 1), finished(claims[0], 2)}));
    }
    const auto reader = open({.read_only = true});
    EXPECT_THAT(*reader->events(5, 1), SizeIs(1));
    const auto games = *reader->events(6, 1);
    ASSERT_THAT(games, SizeIs(2));
    for (int leg = 1; leg <= 2; ++leg) {
        const Event& event = games[static_cast<std::size_t>(leg - 1)];
        EXPECT_EQ(event.number, static_cast<std::uint64_t>(6 + leg));
        EXPECT_EQ(std::get<GameResult>(event.what).key.leg, leg);
    }
    EXPECT_THAT(*reader->events(7, 10), IsEmpty()) << "it may be another one by now";
    EXPECT_THAT(*reader->events(8, 10), IsEmpty());
    EXPECT_EQ(reader->sharing()->queue()->events, 8);
    EXPECT_THAT(*open()->events(6, 10), SizeIs(2));
    EXPECT_THAT(*reader->events(6, 10), SizeIs(2));
}

TEST_F(PostgresStore, RecordsMoreGamesThanOneCallTakes) {
    const auto store = begun();
    constexpr int kPairs = 5001;  // a call takes 10,000 games
    RoundPlan round;
    round.round = 3;
    for (int number = 1; number <= kPairs; ++number)
        round.pairs.push_back({{1, 3, 1, number, 1}, {0, 1}, position("nim:3,4,5")});
    ASSERT_TRUE(store->plan({round}));
    std::vector<GameRecord> games;
    for (const PlannedPair& pair : round.pairs) {
        for (int leg = 1; leg <= 2; ++leg) games.push_back(finished({pair}, leg));
    }
    games.push_back(games.front());
    const auto answers = store->record(games);
    ASSERT_TRUE(answers) << answers.error().text;
    EXPECT_EQ(std::ranges::count(*answers, Recorded::New), 2 * kPairs);
    EXPECT_EQ(answers->back(), Recorded::Known);
    EXPECT_THAT(*store->events(7, 20'000), SizeIs(2 * kPairs));
}

TEST_F(PostgresStore, IsNotMadeByReadingNorByWhoMayNotDoThat) {
    admin("DROP ROLE IF EXISTS stranger");
    admin("CREATE ROLE stranger LOGIN");
    for (const auto& store : {open_store(server.address(database), {.read_only = true}),
                              open_store(server.address(database, "stranger"))}) {
        ASSERT_FALSE(store);
        EXPECT_EQ(store.error().fault, Fault::Failed);
        EXPECT_THAT(store.error().text, HasSubstr(" holds no record of Nimarena"));
    }
}

TEST_F(PostgresStore, RefusesANewerSchema) {
    begun();
    admin("INSERT INTO nimarena.version VALUES (999)");
    for (const bool read_only : {false, true}) {
        const auto store = open_store(server.address(database), {.read_only = read_only});
        ASSERT_FALSE(store);
        EXPECT_EQ(store.error().fault, Fault::BadInput);
        EXPECT_THAT(store.error().text,
                    HasSubstr("was written by another version of Nimarena: read schema 999, "
                              "expected "));
    }
}

// What there is in the database: functions, tables, columns, constraints, indexes, and rights.
constexpr const char* kSchemaText = R"(
    SELECT string_agg(line, E'\n' ORDER BY line) FROM (
        SELECT concat_ws(' ', pg_get_functiondef(oid), proowner, proacl)
            FROM pg_proc WHERE pronamespace = 'nimarena'::regnamespace
        UNION ALL SELECT concat_ws(' ', relname, relkind, relowner, relacl, reloptions)
            FROM pg_class WHERE relnamespace = 'nimarena'::regnamespace
        UNION ALL SELECT concat_ws(' ', attrelid::regclass, attnum, attname,
                format_type(atttypid, atttypmod), attnotnull, attidentity,
                pg_get_expr(adbin, adrelid))
            FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
                LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
            WHERE relnamespace = 'nimarena'::regnamespace AND attnum > 0
        UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
            FROM pg_constraint WHERE connamespace = 'nimarena'::regnamespace
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'nimarena') AS t(line))";

// Makes the tables those of versions 1 and 2. Of their functions, some that are no more: one
// that workers may run, one of another signature, and one of another result.
constexpr const char* kEarlierSchema = R"(
    DROP TABLE recorded, ticket;
    CREATE TABLE verification (
        pair       bigint NOT NULL,
        leg        smallint NOT NULL,
        worker     integer NOT NULL REFERENCES worker,
        difference text NOT NULL CHECK (length(difference) <= 10000),
        PRIMARY KEY (pair, leg, worker),
        FOREIGN KEY (pair, leg) REFERENCES game);
    DROP INDEX build_by_hash;
    CREATE UNIQUE INDEX build_once
        ON build (hashtextextended(command, 0), hashtextextended(name, 0), executable);
    ALTER TABLE game DROP CONSTRAINT texts_are_short;
    DROP FUNCTION claim(uuid, integer), leave(uuid), lead(), is_planner(), evict(interval);
    CREATE FUNCTION claim(me integer, most integer) RETURNS integer
        LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
    GRANT EXECUTE ON FUNCTION claim(integer, integer) TO nimarena_worker;
    CREATE FUNCTION leave(own uuid) RETURNS integer LANGUAGE sql AS 'SELECT 1';
    CREATE FUNCTION lead() RETURNS integer LANGUAGE sql AS 'SELECT 1';
    DELETE FROM version)";

// The record as each earlier version left it, with a worker of its own, and a game whose texts
// are longer than they may be now.
TEST_F(PostgresStore, BringsAnOlderRecordUpToDate) {
    const std::string address = server.address(database);
    for (const std::string version : {"1", "2"}) {
        server.empty_database();
        open();
        postgres::Connection old(address);
        const std::string schema(old.run(kSchemaText).text(0, 0));
        old.script("SET search_path = nimarena");
        old.script(kEarlierSchema);
        old.run("INSERT INTO version VALUES ($1)", {version});
        old.script(
            "INSERT INTO configuration VALUES ('a', 'b'); "
            "INSERT INTO worker (machine, process, cores, machine_cores, speed, version, "
            "lease, "
            "until) VALUES ('hall', 1, 1, 1, 1, '', interval '1 hour', now()); "
            "INSERT INTO game SELECT 1000, 1, 1, 1, 'no-moves', repeat('x', 2000000), '', '', "
            "0, "
            "0, 0, 0, 0, 0, 0, NULL, NULL, '', '', 0, 0, NULL, NULL, '', '', '', NULL, NULL; "
            "INSERT INTO verification VALUES (1000, 1, 1, '')");
        create_user("hand", "nimarena_worker");
        for (const auto& refused : {open_store(address, {.read_only = true}),
                                    open_store(server.address(database, "hand"))}) {
            ASSERT_FALSE(refused);
            EXPECT_THAT(refused.error().text, HasSubstr("read schema " + version +
                                                        ", expected 3; to bring it up to "
                                                        "date, play into it once as the user "
                                                        "that made it"));
        }
        // Who reads, even in a transaction that never ends, does not hold it up.
        postgres::Connection idle(server.address(database, "hand"));
        idle.script("BEGIN; SELECT count(*) FROM nimarena.build, nimarena.game");
        const auto planner = open();
        EXPECT_EQ(postgres::Connection(address).run(kSchemaText).text(0, 0), schema);
        EXPECT_EQ(*planner->configuration(), (Configuration{{"a", "b"}}));
        EXPECT_THAT(*planner->sharing()->workers(), SizeIs(1));
        ASSERT_TRUE(planner->join(four_players()));
        ASSERT_TRUE(planner->plan({round_plan(1)}));
        const auto worker = open({}, "hand");
        const auto claims = *worker->claim(1);
        ASSERT_THAT(claims, SizeIs(1));
        EXPECT_THAT(*worker->record({finished(claims[0], 1)}), ElementsAre(Recorded::New));
        EXPECT_THAT(*planner->events(5, 10), SizeIs(1));
    }
}

TEST_F(PostgresStore, IsMadeOnceWhenManyOpenItAtTheSameTime) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] { EXPECT_TRUE(open()->open(kConfiguration)); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(*open()->configuration(), kConfiguration);
}

TEST_F(PostgresStore, ChangesItsVersionWithEachCommit) {
    const std::string address = server.address(database);
    EXPECT_EQ(database_version(address), "");
    const auto store = begun();
    const std::string before = database_version(address);
    EXPECT_EQ(database_version(address), before);
    const auto claims = *store->claim(1);
    ASSERT_TRUE(store->record({finished(claims[0], 1)}));
    const std::string recorded = database_version(address);
    EXPECT_NE(recorded, before);
    ASSERT_TRUE(store->annotate({{{claims[0].pair.key, 1}, "a note"}}));
    EXPECT_NE(database_version(address), recorded);
}

TEST_F(PostgresStore, SaysThatThereIsNoServer) {
    const auto store = open_store("postgresql:///spring?host=/nowhere");
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().fault, Fault::Disconnected);
    EXPECT_THAT(store.error().text, HasSubstr("'postgresql:///spring?host=/nowhere' does not "
                                              "answer: "));
}

TEST_F(PostgresStore, RefusesAWrongAddressAndADamagedRecord) {
    begun();
    admin("DELETE FROM nimarena.version");
    const std::vector<std::pair<std::string, std::string>> cases{
        {"&foo=1", ": invalid URI query parameter: \"foo\""},
        {"&foo", ": missing key/value separator \"=\" in URI query parameter: \"foo\""},
        {"&sslmode=verify-fool", ": invalid sslmode value: \"verify-fool\""},
        {"&connect_timeout=abc", "invalid integer value \"abc\" for connection option"},
        {"", ": its table nimarena.version is damaged: restore the database from a backup"}};
    for (const auto& [option, text] : cases) {
        const auto store = open_store(server.address(database) + option);
        ASSERT_FALSE(store) << option;
        EXPECT_EQ(store.error().fault, Fault::BadInput) << option;
        EXPECT_THAT(store.error().text, HasSubstr(text));
    }
}

TEST_F(PostgresStore, HasVoidGamesForThoseThatAreMalformed) {
    const auto store = begun();
    const auto claims = *store->claim(1);
    ASSERT_TRUE(store->record({finished(claims[0], 1), finished(claims[0], 2)}));
    admin("UPDATE nimarena.game SET times = 'x' WHERE leg = 1");
    const auto damage =
        ElementsAre("game 1.1.1.1.1.1 of worker 1 has times that do not fit its moves");
    const auto events = *store->events(6, 10);
    ASSERT_THAT(events, SizeIs(2));
    EXPECT_EQ(std::get<GameResult>(events[0].what).reason, Reason::Void);
    EXPECT_FALSE(std::get<GameResult>(events[0].what).winner);
    EXPECT_TRUE(std::get<GameResult>(events[1].what).winner);
    EXPECT_THAT(store->damage(), damage);
    const auto games = games_of(*store);
    ASSERT_THAT(games, SizeIs(2));
    const GameRecord& malformed = games[0].task.key.leg == 1 ? games[0] : games[1];
    EXPECT_EQ(malformed.reason, Reason::Void);
    EXPECT_EQ(malformed.detail, "it has times that do not fit its moves");
    EXPECT_FALSE(malformed.winner);
    EXPECT_THAT(store->damage(), damage);
}

TEST_F(PostgresStore, RefusesPairsOfNoPosition) {
    const auto store = begun();
    const Claim claim = store->claim(1)->front();
    ASSERT_TRUE(store->record({finished(claim, 1)}));
    admin("UPDATE nimarena.pair SET position = 'nim:03'");
    const std::string damage = "has the position 'nim:03', expected 'nim:3'";
    EXPECT_THAT(store->claim(1).error().text, HasSubstr("pair 1.1.2.1.1 " + damage));
    EXPECT_THAT(store->events(0, 100).error().text, HasSubstr("pair 1.1.1.1.1 " + damage));
    EXPECT_FALSE(*store->game({claim.pair.key, 1}));
    EXPECT_TRUE(store->for_each_game([](const GameRecord&) { return false; }));
    EXPECT_THAT(store->damage(), ElementsAre("game 1.1.1.1.1.1 of worker 1 " + damage));
}

TEST_F(PostgresStore, RefusesByesThatAreNoPlayers) {
    const auto store = begun();
    for (const std::string byes : {"4", "x", "0 -1"}) {
        admin("UPDATE nimarena.round SET byes = '" + byes + "' WHERE round = 1");
        EXPECT_THAT(
            store->events(0, 100).error().text,
            HasSubstr("round 1.1, attempt 1, has the byes '" + byes + "', expected players"));
    }
}

TEST_F(PostgresStore, RefusesARecordWithoutOneOfItsPlayers) {
    const auto store = open();
    ASSERT_TRUE(store->join(four_players()));
    admin("DELETE FROM nimarena.entrant WHERE number = 1");
    EXPECT_THAT(store->entrants().error().text, HasSubstr("player 2 is missing"));
    EXPECT_THAT(store->events(0, 100).error().text, HasSubstr("player 2 is missing"));
}

// ---- broken connections ----

TEST_F(PostgresStore, OutlastsCutConnections) {
    const auto store = begun();
    ASSERT_TRUE(*store->sharing()->lead());
    cut();
    const auto claims = *store->claim(1);
    ASSERT_THAT(claims, SizeIs(1));
    cut();
    EXPECT_THAT(*store->record({finished(claims[0], 1)}), ElementsAre(Recorded::New));
    cut();
    EXPECT_THAT(*store->events(6, 10), SizeIs(1));
    EXPECT_EQ(store->game({claims[0].pair.key, 1})->has_value(), true);
    // It has lost the lead with its connection, and takes it again.
    while (!store->plan({round_plan(3)})) ASSERT_TRUE(store->sharing()->lead());
    EXPECT_THAT(*store->events(7, 10), SizeIs(1));
}

TEST_F(PostgresStore, OutlastsARestartOfTheServer) {
    const auto store = begun();
    const auto claims = *store->claim(2);
    server.stop(SIGQUIT);  // as if it crashed
    std::thread recording([&] {
        EXPECT_THAT(*store->record({finished(claims[0], 1), finished(claims[0], 2)}),
                    ElementsAre(Recorded::New, Recorded::New));
    });
    server.start();
    recording.join();
    EXPECT_THAT(*store->events(6, 10), SizeIs(2));
    EXPECT_THAT(*store->claim(10), SizeIs(2));
}

TEST_F(PostgresStore, GivesUpAServerThatStaysAway) {
    const auto store = begun({.away = 300ms});
    const auto claims = *store->claim(1);
    server.stop(SIGQUIT);
    const auto recorded = store->record({finished(claims[0], 1)});
    server.start();
    ASSERT_FALSE(recorded);
    EXPECT_EQ(recorded.error().fault, Fault::Disconnected);
    EXPECT_THAT(recorded.error().text, HasSubstr("nothing recorded is lost"));
}

TEST_F(PostgresStore, AwaitsALostServerOnceForAllCalls) {
    const postgres::Failure lost{postgres::Failure::Kind::Lost, "away"};
    bool is_away = true;
    int attempts = 0;
    postgres::ReconnectingConnection link(server.address(database), "'spring'", 100ms,
                                          [&](postgres::Connection&) {
                                              ++attempts;
                                              if (is_away) throw lost;
                                          });
    const auto call = [&](bool loses) {
        attempts = 0;
        return link.run([&](postgres::Connection&, bool) -> protocol::Result<void> {
            if (loses) throw lost;
            return {};
        });
    };
    EXPECT_FALSE(call(false));
    EXPECT_FALSE(call(false));
    EXPECT_EQ(attempts, 1) << "it has been awaited";
    is_away = false;
    EXPECT_TRUE(call(false));
    is_away = true;
    EXPECT_FALSE(call(true));
    EXPECT_GE(attempts, 1) << "it was there meanwhile";
}

TEST_F(PostgresStore, GivesUpACallThatLosesEachConnection) {
    postgres::ReconnectingConnection link(server.address(database), "the record", 100ms,
                                          [](postgres::Connection&) {});
    int calls = 0;
    const auto done = link.run([&](postgres::Connection&, bool) -> protocol::Result<int> {
        if (++calls < 6) throw postgres::Failure{postgres::Failure::Kind::Lost, "cut off"};
        return calls;
    });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().fault, Fault::Disconnected);
}

TEST_F(PostgresStore, LeavesAlsoByANewConnection) {
    const auto store = begun({.lease = 3600s});
    const auto other = open();
    ASSERT_THAT(*store->claim(4), SizeIs(4));
    cut();
    EXPECT_TRUE(store->sharing()->leave());
    EXPECT_THAT(*other->claim(4), SizeIs(4));
}

TEST_F(PostgresStore, EndsAtOnceWhileItsServerIsAway) {
    auto store = begun();
    store->sharing()->on_change([] {});
    server.stop(SIGQUIT);
    store.reset();
    server.start();
}

// ---- leases by the server's clock ----

TEST_F(PostgresStore, EndsTheLeaseOfADeadProcess) {
    auto dead = begun({.lease = 300ms});
    ASSERT_THAT(*dead->claim(4), SizeIs(4));
    const auto other = open();
    dead.reset();  // without leave()
    std::vector<Claim> claims;
    const auto deadline = Clock::now() + kPatience;
    while (claims.empty() && Clock::now() < deadline) claims = *other->claim(4);
    EXPECT_THAT(claims, SizeIs(4));
}

TEST_F(PostgresStore, RenewsTheLeaseOfAProcessThatLives) {
    const auto store = begun({.lease = 6000ms});  // it renews it at a third
    ASSERT_THAT(*store->claim(4), SizeIs(4));
    admin("CREATE TABLE public.first AS SELECT until FROM nimarena.worker");
    const auto is_renewed = [&] {
        return server
                   .admin(database,
                          "SELECT bool_or(worker.until > first.until AND NOT is_over) "
                          "FROM nimarena.worker, public.first")
                   .text(0, 0) == "t";
    };
    const auto deadline = Clock::now() + kPatience;
    while (!is_renewed() && Clock::now() < deadline) std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(is_renewed());
    admin("DROP TABLE public.first");
}

// ---- planners ----

TEST_F(PostgresStore, RefusesThePlanOfAPlannerThatWasReplaced) {
    const auto one = begun();
    const auto two = open();
    ASSERT_TRUE(*one->sharing()->lead());
    ASSERT_FALSE(*two->sharing()->lead());
    cut();
    while (!*two->sharing()->lead()) std::this_thread::sleep_for(5ms);
    ASSERT_TRUE(two->plan({round_plan(3)}));
    RoundPlan stale = round_plan(3);
    std::swap(stale.pairs[0].players[0], stale.pairs[0].players[1]);
    const auto planned = one->plan({stale});
    ASSERT_FALSE(planned);
    EXPECT_EQ(planned.error().fault, Fault::TimedOut);
    EXPECT_FALSE(*one->sharing()->lead());
    const auto events = *one->events(6, 10);
    ASSERT_THAT(events, SizeIs(1));
    EXPECT_EQ(std::get<RoundPlan>(events[0].what), round_plan(3));
}

TEST_F(PostgresStore, TakesNoLeadWhileAPlannerIsStoppedInTheMidstOfAPlan) {
    const auto other = open();
    postgres::Connection stopped(server.address(database));
    stopped.script("BEGIN; SELECT term FROM nimarena.planner FOR UPDATE");
    EXPECT_FALSE(*other->sharing()->lead()) << "it does not wait";
    stopped.script("ROLLBACK");
    EXPECT_TRUE(*other->sharing()->lead());
}

// ---- roles ----

TEST_F(PostgresStore, LetsAWorkersRoleClaimAndRecordAndNothingElse) {
    const auto planner = begun();
    create_user("hand", "nimarena_worker");
    const auto worker = open({}, "hand");
    EXPECT_FALSE(worker->sharing()->may_plan());
    EXPECT_TRUE(worker->open(kConfiguration)) << "it is the same";
    ASSERT_TRUE(worker->sharing()->enlist({"hall", 1, 2, 3, "1"}));
    const auto claims = *worker->claim(2);
    ASSERT_THAT(claims, SizeIs(2));
    EXPECT_THAT(*worker->record({finished(claims[0], 1), eventful_game(claims[0], 2)}),
                ElementsAre(Recorded::New, Recorded::New));
    EXPECT_TRUE(worker->sharing()->release({claims[1].pair.key}));
    EXPECT_EQ(*worker->sharing()->build(1, "abc"), "abc");
    EXPECT_THAT(*worker->events(6, 10), IsEmpty()) << "planners number what is recorded";
    EXPECT_THAT(*planner->events(6, 10), SizeIs(2));
    EXPECT_THAT(*worker->events(6, 10), SizeIs(2));

    EXPECT_FALSE(*worker->sharing()->lead());
    EXPECT_EQ(worker->plan({round_plan(3)}).error().fault, Fault::TimedOut);
    EXPECT_FALSE(worker->sharing()->finish());
    for (const auto& refused :
         {worker->join({{"Eve", "cmd=eve", 1}}), worker->rename({{0, "Eve"}}),
          worker->annotate({{{claims[0].pair.key, 1}, "a lie"}})}) {
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().fault, Fault::BadInput);
        EXPECT_THAT(refused.error().text, HasSubstr("permission denied for"));
        EXPECT_THAT(refused.error().text, HasSubstr("; the role of this user may not do that"));
    }
    EXPECT_TRUE(worker->sharing()->leave());
}

// ---- what hostile workers do ----

// A planner, an honest worker, and sessions of one who has the same rights.
class HostileWorker : public PostgresStore {
  protected:
    HostileWorker() {
        admin(
            "DO $$ BEGIN CREATE ROLE nimarena_worker; "
            "EXCEPTION WHEN duplicate_object THEN NULL; END $$");
        create_user("hand", "nimarena_worker");
        create_user("rogue", "nimarena_worker");
    }

    std::unique_ptr<postgres::Connection> session() {
        auto fresh = std::make_unique<postgres::Connection>(server.address(database, "rogue"));
        fresh->script("SET search_path = nimarena");
        return fresh;
    }
    // A worker's ticket, quoted.
    static std::string enlist(postgres::Connection& session) {
        const auto row =
            session.run("SELECT ticket FROM enlist('', 1, 1, 1, 1, '', interval '1 hour')");
        return "'" + std::string(row.text(0, 0)) + "'";
    }
    // The planner and the worker do all that they ever do.
    void expect_all_goes_on(Store& planner, Store& worker, int round) {
        ASSERT_TRUE(planner.plan({round_plan(round)}));
        ASSERT_TRUE(worker.sharing()->enlist({"hall", 1, 2, 3, "1"}));
        const auto claims = *worker.claim(2);
        ASSERT_THAT(claims, SizeIs(2));
        const std::uint64_t before = planner.events(0, 1000)->size();
        EXPECT_THAT(*worker.record({eventful_game(claims[0], 1), finished(claims[0], 2)}),
                    ElementsAre(Recorded::New, Recorded::New));
        EXPECT_TRUE(worker.sharing()->release({claims[1].pair.key}));
        const auto own = *planner.claim(1);
        ASSERT_THAT(own, SizeIs(1));
        EXPECT_THAT(*planner.record({finished(own[0], 1), finished(own[0], 2)}),
                    ElementsAre(Recorded::New, Recorded::New));
        EXPECT_THAT(*planner.events(before, 10), SizeIs(4));
        EXPECT_TRUE(planner.annotate({{{claims[0].pair.key, 1}, "a note"}}));
        EXPECT_TRUE(planner.sharing()->build(round % 4, "abc"));
        EXPECT_TRUE(worker.sharing()->build(round % 4, "abc"));
        EXPECT_TRUE(worker.sharing()->leave());
        EXPECT_TRUE(planner.sharing()->leave());
        EXPECT_TRUE(planner.sharing()->finish());
    }
};

TEST_F(HostileWorker, IsRefusedWhatItMayNotDo) {
    // The largest statement takes long, and a planner ends sessions whose transactions outlast
    // its lease.
    const auto planner = begun({.lease = 3600s});
    ASSERT_THAT(*planner->claim(1), SizeIs(1));
    const auto rogue = session();
    const std::string me = enlist(*rogue);
    const std::string other = "'00000000-0000-4000-8000-000000000000'";
    for (const std::string& statement : std::vector<std::string>{
             "DELETE FROM game",
             "UPDATE task SET worker = 2",
             "UPDATE counter SET last_event = 1",
             "INSERT INTO event VALUES (99, 0)",
             "INSERT INTO recorded (pair, leg) VALUES (1, 1)",
             "UPDATE worker SET until = 'infinity'",
             "SELECT FROM ticket",
             "LOCK TABLE task IN ROW SHARE MODE",
             "LOCK TABLE version IN EXCLUSIVE MODE",
             "SELECT FROM planner FOR UPDATE",
             "SELECT FROM counter FOR KEY SHARE",
             "SELECT lead()",
             "SELECT next_event(7)",
             "SELECT number_events()",
             "SELECT free_ended()",
             "SELECT evict('0')",
             "SELECT renew(" + me + ")",
             "SELECT grant_roles()",
             "CREATE TABLE nimarena.t ()",
             // In the name of another worker:
             "SELECT renew(" + other + ", 0)",
             "SELECT claim(" + other + ", 1)",
             "SELECT release(" + other + ", '{1}')",
             "SELECT leave(" + other + ")",
             "SELECT record(" + other + ", '{1}', '{1}', '[{}]')",
             // Games that cannot be:
             "SELECT enlist('', 1, 1, 1, 1, '', interval '2 years')",
             "SELECT record(" + me + ", '{3}', '{1}', '[{}]')",
             "SELECT record(" + me + ", '{3}', '{1}', '[]')",
             "SELECT record(" + me + ", '{3}', '{1}', '[7]')",
             "SELECT record(" + me + ", '{3}', '{1}', '7')",
             // More than anybody needs:
             "SELECT build_id(repeat('x', 100001), '', '')",
             "SELECT build_id('', repeat('x', 100001), '')",
             "SELECT build_id('', '', repeat('x', 100001))",
             "SELECT enlist(repeat('x', 1001), 1, 1, 1, 1, '', interval '1 s')",
             "SELECT record(" + me + ", array_fill(3, '{10001}'), '{1}', '[{}]')",
             "SELECT record(" + me +
                 ", '{3}', '{1}', json_build_array(repeat(repeat('x', 100000), 2000)))",
             "SELECT record(" + me +
                 ", '{3}', '{1}', json_build_array(json_build_object('winner', 1, 'reason', "
                 "'no-moves', 'moves', '', 'times', '', 'p1_seed', 1, 'p2_seed', 1, 'started', "
                 "1, 'detail', repeat('x', 1000001))))",
         }) {
        try {
            rogue->run(statement);
            ADD_FAILURE() << statement;
        } catch (const postgres::Failure& failure) {
            EXPECT_NE(failure.kind, postgres::Failure::Kind::Lost) << statement;
            EXPECT_THAT(failure.text, Not(HasSubstr("does not exist"))) << statement;
        }
    }
    EXPECT_THAT(*planner->events(6, 10), IsEmpty());
    // A game of a pair that was not planned, or that another has, is dropped.
    const auto dropped =
        rogue->run("SELECT unnest(record(" + me + ", '{1,99,3}', '{1,1,4}', '[{},{},{}]'))");
    ASSERT_EQ(dropped.size(), 3);
    for (std::size_t i = 0; i < dropped.size(); ++i) EXPECT_EQ(dropped.number(i, 0), 2);
    // Nor can it make others be refused, whose programs are not as it says.
    EXPECT_EQ(rogue->run("SELECT program_hashes(1, 'a lie')").text(0, 0), "a lie");
    EXPECT_EQ(*planner->sharing()->build(1, "the truth"), "the truth");
    EXPECT_EQ(rogue->run("SELECT program_hashes(1, 'a lie')").text(0, 0), "the truth");
}

TEST_F(HostileWorker, HoldsUpNobodyByATransactionThatStaysOpen) {
    const auto planner = begun({.lease = 3600s});
    const auto worker = open({}, "hand");
    ASSERT_TRUE(*planner->sharing()->lead());
    const auto at_first = *planner->claim(4);
    ASSERT_TRUE(planner->record({finished(at_first[0], 1), finished(at_first[0], 2)}));
    int round = 3;
    const std::string game =
        "'[{\"winner\":1,\"reason\":\"no-moves\",\"moves\":\"\",\"times\":\"\",\"p1_seed\":1,"
        "\"p2_seed\":1,\"started\":1}]'";
    for (const std::string& call : std::vector<std::string>{
             "release(ME, '{}')",
             "release(ME, '{1,2,3,4}')",
             "leave(ME)",
             "renew(ME, 1)",
             "enlist('', 1, 1, 1, 1, '', interval '1 hour')",
             "record(ME, '{2}', '{1}', " + game + ")",
             "record(ME, ARRAY(SELECT pair FROM task ORDER BY pair), '{1}', " + game + ")",
             "record(ME, (SELECT array_agg(pair) FROM claim(ME, 1)), '{1}', " + game + ")",
             "build_id('./bot', 'Bot 1', '1f  ./bot')",
             "program_hashes(3, 'a lie')",
         }) {
        SCOPED_TRACE(call);
        const auto rogue = session();
        const std::string me = enlist(*rogue);
        std::string statement = call;
        for (auto at = statement.find("ME"); at != statement.npos; at = statement.find("ME"))
            statement.replace(at, 2, me);
        ASSERT_TRUE(planner->plan({round_plan(round + 1)}));  // something to take
        rogue->script("BEGIN; SET statement_timeout = 0; SELECT " + statement);
        expect_all_goes_on(*planner, *worker, round);
        rogue->script("ROLLBACK");
        round += 2;
    }
}

TEST_F(HostileWorker, HasALoadThatJsonCanHold) {
    const auto planner = begun({.lease = 3600s});
    const auto rogue = session();
    const std::string me = enlist(*rogue);
    for (const std::string load : {"NaN", "Infinity", "-1e308"}) {
        rogue->run("SELECT renew(" + me + ", '" + load + "')");
        const auto workers = *planner->sharing()->workers();
        const double shown = workers.back().load;
        EXPECT_TRUE(shown >= 0 && shown <= 1e6) << load;
    }
}

TEST_F(HostileWorker, CannotKeepAnEndedLeaseFromItsOwner) {
    const auto planner = begun({.lease = 3600s});
    const auto worker = open({.lease = 3600s}, "hand");
    const auto claims = *worker->claim(4);
    admin("UPDATE nimarena.worker SET until = '-infinity'");
    const auto rogue = session();
    const std::string me = enlist(*rogue);
    rogue->script("BEGIN; SELECT claim(" + me + ", 10)");
    EXPECT_THAT(*worker->record({finished(claims[0], 1)}), ElementsAre(Recorded::New));
    EXPECT_TRUE(worker->sharing()->leave());
    EXPECT_THAT(*planner->claim(10), SizeIs(4));
}

// A claim locks also pairs that others have taken since it began.
TEST_F(HostileWorker, HoldsUpNoPlannerByALockedPair) {
    const auto planner = begun({.lease = 3600s});
    const auto worker = open({.lease = 3600s}, "hand");
    ASSERT_THAT(*worker->claim(2), SizeIs(2));
    admin("UPDATE nimarena.worker SET until = '-infinity'");
    postgres::Connection rogue(server.address(database));
    rogue.script("BEGIN; SELECT FROM nimarena.task FOR UPDATE");
    EXPECT_THAT(*planner->claim(10), IsEmpty());
    ASSERT_TRUE(planner->plan({round_plan(3)}));
    const auto claims = *planner->claim(10);
    ASSERT_THAT(claims, SizeIs(2));
    EXPECT_THAT(*planner->record({finished(claims[0], 1)}), ElementsAre(Recorded::New));
    EXPECT_THAT(*planner->events(7, 10), SizeIs(1));
    rogue.script("ROLLBACK");
    EXPECT_THAT(*planner->claim(10), SizeIs(4));
}

TEST_F(HostileWorker, HidesPairsNoLongerThanALease) {
    const auto planner = begun({.lease = 3600s});
    const auto rogue = session();
    const std::string me = enlist(*rogue);
    rogue->script("BEGIN; SELECT claim(" + me + ", 10)");
    EXPECT_THAT(*planner->claim(10), IsEmpty());
    const auto brief = open({.lease = 300ms});  // ends what lasts longer, from now on
    ASSERT_TRUE(brief->sharing()->enlist({}));
    std::size_t claimed = 0;
    const auto deadline = Clock::now() + kPatience;
    while (claimed < 4 && Clock::now() < deadline) claimed += planner->claim(10)->size();
    EXPECT_EQ(claimed, 4u);
    try {
        rogue->script("COMMIT");
        ADD_FAILURE() << "its session should have ended";
    } catch (const postgres::Failure& failure) {
        EXPECT_EQ(failure.kind, postgres::Failure::Kind::Lost) << failure.text;
    }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // memory that is freed is kept for a while
#else
constexpr bool kSanitized = false;
#endif

std::size_t peak_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::size_t kilobytes = 0;
        if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
    }
    return 0;
}

// How many bytes more than now this process has at the most while this runs.
std::size_t memory_of(const std::function<void()>& work) {
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak is what it has now
    const std::size_t before = peak_memory();
    work();
    return peak_memory() - before;
}

TEST_F(HostileWorker, CannotFillUpTheMemoryOfWhoReads) {
    if (kSanitized) GTEST_SKIP();
    const auto planner = begun();
    const auto claims = *planner->claim(4);
    for (const Claim& claim : claims)
        ASSERT_TRUE(planner->record({finished(claim, 1), finished(claim, 2)}));
    constexpr std::size_t kMoves = 15'900'000;  // bytes of a game
    admin("ALTER TABLE nimarena.game ALTER moves SET COMPRESSION lz4");
    admin("UPDATE nimarena.game SET moves = repeat('x', " + std::to_string(kMoves) + ")");
    EXPECT_LT(memory_of([&] { EXPECT_THAT(*planner->events(6, 100), SizeIs(8)); }), 6 * kMoves);
    EXPECT_LT(memory_of([&] { EXPECT_THAT(games_of(*planner), SizeIs(8)); }), 6 * kMoves);
}

TEST_F(HostileWorker, CannotLockThePlannerOut) {
    const auto one = begun();
    const auto two = open();
    const auto rogue = session();
    rogue->run(
        "SELECT pg_advisory_lock(1315532097, lock + n) FROM planner, generate_series(1, 100) "
        "n");
    EXPECT_TRUE(one->sharing()->queue()->has_planner);
    admin(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = "
        "'postgres' AND pid <> pg_backend_pid() AND datname = current_database()");
    rogue->run("SELECT pg_advisory_lock(1315532097, lock) FROM planner");
    EXPECT_FALSE(two->sharing()->queue()->has_planner) << "it is not a planner's";
    EXPECT_TRUE(*two->sharing()->lead());
    EXPECT_TRUE(two->sharing()->queue()->has_planner);
    EXPECT_TRUE(two->plan({round_plan(3)}));
}

TEST_F(HostileWorker, CannotKeepTheRecordFromBeingMade) {
    postgres::Connection rogue(server.address(database, "rogue"));
    rogue.run("SELECT pg_advisory_lock(1315532097)");
    begun();
}

TEST_F(PostgresStore, TakesTheLeadFromARoleThatMayNotPlan) {
    open();
    create_user("rogue", "nimarena_worker");
    postgres::Connection rogue(server.address(database, "rogue"));
    ASSERT_EQ(rogue.run("SELECT pg_try_advisory_lock(1315532097, lock) FROM nimarena.planner")
                  .text(0, 0),
              "t");
    EXPECT_TRUE(*open()->sharing()->lead());
}

// ---- statements that others undo ----

TEST_F(PostgresStore, RunsAgainWhatAnotherSessionHasUndone) {
    open();
    postgres::Connection one(server.address(database));
    postgres::Connection two(server.address(database));
    one.script("BEGIN; UPDATE nimarena.counter SET changes = 7");
    two.script("SET lock_timeout = '10ms'");
    for (const std::string statement : {"UPDATE nimarena.counter SET changes = 8",
                                        "SELECT pg_cancel_backend(pg_backend_pid())"}) {
        try {
            two.run(statement);
            ADD_FAILURE() << statement;
        } catch (const postgres::Failure& failure) {
            EXPECT_EQ(failure.kind, postgres::Failure::Kind::Again) << failure.text;
        }
    }
}

TEST_F(PostgresStore, UndoesATransactionThatAnyExceptionEnds) {
    open();
    postgres::Connection connection(server.address(database));
    const auto fail = [&]() -> protocol::Result<void> {
        connection.run("UPDATE nimarena.counter SET changes = 12345");
        throw std::out_of_range("a fault of the program");
    };
    EXPECT_THROW(connection.transaction(fail), std::out_of_range);
    EXPECT_NE(connection.run("SELECT changes FROM nimarena.counter").number(0, 0), 12345);
    EXPECT_EQ(server
                  .admin(database,
                         "SELECT count(*) FROM pg_locks WHERE relation = "
                         "'nimarena.counter'::regclass")
                  .number(0, 0),
              0);
}

TEST_F(PostgresStore, SaysThatAnEventIsOfNoPlayer) {
    const auto store = begun();
    admin("INSERT INTO nimarena.event (number, entrant) VALUES (7, 99)");
    const auto events = store->events(6, 10);
    ASSERT_FALSE(events);
    EXPECT_THAT(events.error().text,
                HasSubstr("read an event of player 99, expected one of 4"));
}

// ---- names ----

TEST(RecordName, IsShownWithoutAPassword) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"spring.db", "spring.db"},
        {"postgresql://ann@hall/spring", "postgresql://ann@hall/spring"},
        {"postgres://ann:secret@hall:5433/spring", "postgres://ann@hall:5433/spring"},
        {"postgresql://ann:se/cret@hall/spring", "postgresql://ann@hall/spring"},
        {"postgresql://ann:se?cret@hall/spring", "postgresql://ann@hall/spring"},
        {"postgresql://ann:se@cret@hall/spring", "postgresql://ann@hall/spring"},
        {"postgresql:///spring?password=secret&sslmode=require",
         "postgresql:///spring?sslmode=require"},
        {"postgresql:///spring?user=ann&sslpassword=secret", "postgresql:///spring?user=ann"},
        {"postgresql:///spring?p%61ssword=secret", "postgresql:///spring"},
        {"postgresql://hall/spring\x1b", "postgresql://hall/spring\\x1b"},
    };
    for (const auto& [name, shown] : cases) EXPECT_EQ(shown_record(name), shown);
}

TEST(RecordName, MayHoldNoPassword) {
    for (const std::string name :
         {"postgresql://ann:secret@hall/spring", "postgres://:secret@hall/spring",
          "postgresql:///spring?password=secret", "postgresql:///spring?p%61ssword=secret"}) {
        const auto opened = open_store(name);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().fault, Fault::BadInput);
        EXPECT_THAT(opened.error().text, Not(HasSubstr("secret")));
        EXPECT_FALSE(parse_record_name(name));
    }
    EXPECT_EQ(
        check_record_name("postgresql://ann:secret@hall/spring").error().text,
        "read a password in postgresql://ann@hall/spring, expected none, as all users of a "
        "machine see its command lines: put it into ~/.pgpass, or into the variable "
        "PGPASSWORD");
    EXPECT_TRUE(check_record_name("postgresql://ann@hall/spring?sslmode=verify-full"));
    EXPECT_TRUE(check_record_name("a:b@c.db"));
}

TEST(RecordName, OfADatabaseHasSlashes) {
    for (const std::string name : {"postgresql:spring", "postgres:/spring"}) {
        EXPECT_EQ(open_store(name).error().text,
                  "read a database without //, expected postgresql://[USER@]HOST/NAME");
    }
}

TEST(RecordName, TellsWhereItsSecretsAre) {
    EXPECT_THAT(secret_files("spring.db"), IsEmpty());
    EXPECT_THAT(secret_files("postgresql:///spring?sslkey=/a%2fkey&passfile=%2Fhome/pass"),
                ElementsAre("/home/pass", "/a/key"));
}

TEST_F(PostgresStore, SaysThatADatabaseOrUserIsUnknown) {
    const auto error = [&](const std::string& name, const std::string& user) {
        const auto store = open_store(server.address(name, user));
        return store ? protocol::Error{} : store.error();
    };
    const auto other = error("nowhere", "postgres");
    EXPECT_EQ(other.fault, Fault::BadInput);
    EXPECT_THAT(other.text, HasSubstr("database \"nowhere\" does not exist"));
    EXPECT_THAT(other.text, Not(HasSubstr("nothing recorded is lost")));
    EXPECT_THAT(error(database, "nobody_of_that_name").text, HasSubstr("does not exist"));
}

}  // namespace arena::postgres_store_test

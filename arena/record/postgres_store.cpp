// The store in a PostgreSQL database. It has three connections, each replaced when it is lost:
// `writer_` for all that changes the record, `reader_` for what reads it, and `keeper_`, on
// which a thread renews the lease of this process, hears of changes, and holds the planner's
// lock. What workers may do, they do by functions of the database (postgres/functions.sql),
// which lock nothing that another process waits for; planners change the tables, one at a time,
// by the lock of the row of `planner`, and number what workers have recorded.
//
// A game is on the server's disk when record() returns (synchronous_commit). All calls outlast
// a restart of the server: one whose connection breaks runs again and may find that it was
// done: games are known by their keys, plans by their rounds, and claims by the leases of this
// worker.
#include "arena/record/open_store.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/record/packing.hpp"
#include "arena/record/postgres.hpp"
#include "arena/record/sharing.hpp"
#include "arena/record/store_rules.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using postgres::Connection;
using postgres::RowReader;
using postgres::Rows;
using protocol::Error;
using protocol::Result;

constexpr std::chrono::milliseconds kPoll{1000};  // in case notifications do not come
constexpr std::size_t kGamesAtOnce = 500;

const std::string kOrder = " ORDER BY " + std::string(postgres::kKeyColumns);

// Of damage to what a planner has written, none of which is left out.
postgres::Failure failure(const std::string& text) {
    return {postgres::Failure::Kind::Other, text};
}

std::int64_t as_bigint(std::uint64_t number) {
    return static_cast<std::int64_t>(
        std::min<std::uint64_t>(number, std::numeric_limits<std::int64_t>::max()));
}

std::string milliseconds_text(std::chrono::milliseconds time) {
    return fmt::format("{} milliseconds", time.count());
}

// Keys as arrays, a column each.
std::vector<std::string> key_arrays(const std::vector<PairKey>& keys) {
    std::vector<std::string> arrays;
    for (int PairKey::*part : {&PairKey::stage, &PairKey::round, &PairKey::pairing,
                               &PairKey::position, &PairKey::attempt}) {
        std::vector<std::int64_t> column;
        for (const PairKey& key : keys) column.push_back(key.*part);
        arrays.push_back(postgres::array_text(column));
    }
    return arrays;
}

// ---- statements of a planner ----

std::vector<Entrant> read_entrants(Connection& connection) {
    const Rows rows =
        connection.run("SELECT number, name, spec, first_round FROM entrant ORDER BY number");
    std::vector<Entrant> entrants;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        RowReader row(rows, i);
        if (row.number() != std::ssize(entrants))
            throw failure(fmt::format("player {} is missing", entrants.size() + 1));
        Entrant& entrant = entrants.emplace_back();
        entrant.name = protocol::printable(row.text());
        entrant.spec = row.text();
        entrant.first_round = row.small();
    }
    return entrants;
}

Configuration read_configuration(Connection& connection) {
    const Rows rows =
        connection.run("SELECT name, value FROM configuration ORDER BY name COLLATE \"C\"");
    Configuration configuration;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        RowReader row(rows, i);
        std::string name = row.text();
        configuration.emplace_back(std::move(name), row.text());
    }
    return configuration;
}

Entrant entrant_of(const std::vector<Entrant>& entrants, std::int64_t number) {
    if (number >= 0 && number < std::ssize(entrants))
        return entrants[static_cast<std::size_t>(number)];
    throw failure(
        fmt::format("read an event of player {}, expected one of {}", number, entrants.size()));
}

constexpr const char* kRound =
    "SELECT id, stage, round, attempt, byes, spent_ms, note, (SELECT count(*) FROM entrant) "
    "FROM round ";

// The plan of a round from a row of kRound, with its pairs.
RoundPlan read_round(Connection& connection, const Rows& rows, std::size_t at) {
    RowReader row(rows, at);
    row.number();
    RoundPlan plan;
    plan.stage = row.small();
    plan.round = row.small();
    plan.attempt = row.small();
    const std::string byes = row.text();
    plan.spent = std::chrono::milliseconds(row.number());
    plan.note = row.text();
    try {
        plan.byes = read_byes(byes, static_cast<std::size_t>(row.number()));
    } catch (const DamagedRow& damaged) {
        throw failure(fmt::format("{} {}", name_of(plan), damaged.text));
    }
    static const std::string statement =
        fmt::format("SELECT {} FROM pair p WHERE stage = $1 AND round = $2 AND attempt = $3 {}",
                    postgres::kPairColumns, kOrder);
    const Rows pairs = connection.run(statement, plan.stage, plan.round, plan.attempt);
    PositionReader positions;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        RowReader pair(pairs, i);
        plan.pairs.push_back(postgres::read_pair(pair, positions));
    }
    return plan;
}

std::optional<RoundPlan> find_round(Connection& connection, const RoundPlan& like) {
    static const std::string statement =
        std::string(kRound) + "WHERE stage = $1 AND round = $2 AND attempt = $3";
    const Rows rows = connection.run(statement, like.stage, like.round, like.attempt);
    if (rows.empty()) return std::nullopt;
    return read_round(connection, rows, 0);
}

// Gives its number in the table.
std::int64_t write_round(Connection& connection, const RoundPlan& plan) {
    const Rows row = connection.run(
        "INSERT INTO round (stage, round, attempt, byes, spent_ms, note) "
        "VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
        plan.stage, plan.round, plan.attempt, join_numbers(plan.byes), plan.spent.count(),
        plan.note);
    if (plan.pairs.empty()) return row.number(0, 0);
    std::vector<PairKey> keys;
    std::vector<std::int64_t> first, second;
    std::vector<std::string> positions;
    for (const PlannedPair& pair : plan.pairs) {
        keys.push_back(pair.key);
        first.push_back(pair.players[0]);
        second.push_back(pair.players[1]);
        positions.push_back(pair.position.text());
    }
    std::vector<std::string> values = key_arrays(keys);
    values.push_back(postgres::array_text(first));
    values.push_back(postgres::array_text(second));
    values.push_back(postgres::array_text(positions));
    connection.run(
        "WITH added AS (INSERT INTO pair (stage, round, pairing, position_number, attempt, "
        "player1, player2, position) SELECT * FROM unnest($1::integer[], $2::integer[], "
        "$3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::integer[], "
        "$8::text[]) "
        "RETURNING *) INSERT INTO task (pair, stage, round, pairing, position_number, attempt) "
        "SELECT id, stage, round, pairing, position_number, attempt FROM added",
        values);
    return row.number(0, 0);
}

// Numbers what was written, as the last statement of a transaction. `column`: what it is.
void write_events(Connection& connection, const std::string& column,
                  const std::vector<std::int64_t>& numbers) {
    if (numbers.empty()) return;
    connection.run("SELECT number_events()");  // what came before
    connection.run("UPDATE counter SET is_finished = false WHERE is_finished");
    const Rows first = connection.run("SELECT next_event($1)", numbers.size());
    connection.run(fmt::format("INSERT INTO event (number, {}) SELECT $1::bigint + n - 1, what "
                               "FROM unnest($2::integer[]) WITH ORDINALITY AS u(what, n)",
                               column),
                   first.text(0, 0), postgres::array_text(numbers));
}

// ---- statements that read games ----
// What one gives is in memory at once, and a worker may have filled up many games. The server
// tells the length of a text without reading it, except that of the strikes.

// Whether a game is so long that its result is read alone.
constexpr std::string_view kIsLong = "octet_length(g.moves) + octet_length(g.times) > 20000";

// What an event has of a game `g` of the pair `p`, with these columns of texts.
std::string result_columns(std::string_view moves, std::string_view times) {
    return fmt::format(
        "{}, p.player1, p.player2, g.leg, g.worker, g.winner, g.reason, g.p1_off_turn, "
        "g.p2_off_turn, g.p1_strikes, g.p2_strikes, {}, {}",
        postgres::kKeyColumns, moves, times);
}

constexpr std::int64_t kBytesAtOnce = 16 << 20;  // and one game more
constexpr std::string_view kBytesOfGame =
    "octet_length(g.moves) + octet_length(g.times) + octet_length(g.detail) + "
    "octet_length(g.received) + octet_length(g.expected) + octet_length(g.stderr) + "
    "octet_length(g.p1_stderr) + octet_length(g.p2_stderr) + "
    "coalesce(octet_length(g.strikes::text), 0)";

// After the game whose key is the first six values.
const std::string kAfterKey = fmt::format(
    "({0}) >= ($1, $2, $3, $4, $5) AND (({0}) > ($1, $2, $3, $4, $5) OR "
    "g.leg > $6)",
    postgres::kKeyColumns);

// ---- the store ----

// A pair that this process has claimed, with the games that it has not recorded yet.
struct HeldPair : Claim {
    std::int64_t id = 0;
};

// Games on their way into the function record(), which takes 10,000 games and 200 MB at most.
struct Sending {
    static constexpr std::size_t kMostGames = 5000;
    static constexpr std::size_t kMostBytes = 50'000'000;  // and one game more

    std::vector<std::size_t> games;  // indexes
    std::vector<std::int64_t> ids;   // of their pairs
    std::vector<std::int64_t> legs;
    std::string json = "[";

    bool is_full() const { return games.size() >= kMostGames || json.size() >= kMostBytes; }
    void add(std::size_t game, const GameKey& key, std::int64_t pair,
             const std::string& columns) {
        if (!games.empty()) json += ',';
        json += columns;
        games.push_back(game);
        ids.push_back(pair);
        legs.push_back(key.leg);
    }
};

class PostgresStore : public Sharing {
  public:
    PostgresStore(const std::string& address, const StoreAccess& access)
        : shown_(protocol::quoted(shown_record(address))),
          read_only_(access.read_only),
          lease_(access.lease),
          writer_(address, shown_, access.away, [this](Connection& fresh) { greet(fresh); }),
          reader_(address, shown_, access.away, [this](Connection& fresh) { greet(fresh); }),
          keeper_(address, shown_, access.away, [this](Connection& fresh) {
              greet(fresh);
              leads_ = false;
              fresh.listen("nimarena");
          }) {}

    ~PostgresStore() override {
        closing_ = true;
        for (postgres::ReconnectingConnection* link : {&writer_, &reader_, &keeper_})
            link->close();
        wake_keeper();
        if (thread_.joinable()) thread_.join();
        if (wake_ >= 0) ::close(wake_);
    }

    // Before any other call.
    Result<void> connect() {
        return writer_.run_once([&](Connection& connection, bool) -> Result<void> {
            auto prepared = postgres::prepare_schema(connection, shown_, read_only_);
            if (!prepared) return prepared;
            may_plan_ =
                connection.run("SELECT has_table_privilege('nimarena.planner', 'UPDATE')")
                    .text(0, 0) == "t";
            return {};
        });
    }

    Result<void> open(const Configuration& configuration) override {
        const auto recorded = this->configuration();
        if (!recorded) return recorded.error();
        if (*recorded == configuration && !recorded->empty()) return {};
        if (!recorded->empty()) return other_configuration(*recorded, configuration);
        return change([&](Connection& connection, bool) -> Result<void> {
            const Configuration there = read_configuration(connection);
            if (there == configuration) return {};
            if (!there.empty()) return other_configuration(there, configuration);
            for (const auto& [name, value] : configuration)
                connection.run("INSERT INTO configuration VALUES ($1, $2)", name, value);
            return {};
        });
    }

    Result<Configuration> configuration() override { return read(read_configuration); }

    Result<void> join(const std::vector<Entrant>& joining) override {
        return change([&](Connection& connection, bool is_again) -> Result<void> {
            const auto present = read_entrants(connection);
            if (is_again && present.size() >= joining.size() &&
                std::equal(joining.rbegin(), joining.rend(), present.rbegin())) {
                return {};
            }
            auto checked = check_join(present, joining);
            if (!checked) return checked;
            std::vector<std::int64_t> numbers;
            for (const Entrant& entrant : joining) {
                numbers.push_back(static_cast<std::int64_t>(present.size() + numbers.size()));
                connection.run("INSERT INTO entrant VALUES ($1, $2, $3, $4)", numbers.back(),
                               entrant.name, entrant.spec, entrant.first_round);
            }
            write_events(connection, "entrant", numbers);
            return {};
        });
    }

    Result<std::vector<Entrant>> entrants() override { return read(read_entrants); }

    Result<void> rename(const std::vector<std::pair<int, std::string>>& names) override {
        return change([&](Connection& connection, bool) -> Result<void> {
            auto checked = check_rename(read_entrants(connection), names);
            if (!checked || names.empty()) return checked;
            std::vector<std::int64_t> numbers;
            std::vector<std::string> texts;
            for (const auto& [number, name] : names) {
                numbers.push_back(number);
                texts.push_back(name);
            }
            connection.run(
                "UPDATE entrant SET name = u.name FROM unnest($1::integer[], "
                "$2::text[]) AS u(number, name) WHERE entrant.number = u.number",
                postgres::array_text(numbers), postgres::array_text(texts));
            connection.run("SELECT next_event(0)");
            return {};
        });
    }

    Result<void> plan(const std::vector<RoundPlan>& rounds) override {
        auto leads = take_lead();
        if (!leads) return leads;
        return change_as_leader([&](Connection& connection) -> Result<void> {
            const std::size_t entrants = read_entrants(connection).size();
            std::vector<std::int64_t> written;
            for (const RoundPlan& round : rounds) {
                auto checked = check_plan(round, entrants);
                if (!checked) return checked;
                const auto there = find_round(connection, round);
                if (there)
                    checked = check_same_plan(*there, round);
                else
                    written.push_back(write_round(connection, round));
                if (!checked) return checked;
            }
            write_events(connection, "round", written);
            return {};
        });
    }

    Result<std::vector<Claim>> claim(std::size_t count) override {
        if (count == 0) return std::vector<Claim>();
        return write([&](Connection& connection, bool is_again) -> Result<std::vector<Claim>> {
            std::vector<Claim> claims;
            const std::string ticket = this->ticket(connection);
            // It may have claimed pairs before the connection broke, and not heard of them.
            if (is_again) {
                static const std::string statement = fmt::format(
                    "SELECT p.id, {}, t.missing FROM task t JOIN pair p ON p.id = t.pair "
                    "WHERE t.worker = $1 {}",
                    postgres::kPairColumns, kOrder);
                take(connection.run(statement, worker_.load()), claims);
            }
            if (claims.size() < count) {
                const auto most = std::min<std::size_t>(count - claims.size(), 1'000'000);
                take(connection.run("SELECT * FROM claim($1, $2)", ticket, most), claims);
            }
            return claims;
        });
    }

    Result<std::vector<Recorded>> record(const std::vector<GameRecord>& games) override {
        return write([&](Connection& connection, bool is_again) {
            return record(connection, is_again, games);
        });
    }

    Result<std::vector<Event>> events(std::uint64_t after, std::size_t limit) override {
        return read(
            [&](Connection& connection) { return read_events(connection, after, limit); });
    }

    Result<std::optional<GameRecord>> game(const GameKey& key) override {
        return read([&](Connection& connection) -> std::optional<GameRecord> {
            static const std::string statement = postgres::GameRows::select_games(
                "WHERE p.stage = $1 AND p.round = $2 AND p.pairing = $3 AND "
                "p.position_number = $4 AND p.attempt = $5 AND g.leg = $6");
            const Rows rows = connection.run(statement, postgres::key_values(key));
            if (rows.empty()) return std::nullopt;
            GameRecord game = read_game(connection, rows, 0);
            return game.task.position ? std::optional(std::move(game)) : std::nullopt;
        });
    }

    // In parts, so that no transaction stays open: it would keep the server from tidying up.
    Result<void> for_each_game(const std::function<bool(const GameRecord&)>& visit) override {
        GameKey last{{0, 0, 0, 0, 0}, 0};
        for (;;) {
            const GameKey before = last;
            const auto games = read([&](Connection& connection) {
                last = before;  // this may be a second try
                return games_after(connection, last);
            });
            if (!games) return games.error();
            if (last == before) return {};
            for (const GameRecord& game : *games) {
                if (!visit(game)) return {};
            }
        }
    }

    std::vector<std::string> damage() override {
        const std::lock_guard lock(damage_mutex_);
        return {damage_.begin(), damage_.end()};
    }

    Result<void> annotate(const std::vector<Annotation>& annotations) override {
        return write([&](Connection& connection, bool) {
            return connection.transaction([&] { return annotate(connection, annotations); });
        });
    }

    // ---- sharing ----

    Result<int> enlist(const WorkerInfo& info) override {
        return write([&](Connection& connection, bool) -> Result<int> {
            return enlist(connection, info);
        });
    }

    Result<void> leave() override {
        return write([&](Connection& connection, bool) -> Result<void> {
            const std::string own = known_ticket();
            if (!own.empty()) connection.run("SELECT leave($1)", own);
            forget_worker();
            return {};
        });
    }

    Result<void> release(const std::vector<PairKey>& pairs) override {
        std::vector<std::int64_t> ids;
        {
            const std::lock_guard lock(held_mutex_);
            for (const PairKey& key : pairs) {
                const auto held = held_.find(key);
                if (held == held_.end()) continue;
                ids.push_back(held->second.id);
                held_.erase(held);
            }
        }
        if (ids.empty()) return {};
        return write([&](Connection& connection, bool) -> Result<void> {
            connection.run("SELECT release($1, $2)", ticket(connection),
                           postgres::array_text(ids));
            return {};
        });
    }

    bool may_plan() const override { return may_plan_; }

    // Tries again for a moment where a change by another process has locked the planner's row.
    // Whoever has locked it for longer plans, or is stopped in the midst of it.
    Result<bool> lead() override {
        if (leads_) return true;
        if (!may_plan_) return false;
        keep();
        constexpr int kTries = 10;
        for (int tries = 1; !leads_; ++tries) {
            const auto is_answered = ask_to_lead();
            if (!is_answered) return is_answered.error();
            if (*is_answered || tries == kTries) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return leads_.load();
    }

    Result<void> finish() override {
        auto leads = take_lead();
        if (!leads) return leads;
        return change_as_leader([&](Connection& connection) -> Result<void> {
            connection.run("SELECT number_events(), next_event(0)");
            connection.run("UPDATE counter SET is_finished = true");
            return {};
        });
    }

    Result<bool> finished() override {
        return read([](Connection& connection) {
            return connection.run("SELECT is_finished FROM counter").text(0, 0) == "t";
        });
    }

    void on_change(std::function<void()> changed) override {
        {
            const std::lock_guard lock(changed_mutex_);
            changed_ = std::move(changed);
            if (!changed_) return;
        }
        keep();
    }

    Result<std::vector<WorkerStatus>> workers() override {
        return read([](Connection& connection) {
            const Rows rows = connection.run(
                "SELECT id, machine, process, cores, speed, version, "
                "machine_cores, NOT is_over AND until >= clock_timestamp(), games, late, "
                "(SELECT count(*) FROM task t WHERE t.worker = w.id), "
                "(games - earlier_games) / "
                "greatest(extract(epoch FROM clock_timestamp() - earlier), 0.001), "
                "(extract(epoch FROM clock_timestamp() - seen) * 1000)::bigint, load "
                "FROM worker w ORDER BY id");
            std::vector<WorkerStatus> workers;
            for (std::size_t i = 0; i < rows.size(); ++i)
                workers.push_back(read_worker(rows, i));
            return workers;
        });
    }

    Result<QueueStatus> queue() override {
        return read([](Connection& connection) {
            const Rows rows = connection.run(
                "SELECT (SELECT count(*) FROM task) - leased, leased, "
                "last_event + (SELECT count(*) FROM recorded), has_leader(), is_finished "
                "FROM counter, (SELECT coalesce(sum((SELECT count(*) FROM task "
                "WHERE worker = w.id)), 0) AS leased FROM worker w "
                "WHERE NOT is_over AND until >= clock_timestamp()) AS live");
            RowReader row(rows, 0);
            QueueStatus queue;
            queue.waiting = static_cast<std::uint64_t>(row.number());
            queue.leased = static_cast<std::uint64_t>(row.number());
            queue.events = static_cast<std::uint64_t>(row.number());
            queue.has_planner = row.flag();
            queue.is_finished = row.flag();
            return queue;
        });
    }

    Result<std::string> build(int player, const std::string& hashes) override {
        return write([&](Connection& connection, bool) -> Result<std::string> {
            const Rows row = connection.run("SELECT program_hashes($1, $2)", player, hashes);
            return std::string(row.text(0, 0));
        });
    }

    Result<std::vector<std::pair<int, std::string>>> builds() override {
        return read([](Connection& connection) {
            const Rows rows =
                connection.run("SELECT player, hashes FROM program ORDER BY player");
            std::vector<std::pair<int, std::string>> builds;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                RowReader row(rows, i);
                const int player = row.small();
                builds.emplace_back(player, row.text());
            }
            return builds;
        });
    }

  private:
    void greet(Connection& fresh) { fresh.script(postgres::session_settings(read_only_)); }

    template <typename Work>
    auto read(const Work& work) -> Result<decltype(work(std::declval<Connection&>()))> {
        return reader_.run([&](Connection& connection, bool) {
            return Result<decltype(work(connection))>(work(connection));
        });
    }

    template <typename Work>
    auto write(const Work& work) -> decltype(work(std::declval<Connection&>(), false)) {
        if (read_only_) return opened_to_read();
        return writer_.run(work);
    }

    Error opened_to_read() const { return bad_input("{} was opened for reading only", shown_); }

    // A change by one planner at a time.
    template <typename Work>
    Result<void> change(const Work& work) {
        return write([&](Connection& connection, bool is_again) {
            return connection.transaction([&]() -> Result<void> {
                connection.run("SELECT term FROM planner FOR UPDATE");
                return work(connection, is_again);
            });
        });
    }

    // The same, unless another process has taken the lead.
    template <typename Work>
    Result<void> change_as_leader(const Work& work) {
        return change([&](Connection& connection, bool) -> Result<void> {
            const Rows row = connection.run("SELECT term FROM planner");
            if (row.number(0, 0) == term_) return work(connection);
            leads_ = false;
            return not_the_planner();
        });
    }

    // False: the planner's row is locked. Waits for no lock: the keeper's next task is to renew
    // the lease.
    Result<bool> ask_to_lead() {
        return keeper_.run([&](Connection& connection, bool) -> Result<bool> {
            const Rows row = connection.run(
                "SELECT lead() FROM (SELECT FROM planner FOR UPDATE SKIP LOCKED) AS free");
            if (row.empty()) return false;
            if (row.is_null(0, 0)) return true;
            term_ = row.number(0, 0);
            has_led_ = true;
            leads_ = true;
            connection.listen("nimarena_recorded");  // whoever leads numbers at once
            return true;
        });
    }

    Result<void> take_lead() {
        if (leads_) return {};
        if (read_only_) return opened_to_read();
        if (has_led_) return not_the_planner();
        const auto led = lead();
        if (!led) return led.error();
        if (!*led) return not_the_planner();
        return {};
    }

    // ---- claims and games ----

    int enlist(Connection& connection, const WorkerInfo& info) {
        const Rows rows =
            connection.run("SELECT id, ticket FROM enlist($1, $2, $3, $4, $5, $6, $7)",
                           info.machine, info.process, info.cores, info.machine_cores,
                           as_bigint(info.speed), info.version, milliseconds_text(lease_));
        RowReader row(rows, 0);
        worker_ = row.small();
        {
            const std::lock_guard lock(held_mutex_);
            ticket_ = row.text();
        }
        keep();
        return worker_;
    }

    // By which the database knows this process as a worker, which it becomes if it is none.
    std::string ticket(Connection& connection) {
        if (known_ticket().empty())
            enlist(connection, {"", ::getpid(), 0, 0, NIMARENA_VERSION});
        return known_ticket();
    }

    // Empty: it is no worker.
    std::string known_ticket() {
        const std::lock_guard lock(held_mutex_);
        return ticket_;
    }

    void forget_worker() {
        const std::lock_guard lock(held_mutex_);
        ticket_.clear();
        held_.clear();
    }

    // Adds the pairs of these rows that this process does not play yet.
    void take(const Rows& rows, std::vector<Claim>& claims) {
        PositionReader positions;
        const std::lock_guard lock(held_mutex_);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            RowReader row(rows, i);
            HeldPair held;
            held.id = row.number();
            held.pair = postgres::read_pair(row, positions);
            const std::int64_t missing = row.number();
            held.missing = {(missing & 1) != 0, (missing & 2) != 0};
            const auto [place, is_new] = held_.try_emplace(held.pair.key, held);
            if (is_new) claims.push_back(held);
        }
    }

    Result<std::vector<Recorded>> record(Connection& connection, bool is_again,
                                         const std::vector<GameRecord>& games) {
        const auto pairs = pairs_of(connection, games);
        for (const GameRecord& game : games) {
            const auto pair = pairs.find(game.task.key.pair);
            if (pair == pairs.end()) return not_planned(game.task.key);
            const auto checked = check_game(game, pair->second.pair);
            if (!checked) return checked.error();
        }
        std::vector<Recorded> answers(games.size(), Recorded::Known);
        std::set<GameKey> keys;  // each is sent once
        Sending sending;
        for (std::size_t i = 0; i < games.size(); ++i) {
            if (!keys.insert(games[i].task.key).second) continue;
            sending.add(i, games[i].task.key, pairs.at(games[i].task.key.pair).id,
                        postgres::columns_json(games[i], build_ids(connection, games[i])));
            if (sending.is_full()) send(connection, is_again, sending, answers);
        }
        send(connection, is_again, sending, answers);
        forget(games, answers);
        return answers;
    }

    void send(Connection& connection, bool is_again, Sending& sending,
              std::vector<Recorded>& answers) {
        Sending sent = std::exchange(sending, {});
        if (sent.games.empty()) return;
        std::vector<std::string> values{ticket(connection), postgres::array_text(sent.ids),
                                        postgres::array_text(sent.legs)};
        values.push_back(std::move(sent.json += ']'));  // up to 50 MB: not copied
        const Rows rows = connection.run("SELECT unnest(record($1, $2, $3, $4))", values);
        for (std::size_t i = 0; i < std::min(rows.size(), sent.games.size()); ++i) {
            const std::int64_t answer = rows.number(i, 0);
            // A game recorded just before the connection broke is new to this process.
            const bool is_new = answer == 0 || (answer == 1 && is_again);
            answers[sent.games[i]] = is_new        ? Recorded::New
                                     : answer == 1 ? Recorded::Known
                                                   : Recorded::Late;
        }
    }

    // Those that are planned.
    std::map<PairKey, HeldPair> pairs_of(Connection& connection,
                                         const std::vector<GameRecord>& games) {
        std::map<PairKey, HeldPair> pairs;
        std::set<PairKey> unknown;
        {
            const std::lock_guard lock(held_mutex_);
            for (const GameRecord& game : games) {
                const auto held = held_.find(game.task.key.pair);
                if (held != held_.end())
                    pairs.insert(*held);
                else
                    unknown.insert(game.task.key.pair);
            }
        }
        if (unknown.empty()) return pairs;
        static const std::string statement = fmt::format(
            "SELECT p.id, {} FROM unnest($1::integer[], $2::integer[], $3::integer[], "
            "$4::integer[], $5::integer[]) AS u(stage, round, pairing, position_number, "
            "attempt) "
            "JOIN pair p USING (stage, round, pairing, position_number, attempt)",
            postgres::kPairColumns);
        const Rows rows =
            connection.run(statement, key_arrays({unknown.begin(), unknown.end()}));
        PositionReader positions;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            RowReader row(rows, i);
            HeldPair pair;
            pair.id = row.number();
            pair.pair = postgres::read_pair(row, positions);
            pairs.emplace(pair.pair.key, pair);
        }
        return pairs;
    }

    std::array<std::optional<int>, 2> build_ids(Connection& connection,
                                                const GameRecord& game) {
        constexpr std::size_t kMostBuilds = 10'000;
        std::array<std::optional<int>, 2> ids;
        for (std::size_t seat = 0; seat < 2; ++seat) {
            const PlayerBuild* build = game.builds[seat].get();
            if (build == nullptr) continue;
            if (builds_.size() >= kMostBuilds) builds_.clear();
            int& id = builds_[*build];
            if (id == 0) {
                const Rows row = connection.run(
                    "SELECT build_id($1, $2, $3)", protocol::printable(build->command),
                    protocol::printable(build->id), lines_fit_to_store(build->executable));
                id = static_cast<int>(row.number(0, 0));
            }
            ids[seat] = id;
        }
        return ids;
    }

    // This process holds a pair no longer once both its games are recorded, or it is lost.
    void forget(const std::vector<GameRecord>& games, const std::vector<Recorded>& answers) {
        const std::lock_guard lock(held_mutex_);
        for (std::size_t i = 0; i < games.size(); ++i) {
            const GameKey& key = games[i].task.key;
            const auto held = held_.find(key.pair);
            if (held == held_.end()) continue;
            held->second.missing[key.leg == 2 ? 1 : 0] = false;
            const bool is_over = held->second.missing == std::array{false, false};
            if (is_over || answers[i] == Recorded::Late) held_.erase(held);
        }
    }

    // ---- reading ----

    // Games get their numbers when somebody who may plan reads the events. Who only reads finds
    // those without a number last, as long as nobody is there to number them: all at once, as
    // the order of those that are committed at this moment may be another one in a next call.
    Rows event_rows(Connection& connection, std::uint64_t after, std::size_t limit) {
        const auto unless_long = [](std::string_view column) {
            return fmt::format("CASE WHEN {} THEN NULL ELSE {} END", kIsLong, column);
        };
        const auto select = [&](std::string_view events) {
            return fmt::format(
                "SELECT e.number, e.entrant, e.round, e.pair, e.leg, {}, {} FROM {} e "
                "LEFT JOIN game g ON g.pair = e.pair AND g.leg = e.leg "
                "LEFT JOIN pair p ON p.id = e.pair "
                "WHERE e.number > $1 ORDER BY e.number",
                kIsLong, result_columns(unless_long("g.moves"), unless_long("g.times")),
                events);
        };
        static const std::string numbered = select("event") + " LIMIT $2";
        static const std::string unnumbered = select(
            "(SELECT last_event + row_number() OVER (ORDER BY r.id) AS number, "
            "NULL::integer AS entrant, NULL::integer AS round, r.pair, r.leg "
            "FROM recorded r, counter WHERE last_event = $1 AND NOT has_leader())");
        if (may_plan_ && !read_only_) connection.run("SELECT number_events()");
        Rows rows = connection.run(numbered, as_bigint(after), as_bigint(limit));
        if (rows.empty() && read_only_) return connection.run(unnumbered, as_bigint(after));
        return rows;
    }

    std::vector<Event> read_events(Connection& connection, std::uint64_t after,
                                   std::size_t limit) {
        const Rows rows = event_rows(connection, after, limit);
        std::vector<Entrant> joined;
        std::vector<Event> events;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            RowReader row(rows, i);
            Event& event = events.emplace_back();
            event.number = static_cast<std::uint64_t>(row.number());
            const auto entrant = row.maybe_number();
            const auto round = row.maybe_number();
            if (entrant) {
                if (joined.empty()) joined = read_entrants(connection);
                event.what = entrant_of(joined, *entrant);
            } else if (round) {
                static const std::string one = std::string(kRound) + "WHERE id = $1";
                const Rows plan = connection.run(one, *round);
                event.what = read_round(connection, plan, 0);
            } else {
                event.what = read_game_event(connection, row);
            }
        }
        return events;
    }

    GameResult read_game_event(Connection& connection, RowReader& row) {
        const std::int64_t pair = row.number();
        const std::int64_t leg = row.number();
        if (!row.flag()) return read_result(row);
        static const std::string one = fmt::format(
            "SELECT {} FROM game g JOIN pair p ON p.id = g.pair WHERE g.pair = $1 AND "
            "g.leg = $2",
            result_columns("g.moves", "g.times"));
        const Rows rows = connection.run(one, pair, leg);
        RowReader alone(rows, 0);
        return read_result(alone);
    }

    // A void one, and a line of damage, where it is no game that this program has written:
    // workers may be broken, and a game is recorded once.
    GameResult read_result(RowReader& row) {
        GameResult result;
        try {
            game_rows_.read_result(row, result);
            return result;
        } catch (const DamagedRow& damaged) {
            note_damage(result.key, damaged);
            return {result.key, result.players, std::nullopt};
        }
    }

    // The same. It has no position if that is damaged.
    GameRecord read_game(Connection& connection, const Rows& rows, std::size_t at) {
        GameRecord game;
        try {
            game_rows_.read(rows, at, connection, game);
            return game;
        } catch (const DamagedRow& damaged) {
            GameRecord broken;
            broken.detail = protocol::printable("it " + damaged.text);
            broken.task = {game.task.key, 0, game.task.position, game.task.players};
            note_damage(game.task.key, damaged);
            return broken;
        }
    }

    // Of the game that was read last.
    void note_damage(const GameKey& key, const DamagedRow& damaged) {
        constexpr std::size_t kMostLines = 1000;
        const std::lock_guard lock(damage_mutex_);
        if (damage_.size() < kMostLines) {
            damage_.insert(fmt::format("game {} of worker {} {}", to_string(key),
                                       game_rows_.worker(), damaged.text));
        }
    }

    // The last of the next games that are read together.
    static GameKey end_of_next(Connection& connection, const GameKey& after) {
        static const std::string statement = fmt::format(
            "SELECT {}, g.leg, {} FROM pair p JOIN game g ON g.pair = p.id WHERE {} "
            "{}, g.leg LIMIT {}",
            postgres::kKeyColumns, kBytesOfGame, kAfterKey, kOrder, kGamesAtOnce);
        const Rows rows = connection.run(statement, postgres::key_values(after));
        GameKey end = after;
        std::int64_t bytes = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            RowReader row(rows, i);
            GameKey key;
            key.pair = postgres::read_key(row);
            key.leg = row.small();
            bytes += row.number();
            if (i > 0 && bytes > kBytesAtOnce) break;
            end = key;
        }
        return end;
    }

    // In the order of the schedule. `last` becomes the key of the last, which may be left out.
    std::vector<GameRecord> games_after(Connection& connection, GameKey& last) {
        static const std::string statement = postgres::GameRows::select_games(
            fmt::format("WHERE {1} AND ({0}) <= ($7, $8, $9, $10, $11) AND "
                        "(({0}) < ($7, $8, $9, $10, $11) OR g.leg <= $12) {2}, g.leg",
                        postgres::kKeyColumns, kAfterKey, kOrder));
        std::vector<std::string> values = postgres::key_values(last);
        for (std::string& value : postgres::key_values(end_of_next(connection, last)))
            values.push_back(std::move(value));
        const Rows rows = connection.run(statement, values);
        std::vector<GameRecord> games;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            GameRecord game = read_game(connection, rows, i);
            last = game.task.key;
            if (game.task.position) games.push_back(std::move(game));
        }
        return games;
    }

    static WorkerStatus read_worker(const Rows& rows, std::size_t at) {
        RowReader row(rows, at);
        WorkerStatus worker;
        worker.id = row.small();
        worker.info.machine = protocol::printable(row.text(), 200);
        worker.info.process = row.small();
        worker.info.cores = row.small();
        worker.info.speed = static_cast<std::uint64_t>(row.number());
        worker.info.version = protocol::printable(row.text(), 200);
        worker.info.machine_cores = row.small();
        worker.is_live = row.flag();
        worker.games = static_cast<std::uint64_t>(row.number());
        worker.late = static_cast<std::uint64_t>(row.number());
        worker.leases = static_cast<std::uint64_t>(row.number());
        worker.rate = std::strtod(row.text().c_str(), nullptr);
        worker.silence = std::chrono::milliseconds(std::max<std::int64_t>(0, row.number()));
        // Of a worker that lies, not even a number.
        worker.load = std::fmin(std::fmax(std::strtod(row.text().c_str(), nullptr), 0), 1e6);
        return worker;
    }

    Result<void> annotate(Connection& connection, const std::vector<Annotation>& annotations) {
        std::vector<PairKey> keys;
        std::vector<std::int64_t> legs;
        std::vector<std::string> texts;
        std::set<GameKey> seen;  // of several notes on a game the last one counts
        for (auto note = annotations.rbegin(); note != annotations.rend(); ++note) {
            if (!seen.insert(note->key).second) continue;
            keys.push_back(note->key.pair);
            legs.push_back(note->key.leg);
            texts.push_back(note->text);
        }
        auto values = key_arrays(keys);
        values.push_back(postgres::array_text(legs));
        values.push_back(postgres::array_text(texts));
        const Rows noted = connection.run(
            "INSERT INTO annotation SELECT g.pair, g.leg, u.text "
            "FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[], "
            "$5::integer[], $6::smallint[], $7::text[]) AS u(stage, round, pairing, "
            "position_number, attempt, leg, text) "
            "JOIN pair p USING (stage, round, pairing, position_number, attempt) "
            "JOIN game g ON g.pair = p.id AND g.leg = u.leg "
            "ON CONFLICT (pair, leg) DO UPDATE SET text = excluded.text RETURNING 1",
            values);
        if (noted.size() == keys.size()) {
            connection.run("SELECT next_event(0)");
            return {};
        }
        for (const Annotation& annotation : annotations) {
            const Rows there = connection.run(
                "SELECT 1 FROM pair p JOIN game g ON g.pair = p.id WHERE p.stage = $1 AND "
                "p.round = $2 AND p.pairing = $3 AND p.position_number = $4 AND p.attempt = $5 "
                "AND g.leg = $6",
                postgres::key_values(annotation.key));
            if (there.empty()) return not_recorded(annotation.key);
        }
        return {};
    }

    // ---- the keeper ----

    void keep() {
        const std::lock_guard lock(thread_mutex_);
        if (thread_.joinable()) return wake_keeper();
        wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        thread_ = std::thread([this] { run_keeper(); });
    }

    void wake_keeper() {
        const std::uint64_t one = 1;
        if (wake_ >= 0) [[maybe_unused]]
            const auto written = ::write(wake_, &one, sizeof one);
    }

    void run_keeper() {
        std::int64_t seen = -1;  // changes
        SteadyClock::time_point next_renewal = SteadyClock::now() + lease_ / 3;
        SteadyClock::time_point next_look{};
        while (!closing_) {
            bool is_changed = false;
            const auto now = SteadyClock::now();
            const auto kept =
                keeper_.run_once([&](Connection& connection, bool) -> Result<void> {
                    if (now >= next_look) {
                        is_changed = look(connection, seen);
                        next_look = now + kPoll;
                    }
                    if (now >= next_renewal) {
                        renew(connection);
                        next_renewal = now + lease_ / 3;
                    }
                    is_changed = connection.take_notifications() || is_changed;
                    return {};
                });
            if (is_changed) {
                const std::lock_guard lock(changed_mutex_);
                if (changed_) changed_();
            }
            const auto next = std::min(next_look, std::max(next_renewal, now + kPoll / 10));
            await(kept ? keeper_.socket() : -1, kept ? next : now + kPoll / 2);
        }
    }

    void renew(Connection& connection) {
        const std::string own = known_ticket();
        double load = 0;
        if (::getloadavg(&load, 1) < 1) load = 0;
        if (!own.empty())
            connection.run("SELECT renew($1, $2)", own, fmt::format("{:.2f}", load));
        if (may_plan_ && !read_only_) connection.run("SELECT free_ended()");
    }

    // Whether others have changed the record since it was `seen`. No honest worker keeps a
    // transaction open for as long as a lease.
    bool look(Connection& connection, std::int64_t& seen) {
        const Rows rows =
            connection.run("SELECT changes, EXISTS (SELECT FROM recorded) FROM counter");
        RowReader row(rows, 0);
        const std::int64_t changes = row.number();
        const bool is_unnumbered = may_plan_ && row.flag();
        if (may_plan_ && !read_only_)
            connection.run("SELECT evict($1)", milliseconds_text(lease_));
        return std::exchange(seen, changes) != changes || is_unnumbered;
    }

    // Until the socket can be read, the keeper is woken, or this time has come.
    void await(int socket, SteadyClock::time_point until) {
        std::array<pollfd, 2> watched{{{wake_, POLLIN, 0}, {socket, POLLIN, 0}}};
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(until - SteadyClock::now()).count();
        ::poll(watched.data(), watched.size(),
               static_cast<int>(std::clamp<std::int64_t>(left, 0, kPoll.count())));
        std::uint64_t count = 0;
        [[maybe_unused]] const auto cleared = ::read(wake_, &count, sizeof count);
    }

    const std::string shown_;
    const bool read_only_;
    const std::chrono::milliseconds lease_;
    bool may_plan_ = false;
    std::atomic<bool> closing_{false};

    std::atomic<int> worker_{0};
    std::atomic<bool> leads_{false};
    std::atomic<bool> has_led_{false};
    std::atomic<std::int64_t> term_{0};

    std::mutex held_mutex_;
    std::string ticket_;
    std::map<PairKey, HeldPair> held_;

    std::mutex damage_mutex_;
    std::set<std::string> damage_;

    std::map<PlayerBuild, int> builds_;  // used on writer_ alone
    postgres::GameRows game_rows_;       // used on reader_ alone
    postgres::ReconnectingConnection writer_, reader_, keeper_;

    std::mutex changed_mutex_;
    std::function<void()> changed_;
    std::mutex thread_mutex_;
    int wake_ = -1;
    std::thread thread_;
};

}  // namespace

std::string database_version(const std::string& record) {
    try {
        Connection connection(record);
        const Rows row = connection.run(
            "SELECT changes || '.' || (SELECT coalesce(max(id), 0) FROM nimarena.recorded) "
            "FROM nimarena.counter");
        return std::string(row.text(0, 0));
    } catch (const postgres::Failure&) {
        return "";
    }
}

Result<std::unique_ptr<Store>> open_postgres_store(const std::string& address,
                                                   const StoreAccess& access) {
    auto store = std::make_unique<PostgresStore>(address, access);
    const auto connected = store->connect();
    if (!connected) return connected.error();
    return std::unique_ptr<Store>(std::move(store));
}

}  // namespace arena

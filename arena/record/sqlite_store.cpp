// A tournament in an SQLite file.
//
// One process plays into it at a time, ensured by the lock FILE-lock. Which pairs have been
// claimed is known to that process alone, so that after its end, however it came, the next
// process gets all pairs that were not played. Other processes may read at the same time. A
// game is on disk when record() returns, also after a power cut (synchronous=FULL).
#include "arena/record/open_store.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/record/packing.hpp"
#include "arena/record/sqlite.hpp"
#include "arena/record/store_rules.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Result;
using sqlite::Damage;
using sqlite::error_of;
using sqlite::Joined;
using sqlite::kMostInKey;
using sqlite::Query;
using sqlite::read_key;

const std::string kPairKey = "stage, round, pairing, position_number, attempt";
const std::string kRounds =
    "SELECT event, stage, round, attempt, byes, spent_ms, note FROM round ";
const std::string kNextRounds = kRounds + "WHERE event > ? ORDER BY event LIMIT ?";
const std::string kNextResults =
    "SELECT g.event, "
    "(SELECT event FROM round r WHERE r.stage = p.stage AND r.round = p.round AND "
    "r.attempt = p.attempt), " +
    kPairKey +
    ", p.player1, p.player2, p.position, g.leg, g.winner, g.reason, g.p1_off_turn, "
    "g.p2_off_turn, "
    "(SELECT count(*) FROM strike WHERE game = g.event AND seat = 1), "
    "(SELECT count(*) FROM strike WHERE game = g.event AND seat = 2), g.moves, g.times "
    "FROM game g JOIN pair p ON p.id = g.pair WHERE g.event > ? ORDER BY g.event LIMIT ?";

void read_pair(Query& row, std::size_t players, PositionReader& positions, PlannedPair& pair) {
    pair.key = read_key(row);
    pair.players = sqlite::read_players(row, players);
    pair.position = positions.read(row.text());
}

std::string name_of(const GameResult& result) { return "game " + to_string(result.key); }

// The least key after this one.
PairKey next_key(PairKey key) {
    ++key.attempt;
    return key;
}

// The tables by one connection. What changes them is called within a transaction, and what
// reads them sees what that has changed so far.
class Tables {
  public:
    Tables(sqlite::Connection connection, Damage& damage)
        : connection_(std::move(connection)),
          damage_(damage),
          entrants_(*connection_, damage),
          games_(*connection_, damage) {}

    sqlite::BoundedDatabase& connection() { return *connection_; }

    Configuration configuration() {
        Configuration configuration;
        Query row(*connection_, "SELECT name, value FROM configuration ORDER BY name");
        while (row.step()) {
            std::string name = row.text();
            configuration.emplace_back(std::move(name), row.text());
        }
        return configuration;
    }

    std::vector<Entrant> entrants() {
        std::vector<Entrant> entrants;
        for (Joined& joined : entrants_.read()) entrants.push_back(std::move(joined.entrant));
        return entrants;
    }

    std::optional<RoundPlan> round(const RoundPlan& like) {
        static const std::string statement =
            kRounds + "WHERE stage = ? AND round = ? AND attempt = ?";
        RoundPlan plan;
        entrants_.refresh();
        {
            Query row(*connection_, statement, like.stage, like.round, like.attempt);
            if (!row.step()) return std::nullopt;
            row.number();
            try {
                read_round(row, kMostEvent, plan);
            } catch (const DamagedRow& damaged) {
                damage_.leave_out(fmt::format("{} {}", name_of(plan), damaged.text));
            }
        }
        add_pairs(plan, players_at(kMostEvent));
        return plan;
    }

    std::vector<Event> events(std::uint64_t after, std::size_t limit) {
        // All tables as they are at one moment.
        SQLite::Transaction transaction(*connection_);
        const auto from = static_cast<std::int64_t>(
            std::min<std::uint64_t>(after, std::numeric_limits<std::int64_t>::max()));
        const auto most = static_cast<std::int64_t>(
            std::min<std::size_t>(limit, std::numeric_limits<std::int64_t>::max()));
        entrants_.refresh();
        std::vector<Event> events = valid_events(from, most);
        if (events.size() > limit) {
            // Players that are filled in have the number of another one.
            auto end = events.begin() + most;
            while (end != events.end() && end->number == std::prev(end)->number) ++end;
            events.erase(end, events.end());
        }
        for (Event& event : events) {
            if (auto* plan = std::get_if<RoundPlan>(&event.what))
                add_pairs(*plan, players_at(static_cast<std::int64_t>(event.number)));
        }
        return events;
    }

    // Visits pairs with games to play, from `first` on, until `visit` gives false.
    template <typename Visit>
    void to_play(const PairKey& first, const Visit& visit) {
        static const std::string statement =
            "SELECT " + kPairKey +
            ", player1, player2, position, "
            "NOT EXISTS (SELECT 1 FROM game WHERE pair = p.id AND leg = 1) AS first, "
            "NOT EXISTS (SELECT 1 FROM game WHERE pair = p.id AND leg = 2) AS second "
            "FROM pair p WHERE (" +
            kPairKey + ") >= (?, ?, ?, ?, ?) AND (first OR second) ORDER BY " + kPairKey;
        entrants_.refresh();
        Query row(*connection_, statement, first);
        while (row.step()) {
            const auto pair = read_pair_or_leave_out(row, players_at(kMostEvent));
            if (!pair) continue;
            const bool first_leg = row.number() != 0;
            if (!visit(*pair, std::array{first_leg, row.number() != 0})) return;
        }
    }

    sqlite::GameRows& games() { return games_; }

    // ---- changes ----

    // At the beginning of a transaction.
    void count_events() {
        Query row(*connection_,
                  "SELECT max((SELECT coalesce(max(event), 0) FROM entrant), "
                  "(SELECT coalesce(max(event), 0) FROM round), "
                  "(SELECT coalesce(max(event), 0) FROM game))");
        row.step();
        last_event_ = row.number();
    }
    std::int64_t next_event() {
        if (last_event_ == INT64_MAX)
            throw SQLite::Exception("there is no event after the last");
        return ++last_event_;
    }

    void configure(const Configuration& configuration) {
        for (const auto& [name, value] : configuration)
            sqlite::run(*connection_, "INSERT INTO configuration VALUES (?, ?)", name, value);
    }
    void join(int number, const Entrant& entrant) {
        sqlite::run(*connection_, "INSERT INTO entrant VALUES (?, ?, ?, ?, ?)", number,
                    next_event(), entrant.name, entrant.spec, entrant.first_round);
    }
    void rename(const std::vector<std::pair<int, std::string>>& names) {
        // First to names that nobody has, as no name has a control character: the column is
        // unique.
        for (const auto& [number, name] : names) {
            sqlite::run(*connection_,
                        "UPDATE entrant SET name = char(1) || number WHERE number = ?", number);
        }
        for (const auto& [number, name] : names) {
            sqlite::run(*connection_, "UPDATE entrant SET name = ? WHERE number = ?", name,
                        number);
        }
    }
    void plan(const RoundPlan& plan) {
        const std::string byes = join_numbers(plan.byes);
        sqlite::run(*connection_, "INSERT INTO round VALUES (?, ?, ?, ?, ?, ?, ?)",
                    next_event(), plan.stage, plan.round, plan.attempt, byes,
                    plan.spent.count(), plan.note);
        for (const PlannedPair& pair : plan.pairs) {
            sqlite::run(*connection_, "INSERT INTO pair VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
                        pair.key, pair.players[0], pair.players[1], pair.position.text());
        }
    }

    struct PairRow {
        std::int64_t id = 0;
        PlannedPair pair;
    };
    std::optional<PairRow> find(const PairKey& key) {
        static const std::string statement =
            "SELECT " + kPairKey +
            ", player1, player2, position, id FROM pair WHERE stage = ? AND round = ? AND "
            "pairing = ? AND position_number = ? AND attempt = ?";
        Query row(*connection_, statement, key);
        if (!row.step()) return std::nullopt;
        PairRow found;
        try {
            read_pair(row, kMostInKey, positions_, found.pair);
        } catch (const DamagedRow& damaged) {
            throw SQLite::Exception(fmt::format("pair {} {}", to_string(key), damaged.text));
        }
        found.id = row.number();
        return found;
    }
    bool has(const PairRow& pair, int leg) {
        return Query(*connection_, "SELECT 1 FROM game WHERE pair = ? AND leg = ?", pair.id,
                     leg)
            .step();
    }

    // False: there is no such game.
    bool annotate(const Annotation& annotation) {
        sqlite::run(*connection_,
                    "INSERT INTO annotation SELECT g.event, ?7 FROM game g JOIN pair p "
                    "ON p.id = g.pair WHERE stage = ?1 AND round = ?2 AND pairing = ?3 AND "
                    "position_number = ?4 AND attempt = ?5 AND leg = ?6 "
                    "ON CONFLICT (game) DO UPDATE SET text = excluded.text",
                    annotation.key.pair, annotation.key.leg, annotation.text);
        return connection_->getChanges() > 0;
    }

  private:
    static constexpr std::int64_t kMostEvent = std::numeric_limits<std::int64_t>::max();

    // How many had joined before this event.
    std::size_t players_at(std::int64_t event) const {
        const auto& joined = entrants_.known();
        return static_cast<std::size_t>(
            std::ranges::upper_bound(joined, event, {}, &Joined::event) - joined.begin());
    }

    // The next events of each table, up to where the first table has more.
    std::vector<Event> valid_events(std::int64_t after, std::int64_t limit) {
        for (;;) {
            std::int64_t end = kMostEvent;
            std::vector<Event> events = joined(after);
            add_events(kNextRounds, &Tables::read_round, after, limit, events, end);
            add_events(kNextResults, &Tables::read_result, after, limit, events, end);
            std::erase_if(events, [&](const Event& event) {
                return event.number > static_cast<std::uint64_t>(end);
            });
            std::ranges::stable_sort(events, {}, &Event::number);
            // All rows may have been left out.
            if (!events.empty() || end == kMostEvent) return events;
            after = end;
        }
    }

    std::vector<Event> joined(std::int64_t after) {
        std::vector<Event> events;
        const auto& known = entrants_.known();
        if (known.empty() || known.back().event <= after) return events;
        for (const Joined& joined : entrants_.read()) {  // with the names they have now
            if (joined.event <= after) continue;
            Event& event = events.emplace_back();
            event.number = static_cast<std::uint64_t>(joined.event);
            event.what.emplace<Entrant>(joined.entrant);
        }
        return events;
    }

    // Adds the events of a table. If it may have more of them, `end` is where it was left.
    template <typename What>
    void add_events(const std::string& table,
                    void (Tables::*read)(Query&, std::int64_t event, What&), std::int64_t after,
                    std::int64_t limit, std::vector<Event>& events, std::int64_t& end) {
        std::int64_t rows = 0;
        std::int64_t last = after;
        Query row(*connection_, table, after, limit);
        while (row.step()) {
            const std::int64_t number = row.number();
            last = std::max(last, number);
            if (++rows == limit) end = std::min(end, std::max(last, after + 1));
            if (number <= after) {  // its index is damaged
                damage_.leave_out(fmt::format("event {} is out of its place", number));
                continue;
            }
            What what;
            try {
                (this->*read)(row, number, what);
                events.push_back({static_cast<std::uint64_t>(number), std::move(what)});
            } catch (const DamagedRow& damaged) {
                damage_.leave_out(fmt::format("{} {}", name_of(what), damaged.text));
            }
        }
    }

    void read_result(Query& row, std::int64_t event, GameResult& result) {
        const auto planned = row.maybe_number();
        result.key.pair = read_key(row);
        if (!planned || *planned >= event)
            throw DamagedRow{"is of a round that was not planned before"};
        const auto players = sqlite::read_players(row, players_at(*planned));
        positions_.read(row.text());
        result.key.leg = row.small_in(1, 2, "leg");
        result.players = players_of({result.key.pair, players, {}}, result.key.leg);
        GameReader<Query>::read_result(row, result);
    }

    // Without its pairs.
    void read_round(Query& row, std::int64_t event, RoundPlan& plan) {
        plan.stage = row.small_in(1, kMostInKey, "stage");
        plan.round = row.small_in(1, kMostInKey, "round");
        plan.attempt = row.small_in(1, kMostInKey, "attempt");
        const std::string byes = row.text();
        try {
            plan.byes = read_byes(byes, players_at(event));
        } catch (const DamagedRow& damaged) {
            damage_.leave_out(fmt::format("{} {}", name_of(plan), damaged.text));
        }
        plan.spent = Milliseconds(row.number_in(0, kMostMicroseconds, "time spent"));
        plan.note = row.text();
    }

    void add_pairs(RoundPlan& plan, std::size_t players) {
        static const std::string statement =
            "SELECT " + kPairKey +
            ", player1, player2, position FROM pair WHERE stage = ? AND round = ? AND "
            "attempt = ? ORDER BY " +
            kPairKey;
        Query row(*connection_, statement, plan.stage, plan.round, plan.attempt);
        while (row.step()) {
            auto pair = read_pair_or_leave_out(row, players);
            if (pair) plan.pairs.push_back(*std::move(pair));
        }
    }

    std::optional<PlannedPair> read_pair_or_leave_out(Query& row, std::size_t players) {
        PlannedPair pair;
        try {
            read_pair(row, players, positions_, pair);
            return pair;
        } catch (const DamagedRow& damaged) {
            damage_.leave_out(fmt::format("pair {} {}", to_string(pair.key), damaged.text));
            return std::nullopt;
        }
    }

    sqlite::Connection connection_;
    Damage& damage_;
    sqlite::EntrantReader entrants_;
    sqlite::GameRows games_;
    PositionReader positions_;
    std::int64_t last_event_ = 0;
};

class SqliteStore : public Store {
  public:
    // `lock` and `writer`: none for reading alone.
    SqliteStore(std::string path, std::optional<sqlite::RecordLock> lock,
                std::unique_ptr<Damage> damage, std::unique_ptr<Tables> writer,
                std::unique_ptr<Tables> reader, engine::Budget budget)
        : path_(std::move(path)),
          budget_(std::move(budget)),
          lock_(std::move(lock)),
          damage_(std::move(damage)),
          writer_(std::move(writer)),
          reader_(std::move(reader)) {}

    Result<void> open(const Configuration& configuration) override {
        return change([&](Tables& tables) -> Result<void> {
            const Configuration recorded = tables.configuration();
            if (recorded.empty())
                tables.configure(configuration);
            else if (recorded != configuration)
                return other_configuration(recorded, configuration);
            return {};
        });
    }

    Result<Configuration> configuration() override {
        return read([&](Tables& tables) { return tables.configuration(); });
    }

    Result<void> join(const std::vector<Entrant>& joining) override {
        return change([&](Tables& tables) -> Result<void> {
            const auto present = tables.entrants();
            auto checked = check_join(present, joining);
            if (!checked) return checked;
            int number = static_cast<int>(present.size());
            for (const Entrant& entrant : joining) tables.join(number++, entrant);
            return {};
        });
    }

    Result<std::vector<Entrant>> entrants() override {
        return read([&](Tables& tables) { return tables.entrants(); });
    }

    Result<void> rename(const std::vector<std::pair<int, std::string>>& names) override {
        return change([&](Tables& tables) -> Result<void> {
            auto checked = check_rename(tables.entrants(), names);
            if (checked) tables.rename(names);
            return checked;
        });
    }

    Result<void> plan(const std::vector<RoundPlan>& rounds) override {
        auto planned = change([&](Tables& tables) -> Result<void> {
            const std::size_t entrants = tables.entrants().size();
            for (const RoundPlan& round : rounds) {
                auto checked = check_plan(round, entrants);
                if (!checked) return checked;
                const auto there = tables.round(round);
                if (there)
                    checked = check_same_plan(*there, round);
                else
                    tables.plan(round);
                if (!checked) return checked;
            }
            return {};
        });
        const std::lock_guard lock(claim_mutex_);
        for (const RoundPlan& round : rounds) {
            if (planned && !round.pairs.empty())
                unclaimed_from_ = std::min(unclaimed_from_, round.pairs.front().key);
        }
        return planned;
    }

    Result<std::vector<Claim>> claim(std::size_t count) override {
        // Held over the reading: a pair that is recorded meanwhile is claimed until that is
        // over.
        const std::lock_guard lock(claim_mutex_);
        return read([&](Tables& tables) { return claim_from(tables, count); });
    }

    Result<std::vector<Recorded>> record(const std::vector<GameRecord>& games) override {
        std::vector<PairKey> complete;
        auto recorded = change([&](Tables& tables) -> Result<std::vector<Recorded>> {
            sqlite::GameWriter writer(tables.connection());
            std::vector<Recorded> answers;
            for (const GameRecord& game : games) {
                const auto answer = record(tables, writer, game, complete);
                if (!answer) return answer.error();
                answers.push_back(*answer);
            }
            return answers;
        });
        const std::lock_guard lock(claim_mutex_);
        if (recorded) {
            for (const PairKey& pair : complete) claimed_.erase(pair);
        }
        return recorded;
    }

    Result<std::vector<Event>> events(std::uint64_t after, std::size_t limit) override {
        return read([&](Tables& tables) { return tables.events(after, limit); });
    }

    Result<std::optional<GameRecord>> game(const GameKey& key) override {
        return read([&](Tables& tables) { return tables.games().game(key); });
    }

    // On a connection of its own, so that visiting blocks no other call.
    Result<void> for_each_game(const std::function<bool(const GameRecord&)>& visit) override {
        auto connection = sqlite::open_to_read(path_, budget_);
        if (!connection) return connection.error();
        try {
            sqlite::GameRows(**connection, *damage_).for_each(visit);
            return {};
        } catch (const SQLite::Exception& exception) {
            return error_of(exception, path_, budget_);
        }
    }

    Result<void> annotate(const std::vector<Annotation>& annotations) override {
        return change([&](Tables& tables) -> Result<void> {
            for (const Annotation& annotation : annotations) {
                if (!tables.annotate(annotation)) return not_recorded(annotation.key);
            }
            return {};
        });
    }

    std::vector<std::string> damage() override {
        std::vector<std::string> lines = damage_->lines();
        const auto broken =
            read([](Tables& tables) { return sqlite::broken_parts(tables.connection()); });
        if (broken)
            lines.insert(lines.end(), broken->begin(), broken->end());
        else
            lines.push_back(broken.error().text);
        return lines;
    }

  private:
    template <typename Work>
    auto read(const Work& work) -> Result<decltype(work(std::declval<Tables&>()))> {
        const std::lock_guard lock(read_mutex_);
        // Of a store for reading alone, all calls together are bounded: of a damaged file, many
        // short calls may take as long as an endless one.
        if (lock_) reader_->connection().restart();
        try {
            return work(*reader_);
        } catch (const SQLite::Exception& exception) {
            return error_of(exception, path_, budget_);
        }
    }

    // Runs `work`, all of it or, where it gives an error, nothing. After an error of the file,
    // nothing more is written.
    template <typename Work>
    auto change(const Work& work) -> decltype(work(std::declval<Tables&>())) {
        const std::lock_guard lock(change_mutex_);
        if (!writer_) {
            return bad_input("{} was opened for reading only", protocol::quoted(path_));
        }
        if (failed_) return *failed_;
        writer_->connection().restart();
        try {
            SQLite::Transaction transaction(writer_->connection(),
                                            SQLite::TransactionBehavior::IMMEDIATE);
            writer_->count_events();
            auto done = work(*writer_);
            if (done) transaction.commit();
            return done;
        } catch (const SQLite::Exception& exception) {
            failed_ = error_of(exception, path_);
            return *failed_;
        }
    }

    Result<Recorded> record(Tables& tables, sqlite::GameWriter& writer, const GameRecord& game,
                            std::vector<PairKey>& complete) {
        const GameKey& key = game.task.key;
        const auto pair = tables.find(key.pair);
        if (!pair) return not_planned(key);
        const auto checked = check_game(game, pair->pair);
        if (!checked) return checked.error();
        if (tables.has(*pair, key.leg)) return Recorded::Known;
        GameRecord record = game;
        make_fit_to_store(record);
        writer.write(record, pair->id, tables.next_event());
        if (tables.has(*pair, 3 - key.leg)) complete.push_back(key.pair);
        return Recorded::New;
    }

    std::vector<Claim> claim_from(Tables& tables, std::size_t count) {
        std::vector<Claim> claims;
        if (count == 0) return claims;
        bool all_seen = true;
        tables.to_play(unclaimed_from_,
                       [&](const PlannedPair& pair, std::array<bool, 2> missing) {
                           if (!claimed_.insert(pair.key).second) return true;
                           claims.push_back({pair, missing});
                           unclaimed_from_ = next_key(pair.key);
                           all_seen = claims.size() < count;
                           return all_seen;
                       });
        if (all_seen) unclaimed_from_ = kBehindAll;
        return claims;
    }

    static constexpr int kMost = std::numeric_limits<int>::max();
    static constexpr PairKey kBehindAll{kMost, kMost, kMost, kMost, kMost};

    std::string path_;
    engine::Budget budget_;
    std::optional<sqlite::RecordLock> lock_;  // let go after all connections
    std::unique_ptr<Damage> damage_;          // the readers have references to it

    std::mutex change_mutex_;
    std::unique_ptr<Tables> writer_;
    std::optional<Error> failed_;

    std::mutex claim_mutex_;                 // taken before read_mutex_
    std::set<PairKey> claimed_;              // and not played yet
    PairKey unclaimed_from_{0, 0, 0, 0, 0};  // pairs before it are played or claimed

    std::mutex read_mutex_;
    std::unique_ptr<Tables> reader_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, bool read_only,
                                                 const engine::Budget& budget) {
    std::optional<sqlite::RecordLock> lock;
    auto damage = std::make_unique<Damage>(!read_only);
    std::unique_ptr<Tables> writer;
    try {
        if (!read_only) {
            auto taken = sqlite::RecordLock::take(path);
            if (!taken) return taken.error();
            lock.emplace(*std::move(taken));
            auto connection = sqlite::open_to_write(path);
            if (!connection) return connection.error();
            writer = std::make_unique<Tables>(*std::move(connection), *damage);
        }
        auto connection = sqlite::open_to_read(path, budget);
        if (!connection) return connection.error();
        auto reader = std::make_unique<Tables>(*std::move(connection), *damage);
        return std::unique_ptr<Store>(
            std::make_unique<SqliteStore>(path, std::move(lock), std::move(damage),
                                          std::move(writer), std::move(reader), budget));
    } catch (const SQLite::Exception& exception) {
        return error_of(exception, path, budget);
    }
}

}  // namespace arena

// What the sources of the store in a PostgreSQL database share; for them alone.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arena/base/clock.hpp"
#include "arena/record/game_row.hpp"
#include "arena/record/store.hpp"
#include "protocol/result.hpp"

namespace pqxx {
class result;
}

namespace arena::postgres {

// ---- postgres_connection.cpp: statements in, rows out; it alone includes libpqxx, whose
// headers are large ----

// Thrown where a statement fails.
struct Failure {
    enum class Kind {
        Lost,     // the connection is gone, or the server is not ready: try another one
        Again,    // undone: a deadlock, a lock that did not come, somebody's request: try again
        Refused,  // a wrong address, an unknown user or database, a damaged record
        Denied,   // the role of this user may not do that
        Full,     // no room on the server's disk or in its memory
        Other,
    };
    Kind kind = Kind::Other;
    std::string text;  // one line, fit to be shown
};

// The result of a statement.
class Rows {
  public:
    explicit Rows(std::shared_ptr<const pqxx::result> result);

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::string_view text(std::size_t row, int column) const;
    bool is_null(std::size_t row, int column) const;
    // Throws Failure if it is no integer.
    std::int64_t number(std::size_t row, int column) const;

  private:
    std::shared_ptr<const pqxx::result> result_;
    std::size_t size_;
};

// The columns of a row from the first one on.
class RowReader {
  public:
    RowReader(const Rows& rows, std::size_t row) : rows_(rows), row_(row) {}

    std::int64_t number() { return rows_.number(row_, column_++); }
    int small() { return static_cast<int>(number()); }
    std::string text() { return std::string(rows_.text(row_, column_++)); }
    // Of PostgreSQL's text: \x and two hex digits each.
    std::optional<std::string> bytes();
    bool flag() { return rows_.text(row_, column_++) == "t"; }
    std::optional<std::int64_t> maybe_number() {
        if (!rows_.is_null(row_, column_)) return number();
        ++column_;
        return std::nullopt;
    }

  private:
    const Rows& rows_;
    std::size_t row_;
    int column_ = 0;
};

// Not thread-safe. All calls throw Failure.
class Connection {
  public:
    // `address`: postgresql://…; its password comes from where libpq looks for it.
    explicit Connection(const std::string& address);
    ~Connection();

    // One statement, prepared the first time; commits unless a transaction is open.
    Rows run(const std::string& statement, const std::vector<std::string>& values = {});
    template <typename... Values>
    Rows run(const std::string& statement, const Values&... values) {
        return run(statement, std::vector{fmt::format("{}", values)...});
    }
    // Several statements without values, not prepared.
    void script(const std::string& statements);
    // `work` within a transaction, which an exception or an error undoes.
    template <typename Work>
    auto transaction(const Work& work) {
        script("BEGIN");
        try {
            auto done = work();
            script(done ? "COMMIT" : "ROLLBACK");
            return done;
        } catch (...) {
            roll_back();
            throw;
        }
    }

    // Whether a notification has come since the last call.
    bool take_notifications();
    void listen(const std::string& channel);
    // Readable when a notification may have come.
    int socket() const;

  private:
    // Does nothing if the connection is lost, which ends its transaction, too.
    void roll_back();

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// A connection that is replaced when it is lost. Thread-safe: one call at a time.
class ReconnectingConnection {
  public:
    // `greet` sets up each new connection.
    ReconnectingConnection(std::string address, std::string shown,
                           std::chrono::milliseconds away,
                           std::function<void(Connection&)> greet);

    // Gives what `work(connection, is_again)` gives, a Result. If the connection is lost,
    // `work` runs again on another one, with is_again: it may have been done already. Fails
    // with Fault::Disconnected if there is none for as long as `away`, in all calls together,
    // or if one call loses each of them for so long.
    template <typename Work>
    auto run(const Work& work) {
        using Done = decltype(work(std::declval<Connection&>(), false));
        const std::lock_guard lock(mutex_);
        Attempts attempts;
        for (;;) {
            try {
                return work(connect(), attempts.any_ran);
            } catch (const Failure& failure) {
                if (const auto error = handle(failure, attempts)) return Done(*error);
            }
        }
    }
    // The same, but fails at once if the connection is lost.
    template <typename Work>
    auto run_once(const Work& work) {
        using Done = decltype(work(std::declval<Connection&>(), false));
        const std::lock_guard lock(mutex_);
        try {
            return work(connect(), false);
        } catch (const Failure& failure) {
            if (failure.kind == Failure::Kind::Lost) connection_.reset();
            return Done(error_of(failure));
        }
    }
    // No call waits for the server from now on.
    void close();
    // That of the present connection, or -1.
    int socket();

  private:
    struct Attempts {
        bool any_ran = false;
        int undone = 0;
        std::optional<Clock::time_point> lost_since;
        std::chrono::milliseconds pause{50};
    };

    Connection& connect();
    // Nothing: try again.
    std::optional<protocol::Error> handle(const Failure& failure, Attempts& attempts);
    protocol::Error error_of(const Failure& failure) const;

    const std::string address_;
    const std::string shown_;
    const std::chrono::milliseconds away_;
    const std::function<void(Connection&)> greet_;
    std::mutex mutex_;
    std::unique_ptr<Connection> connection_;
    std::optional<Clock::time_point> lost_since_;  // as a call has found
    std::mutex closing_mutex_;
    std::condition_variable closing_;
    bool is_closed_ = false;
};

// A value of an array type, "{1,2}", "{\"a\",\"b\"}".
std::string array_text(const std::vector<std::int64_t>& numbers);
std::string array_text(const std::vector<std::string>& texts);

// ---- postgres_schema.cpp: the tables and functions of a record, and their versions ----

// The statements that each new connection begins with.
std::string session_settings(bool read_only);

// Checks the version of the record in the database; unless `read_only`, creates it or brings it
// up to date, if this user may do that. Fault::Failed: there is none. `shown`: the database's
// name in errors. Throws Failure.
protocol::Result<void> prepare_schema(Connection& connection, const std::string& shown,
                                      bool read_only);

// ---- postgres_games.cpp: games as JSON for the function record(), and back from rows ----

// The columns of a game as the JSON object that record() takes, without those that are 0, empty
// or NULL; fit to be stored, its builds by number.
std::string columns_json(const GameRecord& record,
                         const std::array<std::optional<int>, 2>& builds);

// The columns of a key, and of a pair after it: players and position.
inline constexpr std::string_view kKeyColumns =
    "p.stage, p.round, p.pairing, p.position_number, p.attempt";
inline constexpr std::string_view kPairColumns =
    "p.stage, p.round, p.pairing, p.position_number, p.attempt, p.player1, p.player2, "
    "p.position";
PairKey read_key(RowReader& row);
// Throws Failure where the position is damaged.
PlannedPair read_pair(RowReader& row, PositionReader& positions);
// A key's columns as values of a statement.
std::vector<std::string> key_values(const GameKey& key);

// Reads played games.
class GameRows {
  public:
    // With `condition`, and in the order of the schedule.
    static std::string select_games(std::string_view condition);
    // A row of it. Throws DamagedRow, after what the planner has written was read, except a
    // damaged position.
    void read(const Rows& rows, std::size_t row, Connection& connection, GameRecord& record);
    // Key, players, leg, worker, and what an event has of a game. Throws DamagedRow after these
    // four.
    void read_result(RowReader& row, GameResult& result);
    // That played the game which was read last.
    int worker() const { return worker_; }

  private:
    void read_task(RowReader& row, GameKey& key, std::array<int, 2>& players);

    GameReader<RowReader> reader_;
    PositionReader positions_;
    int worker_ = 0;
};

}  // namespace arena::postgres

// A connection to a PostgreSQL server: statements in, rows out. For the files of postgres_store
// alone. Its source is the only one that includes libpqxx, whose headers are large.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/base/clock.hpp"
#include "protocol/result.hpp"

namespace arena::postgres {

// Thrown where a statement fails.
struct Failure {
    enum class Kind {
        Lost,     // the connection is gone, or the server is not ready: try another one
        Again,    // undone: a deadlock, a lock that did not come, somebody's request: try again
        Refused,  // there is a server, and this user or database is unknown to it
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
    struct Result;
    explicit Rows(std::unique_ptr<const Result> result);
    Rows(Rows&&) noexcept;
    ~Rows();

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::string_view text(std::size_t row, int column) const;
    bool is_null(std::size_t row, int column) const;
    // Throws Failure if it is no integer.
    std::int64_t number(std::size_t row, int column) const;

  private:
    std::unique_ptr<const Result> result_;
    std::size_t size_ = 0;
};

// The columns of a row from the first one on.
class RowReader {
  public:
    RowReader(const Rows& rows, std::size_t row) : rows_(rows), row_(row) {}

    std::int64_t number() { return rows_.number(row_, column_++); }
    int small() { return static_cast<int>(number()); }
    std::string text() { return std::string(rows_.text(row_, column_++)); }
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
    // with Fault::Disconnected if there is none for as long as `away`.
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
    std::mutex closing_mutex_;
    std::condition_variable closing_;
    bool is_closed_ = false;
};

// A value of an array type, "{1,2}", "{\"a\",\"b\"}".
std::string array_text(const std::vector<std::int64_t>& numbers);
std::string array_text(const std::vector<std::string>& texts);

}  // namespace arena::postgres

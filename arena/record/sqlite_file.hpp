// A record as an SQLite file: locking it, opening it, its schema, and what its errors mean. For
// the files of sqlite_store alone.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/record/sqlite_bounds.hpp"
#include "protocol/result.hpp"

namespace arena::sqlite {

using Connection = std::unique_ptr<BoundedDatabase>;

// Opens a record to play into, or creates it. The lock must be held.
protocol::Result<Connection> open_to_write(const std::string& path);
// Opens a record for reading, also while another process plays into it. After the budget, each
// call is interrupted.
protocol::Result<Connection> open_to_read(const std::string& path,
                                          const engine::Budget& budget = {});

// The error text of an exception, as Fault::Disconnected; as Fault::TimedOut where the budget
// is spent.
protocol::Error error_of(const SQLite::Exception& exception, const std::string& path,
                         const engine::Budget& budget = {});

// One process plays into a record at a time. A process that dies, in whatever way, loses the
// lock, so the next one may start at once.
class RecordLock {
  public:
    // Locks the file FILE-lock next to `record`, which is created, and removed at the end; and
    // the record itself, which may be renamed or have further names. Fails if either is locked
    // already, by this process or another, if FILE-lock is none of ours, if the record has two
    // names, or if the folder is not writable.
    static protocol::Result<RecordLock> take(const std::string& record);
    ~RecordLock();
    RecordLock(RecordLock&& other) noexcept;
    RecordLock& operator=(RecordLock&&) = delete;

  private:
    RecordLock(int descriptor, std::string path)
        : descriptor_(descriptor), path_(std::move(path)) {}

    int descriptor_;
    std::string path_;
    int record_ = -1;  // the record itself, locked, whatever its name
};

// ---- damage ----

// Collects the damage found in a record. Thread-safe.
class Damage {
  public:
    // `fatal`: for a record that is played into, where each call of leave_out() throws an
    // SQLite::Exception.
    explicit Damage(bool fatal) : fatal_(fatal) {}

    // Notes a damaged row, which its reader skips.
    void leave_out(const std::string& text);
    // A line for each row left out so far, the first ones if there are many.
    std::vector<std::string> lines() const;

  private:
    static constexpr std::size_t kMostLines = 1000;

    const bool fatal_;
    mutable std::mutex mutex_;
    std::set<std::string> lines_;
    bool has_more_ = false;
};

// What SQLite's own checks find: broken pages, constraints and references.
std::vector<std::string> broken_parts(SQLite::Database& connection);

// ---- statements ----

inline void bind_value(SQLite::Statement& statement, int index, std::int64_t value) {
    statement.bind(index, value);
}
inline void bind_value(SQLite::Statement& statement, int index, int value) {
    statement.bind(index, value);
}
inline void bind_value(SQLite::Statement& statement, int index, std::uint64_t value) {
    statement.bind(index, static_cast<std::int64_t>(value));
}
inline void bind_value(SQLite::Statement& statement, int index, const std::string& value) {
    statement.bindNoCopy(index, value);
}
template <typename T>
void bind_value(SQLite::Statement& statement, int index, const std::optional<T>& value) {
    if (value)
        bind_value(statement, index, *value);
    else
        statement.bind(index);  // NULL
}

// One use of a prepared statement: its parameters bound from the first on; reset at the end.
// Strings are not copied and must outlive it.
class Query {
  public:
    template <typename... Values>
    explicit Query(SQLite::Statement& statement, const Values&... values)
        : statement_(statement) {
        int index = 0;
        (bind_value(statement_, ++index, values), ...);
    }
    ~Query() { statement_.tryReset(); }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    // The next row, if there is one; read from its first column on.
    bool step() {
        column_ = 0;
        return statement_.executeStep();
    }
    void run() { statement_.exec(); }

    std::int64_t number() { return statement_.getColumn(column_++).getInt64(); }
    // The next number, where it is one of these; else throws DamagedRow.
    std::int64_t number_in(std::int64_t least, std::int64_t most, std::string_view what);
    int small_in(int least, int most, std::string_view what) {
        return static_cast<int>(number_in(least, most, what));
    }
    std::string text() { return statement_.getColumn(column_++).getString(); }
    std::optional<int> maybe_small_in(int least, int most, std::string_view what) {
        if (statement_.getColumn(column_).isNull()) {
            ++column_;
            return std::nullopt;
        }
        return small_in(least, most, what);
    }
    std::optional<std::int64_t> maybe_number() {
        const auto column = statement_.getColumn(column_++);
        if (column.isNull()) return std::nullopt;
        return column.getInt64();
    }

  private:
    SQLite::Statement& statement_;
    int column_ = 0;
};

}  // namespace arena::sqlite

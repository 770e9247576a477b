// What the sources of the store in an SQLite file share; for them alone.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "arena/record/game_row.hpp"
#include "arena/record/store.hpp"
#include "engine/base/budget.hpp"
#include "protocol/result.hpp"

namespace arena::sqlite {

// ---- sqlite_bounds.cpp: nothing in or next to a stranger's file is run, and all work on it
// ends ----

// The longest text that is read or written: ten million short moves.
inline constexpr int kMostText = 64 << 20;

// The path of a record without links in it.
std::string resolved(const std::string& record);

// Refuses what is no file, or has files next to it that SQLite would obey: a rollback journal,
// or links in place of its log.
protocol::Result<void> check_files(const std::string& record);

// A connection to a file. Until allow_work(), it does as much work as a record's schema needs.
class BoundedDatabase : public SQLite::Database {
  public:
    // `name`: the resolved path, or a URI of it. `budget`: after it, each call is interrupted.
    BoundedDatabase(const std::string& path, const std::string& name, int flags,
                    const engine::Budget& budget);
    ~BoundedDatabase();
    BoundedDatabase(BoundedDatabase&&) = delete;
    BoundedDatabase& operator=(BoundedDatabase&&) = delete;

    // From now on it does as much as an undamaged file of this size needs, and `besides`: steps
    // of SQLite's virtual machine. More throws SQLite::Exception with SQLITE_INTERRUPT.
    void allow_work(std::uint64_t besides);
    // Whether the budget is spent.
    bool is_stopped() const { return budget_.is_spent(); }
    // Counts the work from 0 again.
    void restart();
    // The statement of this text, prepared the first time.
    SQLite::Statement& prepared(std::string_view text);

  private:
    void harden();
    void end_reading_in_time(const BoundedDatabase* reader);
    bool is_too_much();

    const std::string path_;
    const engine::Budget budget_;
    std::uint64_t steps_ = 0;    // of the virtual machine
    std::uint64_t besides_ = 0;  // 0: the schema is not known yet
    std::uint64_t most_ = 0;
    std::map<std::string, SQLite::Statement, std::less<>> statements_;
    // Interrupts what does not count as a step, such as the check of all pages.
    std::stop_callback<std::function<void()>> on_stop_;
};

// ---- sqlite_file.cpp: a record's file, its lock, its schema, and what its errors mean ----

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
    // the record itself, which may be renamed or have further names. Fails if another
    // process has locked either, if FILE-lock is none of ours, if the record has two names, or
    // if the folder is not writable.
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

// Bytes, where a string is a text.
struct Blob {
    const std::string& bytes;
};

// One use of a statement, which has no other at the same time: its parameters bound from the
// first on; reset at the end. Strings are not copied and must outlive it.
class Query {
  public:
    template <typename... Values>
    explicit Query(BoundedDatabase& database, std::string_view text, const Values&... values)
        : statement_(database.prepared(text)) {
        (bind(values), ...);
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
    std::int64_t number_in(std::int64_t least, std::int64_t most, std::string_view what) {
        return checked_number(number(), least, most, what);
    }
    int small_in(int least, int most, std::string_view what) {
        return static_cast<int>(number_in(least, most, what));
    }
    std::string text() { return statement_.getColumn(column_++).getString(); }
    std::optional<std::string> bytes() { return text(); }
    std::optional<std::int64_t> maybe_number() {
        const auto column = statement_.getColumn(column_++);
        if (column.isNull()) return std::nullopt;
        return column.getInt64();
    }

  private:
    template <typename T>
    void bind(const T& value) {
        if constexpr (std::is_integral_v<T>) {
            statement_.bind(++bound_, static_cast<std::int64_t>(value));
        } else if constexpr (std::is_same_v<T, std::string>) {
            statement_.bindNoCopy(++bound_, value);
        } else if constexpr (std::is_same_v<T, Blob>) {
            const auto size = static_cast<int>(value.bytes.size());
            statement_.bindNoCopy(++bound_, value.bytes.data(), size);
        } else if constexpr (std::is_same_v<T, PairKey>) {
            for (const int part :
                 {value.stage, value.round, value.pairing, value.position, value.attempt})
                bind(part);
        } else if (value) {
            bind(*value);
        } else {
            statement_.bind(++bound_);  // NULL
        }
    }

    SQLite::Statement& statement_;
    int bound_ = 0;
    int column_ = 0;
};

// A statement that gives no rows.
template <typename... Values>
void run(BoundedDatabase& database, std::string_view text, const Values&... values) {
    Query(database, text, values...).run();
}

// ---- sqlite_games.cpp: games as rows, and back ----

// Bounds the numbers of a record, so that nothing that is computed from them overflows.
inline constexpr int kMostInKey = 1'000'000'000;

// The next five columns.
PairKey read_key(Query& row);
// The next two columns: two of this many players.
std::array<int, 2> read_players(Query& row, std::size_t players);
// An entrant with the event of its row.
struct Joined {
    std::int64_t event = 0;
    Entrant entrant;
};

// Reads the entrants by number. One that is missing before others is damage, and is filled in,
// so that the others keep their numbers.
class EntrantReader {
  public:
    EntrantReader(BoundedDatabase& database, Damage& damage)
        : database_(database), damage_(damage) {}

    std::vector<Joined> read();
    // Reads them anew, if some have joined since the last call.
    void refresh();
    // As they were at the last refresh(); they may have other names now.
    const std::vector<Joined>& known() const { return known_; }

  private:
    BoundedDatabase& database_;
    Damage& damage_;
    std::vector<Joined> known_;
    std::int64_t next_number_ = -1;  // of an entrant, when they were read
};

// Writes games inside one transaction of its owner.
class GameWriter {
  public:
    explicit GameWriter(BoundedDatabase& database) : database_(database) {}

    void write(const GameRecord& record, std::int64_t pair, std::int64_t event);

  private:
    std::optional<std::int64_t> build_id(const PlayerBuild* build);
    void write_fault(const GameRecord& record, std::int64_t event);
    void write_strikes(const GameRecord& record, std::int64_t event);

    BoundedDatabase& database_;
    std::map<PlayerBuild, std::int64_t> builds_;
};

// Reads games, in the schedule's order, without damaged ones.
class GameRows {
  public:
    GameRows(BoundedDatabase& database, Damage& damage)
        : database_(database), entrants_(database, damage), damage_(damage) {}

    std::optional<GameRecord> game(const GameKey& key);
    void for_each(const std::function<bool(const GameRecord&)>& visit);

  private:
    std::optional<GameRecord> read(Query& row);
    void read_game(Query& row, GameRecord& record);
    void read_strikes(GameRecord& record, std::int64_t event);
    std::array<int, 2> players(Query& row);

    BoundedDatabase& database_;
    GameReader<Query> reader_;
    PositionReader positions_;
    EntrantReader entrants_;
    Damage& damage_;
};

}  // namespace arena::sqlite

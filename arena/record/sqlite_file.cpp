// The file of a record: its schema, its locks, and errors of SQLite in words.
//
// A record is opened to be played into, and is created if it is missing; or to be read, if
// possible by a connection that could write, which cleans up behind SQLite. In a folder that
// cannot be written to, SQLite could not make its files next to the record: there the record
// is read as one that nobody changes.
//
// The record may be a stranger's: its schema is compared with ours before anything else is
// read, and sqlite_bounds.cpp bounds what SQLite does.
//
// SQLite's own locks do not keep a second process from playing into a record between
// transactions. So a RecordLock is taken for the whole run, on FILE-lock and on the record
// itself: the first tells who holds it, the second also works under another name of the file.
#include "arena/record/sqlite.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/record/store_rules.hpp"
#include "protocol/text.hpp"

namespace arena::sqlite {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr int kApplication = 0x4E696D41;  // "NimA"
constexpr int kSchema = 1;
// Work besides that of the file's size: of reading a small file, and of planning a large
// tournament in one change.
constexpr std::uint64_t kStepsOfReading = 10'000'000;
constexpr std::uint64_t kStepsOfChange = 20'000'000'000;

// Seats and legs count from 1, as p1 and p2 do; `event` is the place among all that happened,
// one sequence over entrant, round and game. Times are in microseconds; game.times holds one a
// move, and last that of the answer that lost the game, as varints (LEB128).
constexpr const char* kTables = R"(
CREATE TABLE configuration (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE entrant (
    number      INTEGER PRIMARY KEY,
    event       INTEGER NOT NULL UNIQUE,
    name        TEXT NOT NULL UNIQUE,
    spec        TEXT NOT NULL,
    first_round INTEGER NOT NULL
) STRICT;

CREATE TABLE round (
    event    INTEGER PRIMARY KEY,
    stage    INTEGER NOT NULL,
    round    INTEGER NOT NULL,
    attempt  INTEGER NOT NULL,
    byes     TEXT NOT NULL,
    spent_ms INTEGER NOT NULL,
    note     TEXT NOT NULL,
    UNIQUE (stage, round, attempt)
) STRICT;

CREATE TABLE pair (
    id              INTEGER PRIMARY KEY,
    stage           INTEGER NOT NULL,
    round           INTEGER NOT NULL,
    pairing         INTEGER NOT NULL,
    position_number INTEGER NOT NULL,
    attempt         INTEGER NOT NULL,
    player1         INTEGER NOT NULL REFERENCES entrant,
    player2         INTEGER NOT NULL REFERENCES entrant,
    position        TEXT NOT NULL,
    UNIQUE (stage, round, pairing, position_number, attempt),
    FOREIGN KEY (stage, round, attempt) REFERENCES round (stage, round, attempt)
) STRICT;

CREATE TABLE build (
    id         INTEGER PRIMARY KEY,
    command    TEXT NOT NULL,
    name       TEXT NOT NULL,
    executable TEXT NOT NULL,
    UNIQUE (command, name, executable)
) STRICT;

CREATE TABLE game (
    event         INTEGER PRIMARY KEY,
    pair          INTEGER NOT NULL REFERENCES pair,
    leg           INTEGER NOT NULL CHECK (leg IN (1, 2)),
    winner        INTEGER CHECK (winner IN (1, 2)),
    reason        TEXT NOT NULL,
    detail        TEXT NOT NULL,
    moves         TEXT NOT NULL,
    times         BLOB NOT NULL,
    p1_seed       INTEGER NOT NULL,
    p2_seed       INTEGER NOT NULL,
    started       INTEGER NOT NULL,
    p1_cpu        INTEGER NOT NULL,
    p2_cpu        INTEGER NOT NULL,
    p1_off_turn   INTEGER NOT NULL,
    p2_off_turn   INTEGER NOT NULL,
    p1_build      INTEGER REFERENCES build,
    p2_build      INTEGER REFERENCES build,
    p1_stderr     TEXT,
    p2_stderr     TEXT,
    UNIQUE (pair, leg)
) STRICT;

CREATE TABLE fault (
    game        INTEGER PRIMARY KEY REFERENCES game,
    seat        INTEGER CHECK (seat IN (1, 2)),
    received    TEXT NOT NULL,
    expected    TEXT NOT NULL,
    stderr      TEXT NOT NULL,
    exit_code   INTEGER,
    exit_signal INTEGER
) STRICT;

CREATE TABLE strike (
    game     INTEGER NOT NULL REFERENCES game,
    seat     INTEGER NOT NULL CHECK (seat IN (1, 2)),
    number   INTEGER NOT NULL,
    ply      INTEGER NOT NULL,
    reason   TEXT NOT NULL,
    received TEXT NOT NULL,
    PRIMARY KEY (game, seat, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE annotation (
    game INTEGER PRIMARY KEY REFERENCES game,
    text TEXT NOT NULL
) STRICT;
)";

int pragma(SQLite::Database& connection, const char* name) {
    return connection.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

// ---- the schema ----

// A row of the schema: type, name, table, and the text that creates it.
using SchemaRow = std::array<std::string, 4>;

std::vector<SchemaRow> schema_of(SQLite::Database& connection) {
    std::vector<SchemaRow> rows;
    SQLite::Statement select(connection, "SELECT type, name, tbl_name, sql FROM sqlite_schema");
    while (select.executeStep()) {
        SchemaRow& row = rows.emplace_back();
        for (int i = 0; i < 4; ++i)
            row[static_cast<std::size_t>(i)] = select.getColumn(i).getString();
    }
    std::ranges::sort(rows);
    return rows;
}

const std::vector<SchemaRow>& own_schema() {
    static const std::vector<SchemaRow> schema = [] {
        SQLite::Database memory(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        memory.exec(kTables);
        return schema_of(memory);
    }();
    return schema;
}

// A view, trigger or expression of a stranger would run where the record is read: so nothing is
// accepted but what create_schema() writes.
Result<void> check_rows(const std::vector<SchemaRow>& rows, const std::string& path) {
    std::vector<SchemaRow> strange;
    std::ranges::set_symmetric_difference(rows, own_schema(), std::back_inserter(strange));
    if (strange.empty() && rows.size() == own_schema().size()) return {};
    if (strange.empty()) strange.push_back(rows.back());
    return bad_input(
        "{} is no record of Nimarena: read another schema at {} {}, expected that which "
        "nim-arena creates",
        protocol::quoted(path), protocol::printable(strange.front()[0], 20),
        protocol::quoted(protocol::printable(strange.front()[1], 100)));
}

// Error: it is larger than a schema of ours.
Result<std::vector<SchemaRow>> read_schema(BoundedDatabase& connection,
                                           const std::string& path) {
    try {
        return schema_of(connection);
    } catch (const SQLite::Exception& exception) {
        const int code = exception.getErrorCode();
        const bool is_large = code == SQLITE_TOOBIG || code == SQLITE_INTERRUPT;
        if (!is_large || connection.is_stopped()) throw;
        return bad_input(
            "{} is no record of Nimarena: read a larger schema, expected that which nim-arena "
            "creates",
            protocol::quoted(path));
    }
}

Error other_program(const std::string& path) {
    return bad_input("{} is no record of Nimarena: it is a database of another program",
                     protocol::quoted(path));
}

// True: the file is empty, as it was just created.
Result<bool> check_schema(BoundedDatabase& connection, const std::string& path) {
    const int application = pragma(connection, "application_id");
    const int schema = pragma(connection, "user_version");
    const bool is_ours = application == kApplication;
    if (!is_ours && (application != 0 || schema != 0)) return other_program(path);
    if (is_ours && schema != kSchema) {
        return bad_input(
            "{} was written by another version of Nimarena: read schema {}, "
            "expected {}; use the version that wrote it",
            protocol::quoted(path), schema, kSchema);
    }
    const auto read = read_schema(connection, path);
    if (!read) return read.error();
    const auto& rows = *read;
    if (!is_ours && rows.empty()) return true;
    if (!is_ours) return other_program(path);
    const auto checked = check_rows(rows, path);
    if (!checked) return checked.error();
    return false;
}

void create_schema(SQLite::Database& connection) {
    SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
    connection.exec(kTables);
    connection.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                                kApplication, kSchema));
    transaction.commit();
}

// Nothing is added to a damaged file. A large one is not read whole for that.
Result<void> check_pages(SQLite::Database& connection, const std::string& path) {
    constexpr std::uintmax_t kMostChecked = 64 << 20;
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error || size > kMostChecked) return {};
    const std::string found = connection.execAndGet("PRAGMA quick_check(1)").getString();
    if (found == "ok") return {};
    return Error{Fault::Disconnected,
                 fmt::format("{}: the file is damaged: {}; nothing is added to it. nim-arena "
                             "export writes what can be read",
                             protocol::quoted(path), protocol::printable(found, 200)),
                 0};
}

// Without a rollback journal, as records have none: an interrupted change of the mode leaves
// a file that is opened as before.
Result<void> set_log_mode(SQLite::Database& connection, const std::string& path) {
    const auto mode = [&](const char* value) {
        return connection.execAndGet(fmt::format("PRAGMA journal_mode{}", value)).getString();
    };
    if (mode("") == "wal") return {};
    mode(" = MEMORY");
    if (mode(" = WAL") == "wal") return {};
    return bad_input(
        "{}: its file system has no shared memory for SQLite's "
        "write-ahead log; put the record on a local disk",
        protocol::quoted(path));
}

Result<void> prepare_to_write(BoundedDatabase& connection, const std::string& path) {
    const auto is_blank = check_schema(connection, path);
    if (!is_blank) return is_blank.error();
    connection.allow_work(kStepsOfChange);
    const auto logs = set_log_mode(connection, path);
    if (!logs) return logs;
    // FULL: a reported game survives a power failure as well as the end of this process. With
    // NORMAL a power failure would lose the games since the last checkpoint. A commit holds up
    // to 1,000 games, so one fsync for each costs little.
    connection.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
    if (*is_blank) create_schema(connection);
    return check_pages(connection, path);
}

Result<void> prepare_to_read(BoundedDatabase& connection, const std::string& path) {
    const auto is_blank = check_schema(connection, path);
    if (!is_blank) return is_blank.error();
    if (*is_blank)
        return bad_input("{} is empty: nothing is recorded there", protocol::quoted(path));
    connection.allow_work(kStepsOfReading);
    return {};
}

// For a connection that could write.
Result<void> prepare_to_query(BoundedDatabase& connection, const std::string& path) {
    connection.exec("PRAGMA query_only = ON");
    return prepare_to_read(connection, path);
}

// SQLite tells no more of a write that failed, unless the disk is full.
bool cannot_write(const SQLite::Exception& exception) {
    return exception.getExtendedErrorCode() == SQLITE_IOERR_WRITE;
}

// An error while opening is one of the file's name or contents, unless the disk is full, the
// file damaged, or the time up.
Error opening_error(const SQLite::Exception& exception, const std::string& path,
                    const engine::Budget& budget) {
    constexpr std::array kOthers{SQLITE_FULL, SQLITE_CORRUPT, SQLITE_INTERRUPT};
    Error error = error_of(exception, path, budget);
    if (!cannot_write(exception) &&
        std::ranges::find(kOthers, exception.getErrorCode()) == kOthers.end())
        error.fault = Fault::BadInput;
    return error;
}

template <typename Prepare>
Result<Connection> open(const std::string& path, const std::string& file, int flags,
                        Prepare prepare, const engine::Budget& budget) {
    try {
        auto connection =
            std::make_unique<BoundedDatabase>(resolved(path), file, flags, budget);
        const Result<void> prepared = prepare(*connection, path);
        if (!prepared) return prepared.error();
        return connection;
    } catch (const SQLite::Exception& exception) {
        return opening_error(exception, path, budget);
    }
}

// A file on a read-only medium can only be read as one that never changes: SQLite would put
// what readers and writers share next to it.
std::string immutable_uri(const std::string& path) {
    std::string uri = "file:";
    for (const char c : path) {
        if (c == '?' || c == '#' || c == '%')
            uri += fmt::format("%{:02x}", static_cast<unsigned>(c));
        else
            uri += c;
    }
    return uri + "?immutable=1";
}

bool has_log(const std::string& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path + "-wal", error);
    return !error && size > 0;
}

// ---- the lock ----

// Whether the locked file still has that name.
bool is_current(int descriptor, const std::string& path) {
    struct stat locked {};
    struct stat named {};
    return ::fstat(descriptor, &locked) == 0 && ::stat(path.c_str(), &named) == 0 &&
           locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

Error cannot_lock(const std::string& record, int error) {
    if (error == ENOSPC || error == EDQUOT) {
        return {Fault::Disconnected,
                fmt::format("{}: the disk is full: free some space and run the same command "
                            "again; nothing recorded is lost",
                            protocol::quoted(record)),
                0};
    }
    return bad_input(
        "cannot write beside {}: {}; a record needs a folder that may be written to",
        protocol::quoted(record), std::strerror(error));
}

// What a lock file says: the number of a process, or nothing yet; nullopt: it is none of ours.
std::optional<std::string> holder(int descriptor) {
    struct stat file {};
    std::array<char, 20> text{};
    if (::fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode) || file.st_nlink > 1 ||
        file.st_size >= static_cast<off_t>(text.size()))
        return std::nullopt;
    const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
    std::string pid(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (pid.find_first_not_of("0123456789") != pid.npos) return std::nullopt;
    return pid;
}

Error no_lock(const std::string& path) {
    return bad_input(
        "{} is not a lock of nim-arena: read a link or another file, expected none, or one "
        "with the number of a process: remove it",
        protocol::quoted(path));
}

Error held_by(const std::string& record, const std::string& pid) {
    return bad_input(
        "process {} plays into {} already: wait for its end, or choose another record",
        pid.empty() ? "?" : pid, protocol::quoted(record));
}

Error has_two_names(const std::string& record, std::uintmax_t names) {
    return bad_input(
        "{} has {} names (hard links), and SQLite keeps what it has not written "
        "to the file yet under one of them: remove the others, or play into a copy",
        protocol::quoted(record), names);
}

// The record opened and locked, an empty one if there was none; -1 where it cannot be read,
// which SQLite tells better. A process plays into one record: if it had this one open, closing
// the descriptor would end the locks of SQLite on it.
Result<int> lock_record(const std::string& record) {
    struct stat file {};
    if (::stat(record.c_str(), &file) == 0) {
        if (!S_ISREG(file.st_mode)) return -1;
        if (file.st_nlink > 1) return has_two_names(record, file.st_nlink);
    }
    const int descriptor =
        ::open(record.c_str(), O_RDONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
    if (descriptor < 0 || ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
    const bool is_held = errno == EWOULDBLOCK;
    ::close(descriptor);
    // A file system without such locks has no write-ahead log of SQLite's either.
    if (!is_held) return -1;
    return bad_input(
        "another process plays into {} already, under another name: wait for its "
        "end, or choose another record",
        protocol::quoted(record));
}

}  // namespace

// ---- damage ----

void Damage::leave_out(const std::string& text) {
    if (fatal_) throw SQLite::Exception(text);
    const std::lock_guard lock(mutex_);
    if (lines_.size() < kMostLines)
        lines_.insert(text);
    else
        has_more_ = has_more_ || !lines_.contains(text);
}

std::vector<std::string> Damage::lines() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines(lines_.begin(), lines_.end());
    if (has_more_) lines.emplace_back("and more");
    return lines;
}

std::vector<std::string> broken_parts(SQLite::Database& connection) {
    constexpr std::size_t kMost = 20;
    std::vector<std::string> lines;
    SQLite::Statement pages(connection, fmt::format("PRAGMA quick_check({})", kMost));
    while (pages.executeStep()) {
        const std::string text = pages.getColumn(0).getString();
        if (text != "ok") lines.push_back("the file: " + protocol::printable(text, 200));
    }
    if (!lines.empty()) return lines;
    SQLite::Statement references(connection, "PRAGMA foreign_key_check");
    while (references.executeStep()) {
        if (lines.size() == kMost) {
            lines.emplace_back("and more rows that refer to none");
            break;
        }
        lines.push_back(fmt::format("table {}: row {} refers to a row of {} that is not there",
                                    references.getColumn(0).getString(),
                                    references.getColumn(1).getInt64(),
                                    references.getColumn(2).getString()));
    }
    return lines;
}

Result<Connection> open_to_write(const std::string& path) {
    const auto checked = check_files(path);
    if (!checked) return checked.error();
    return open(path, resolved(path), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                prepare_to_write, {});
}

Result<Connection> open_to_read(const std::string& path, const engine::Budget& budget) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        return bad_input("there is no file {}", protocol::quoted(path));
    }
    const auto checked = check_files(path);
    if (!checked) return checked.error();
    const std::string file = resolved(path);
    // The last connection to leave removes SQLite's files next to the record (-wal, -shm), but
    // one that was opened read-only may not, and would leave them there.
    auto writable = open(path, file, SQLite::OPEN_READWRITE, prepare_to_query, budget);
    if (writable) return writable;
    auto connection = open(path, file, SQLite::OPEN_READONLY, prepare_to_read, budget);
    if (connection || has_log(file)) return connection;
    auto immutable = open(path, immutable_uri(file), SQLite::OPEN_READONLY | SQLite::OPEN_URI,
                          prepare_to_read, budget);
    return immutable ? std::move(immutable) : std::move(connection);
}

Error error_of(const SQLite::Exception& exception, const std::string& path,
               const engine::Budget& budget) {
    const auto say = [&](const std::string& text, Fault fault = Fault::Disconnected) {
        return Error{fault, fmt::format("{}: {}", protocol::quoted(path), text), 0};
    };
    if (cannot_write(exception)) {
        return say(
            "it cannot be written to: a quota or a limit of file sizes is reached, or the disk "
            "fails: make room and run the same command again; nothing recorded is lost");
    }
    switch (exception.getErrorCode()) {
        case SQLITE_FULL:
            return say(
                "the disk is full: free some space and run the same command again; nothing "
                "recorded is lost");
        case SQLITE_NOTADB:
            return say("this is no record of Nimarena (no SQLite file)");
        case SQLITE_CORRUPT:
            return say(
                "the file is damaged; what can be read of it, the shell of sqlite3 gives with "
                "'.recover'");
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return say("another program holds the file; end it and run the same command again");
        case SQLITE_READONLY:
            return say("the file may not be written to");
        case SQLITE_TOOBIG:
            return say(fmt::format("it has a text of more than {} MiB, which no record has",
                                   kMostText >> 20));
        case SQLITE_INTERRUPT:
            if (budget.is_spent())
                return say("it was not read in the time for it", Fault::TimedOut);
            return say(
                "the file is damaged: reading it takes more steps than a file of its size can "
                "need");
        default:
            return say(exception.what());
    }
}

Result<RecordLock> RecordLock::take(const std::string& record) {
    const std::string path = resolved(record) + "-lock";  // the same for all names of a record
    constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    for (;;) {
        const int descriptor = ::open(path.c_str(), kFlags, 0666);
        if (descriptor < 0 && errno == ELOOP) return no_lock(path);
        if (descriptor < 0) return cannot_lock(record, errno);
        RecordLock lock(descriptor, {});
        const auto pid = holder(descriptor);
        if (!pid) return no_lock(path);
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) return held_by(record, *pid);
            return cannot_lock(record, errno);
        }
        // Its owner may have removed it in between: then the lock is on a file without a name.
        if (!is_current(descriptor, path)) continue;
        const std::string own = std::to_string(::getpid());
        if (::ftruncate(descriptor, 0) != 0 ||
            ::pwrite(descriptor, own.data(), own.size(), 0) < 0) {
            return cannot_lock(record, errno);
        }
        lock.path_ = path;
        const auto locked = lock_record(record);
        if (!locked) return locked.error();
        lock.record_ = *locked;
        return lock;
    }
}

RecordLock::RecordLock(RecordLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      record_(std::exchange(other.record_, -1)) {}

RecordLock::~RecordLock() {
    if (record_ >= 0) ::close(record_);
    if (descriptor_ < 0) return;
    if (!path_.empty()) ::unlink(path_.c_str());  // while it is locked
    ::close(descriptor_);
}

}  // namespace arena::sqlite

#include "arena/store/sqlite_file.hpp"

#include <sqlite3.h>

#include <filesystem>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena::sqlite {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr int kApplication = 0x4E696D41;  // "NimA"
constexpr int kSchema = 1;
// Another program may hold the file for a moment, such as the shell of sqlite3.
constexpr int kBusyMilliseconds = 10'000;

// Seats and legs count from 1, as p1 and p2 do; `event` is the place among all that happened,
// one sequence over entrant, round and game. Times are in microseconds; game.times holds one a
// move, as varints (LEB128).
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

Error refuse(std::string text) { return {Fault::BadInput, std::move(text), 0}; }

int pragma(SQLite::Database& connection, const char* name) {
    return connection.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

bool is_blank(SQLite::Database& connection) {
    return pragma(connection, "application_id") == 0 &&
           pragma(connection, "user_version") == 0 &&
           connection.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
}

Result<void> check_schema(SQLite::Database& connection, const std::string& path) {
    if (pragma(connection, "application_id") != kApplication) {
        return refuse(
            fmt::format("{} is no record of Nimarena: it is a database of another "
                        "program",
                        protocol::quoted(path)));
    }
    const int schema = pragma(connection, "user_version");
    if (schema == kSchema) return {};
    return refuse(
        fmt::format("{} was written by another version of Nimarena: read schema {}, "
                    "expected {}; use the version that wrote it",
                    protocol::quoted(path), schema, kSchema));
}

void create_schema(SQLite::Database& connection) {
    SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
    connection.exec(kTables);
    connection.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                                kApplication, kSchema));
    transaction.commit();
}

// FULL: a game that was reported outlives a power cut as well as the end of this process. With
// NORMAL a power cut would cost what was recorded since the last checkpoint. Commits are for up
// to 1,000 games, so that one fsync for each costs little.
void set_up_writer(SQLite::Database& connection) {
    connection.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
}

Result<void> prepare_to_write(SQLite::Database& connection, const std::string& path) {
    const bool blank = is_blank(connection);
    if (!blank) {
        auto checked = check_schema(connection, path);
        if (!checked) return checked;
    }
    const std::string mode = connection.execAndGet("PRAGMA journal_mode = WAL").getString();
    if (mode != "wal") {
        return refuse(
            fmt::format("{}: its file system has no shared memory for SQLite's "
                        "write-ahead log; put the record on a local disk",
                        protocol::quoted(path)));
    }
    set_up_writer(connection);
    if (blank) create_schema(connection);
    return {};
}

Result<void> prepare_to_read(SQLite::Database& connection, const std::string& path) {
    if (is_blank(connection)) {
        return refuse(
            fmt::format("{} is empty: nothing is recorded there", protocol::quoted(path)));
    }
    return check_schema(connection, path);
}

// SQLite tells no more of a write that failed, unless the disk is full.
bool is_full(const SQLite::Exception& exception) {
    return exception.getErrorCode() == SQLITE_FULL;
}
bool cannot_write(const SQLite::Exception& exception) {
    return exception.getExtendedErrorCode() == SQLITE_IOERR_WRITE;
}

// An error while opening is one of the file's name or contents, unless the disk is full.
Error opening_error(const SQLite::Exception& exception, const std::string& path) {
    Error error = error_of(exception, path);
    if (!is_full(exception) && !cannot_write(exception)) error.fault = Fault::BadInput;
    return error;
}

template <typename Prepare>
Result<Connection> open(const std::string& path, const std::string& file, int flags,
                        Prepare prepare) {
    try {
        auto connection = std::make_unique<SQLite::Database>(file, flags, kBusyMilliseconds);
        const Result<void> prepared = prepare(*connection, path);
        if (!prepared) return prepared.error();
        return connection;
    } catch (const SQLite::Exception& exception) {
        return opening_error(exception, path);
    }
}

// A file on a medium that cannot be written to can be read only if nobody writes to it: SQLite
// keeps what its readers and writers share beside it.
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

}  // namespace

Result<Connection> open_to_write(const std::string& path) {
    return open(path, path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, prepare_to_write);
}

Result<Connection> open_to_read(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        return refuse(fmt::format("there is no file {}", protocol::quoted(path)));
    }
    auto connection = open(path, path, SQLite::OPEN_READONLY, prepare_to_read);
    if (connection || has_log(path)) return connection;
    auto immutable = open(path, immutable_uri(path), SQLite::OPEN_READONLY | SQLite::OPEN_URI,
                          prepare_to_read);
    return immutable ? std::move(immutable) : std::move(connection);
}

Error error_of(const SQLite::Exception& exception, const std::string& path) {
    const int code = exception.getErrorCode();
    const auto say = [&](const std::string& text) {
        return Error{Fault::Disconnected, fmt::format("{}: {}", protocol::quoted(path), text),
                     0};
    };
    if (is_full(exception)) {
        return say(
            "the disk is full: free some space and run the same command again; nothing "
            "recorded is lost");
    }
    if (cannot_write(exception)) {
        return say(
            "it cannot be written to: a quota or a limit of file sizes is reached, or the disk "
            "fails: make room and run the same command again; nothing recorded is lost");
    }
    if (code == SQLITE_NOTADB) return say("this is no record of Nimarena (no SQLite file)");
    if (code == SQLITE_CORRUPT) {
        return say(
            "the file is damaged; what can be read of it, the shell of sqlite3 gives with "
            "'.recover'");
    }
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return say("another program holds the file; end it and run the same command again");
    if (code == SQLITE_READONLY) return say("the file may not be written to");
    return say(exception.what());
}

}  // namespace arena::sqlite

// What SQLite offers against files of strangers, and what it lacks.
//
// Views, triggers and functions of a file do not run, and the schema is compared with that of a
// record (sqlite_file.cpp) before anything else is read. A file of a few pages can still hold a
// tree whose pages refer to each other so often that reading it never ends. So the work is
// counted: steps of the virtual machine, and pages. A file of a given size needs only so much.
// One step may go through all pages of a long text, and SQLite ends none in its midst: so the
// file refuses to be read once the budget is spent.
//
// SQLite rolls back by a journal beside the file before it reads anything, and deletes the
// files that the journal names. Records use a write-ahead log, so the file system that SQLite
// sees (a VFS) has no such journals. Looking for one before opening was ruled out as the only
// protection: it may appear between the two.
#include "arena/record/sqlite.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "arena/base/bad_input.hpp"
#include "protocol/text.hpp"

namespace arena::sqlite {
namespace {

using protocol::Result;

// Another program, such as the sqlite3 shell, may lock the file for a moment.
constexpr int kBusyMilliseconds = 10'000;
constexpr int kBusyStep = 5;  // milliseconds between two attempts

// The schema of a record has twenty rows of less than a kilobyte.
constexpr int kMostSchemaText = 16 * 1024;
constexpr int kSchemaSteps = 5000;

// Copying a record of games of one move, the most work, takes ten steps a byte.
constexpr std::uint64_t kStepsOfByte = 100;
constexpr std::uint64_t kStepsOfPage = 50;
constexpr int kStepsACheck = 1000;

// ---- the file system without journals ----

sqlite3_vfs* system_files() { return sqlite3_vfs_find(nullptr); }

// Behind the system's part of each sqlite3_file.
struct Bounds {
    sqlite3_io_methods methods;
    const sqlite3_io_methods* system;
    const BoundedDatabase* reader;
};

Bounds& bounds_of(sqlite3_file* file) {
    return *reinterpret_cast<Bounds*>(reinterpret_cast<char*>(file) + system_files()->szOsFile);
}

int read_in_time(sqlite3_file* file, void* to, int bytes, sqlite3_int64 at) {
    const Bounds& bounds = bounds_of(file);
    if (bounds.reader != nullptr && bounds.reader->is_stopped()) return SQLITE_INTERRUPT;
    return bounds.system->xRead(file, to, bytes, at);
}

int open_no_journal(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags,
                    int* given) {
    file->pMethods = nullptr;
    if ((flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL)) != 0)
        return SQLITE_CANTOPEN;
    const int opened = system_files()->xOpen(vfs, name, file, flags, given);
    if (opened != SQLITE_OK) return opened;
    Bounds& bounds = bounds_of(file);
    bounds = {*file->pMethods, file->pMethods, nullptr};
    bounds.methods.xRead = read_in_time;
    file->pMethods = &bounds.methods;
    return SQLITE_OK;
}

int find_no_journal(sqlite3_vfs* vfs, const char* name, int flags, int* found) {
    *found = 0;
    if (std::string_view(name).ends_with("-journal")) return SQLITE_OK;
    return system_files()->xAccess(vfs, name, flags, found);
}

const char* files_without_journals() {
    static sqlite3_vfs files = [] {
        sqlite3_vfs copy = *system_files();
        copy.zName = "nimarena";
        copy.szOsFile += static_cast<int>(sizeof(Bounds));
        copy.xOpen = open_no_journal;
        copy.xAccess = find_no_journal;
        return copy;
    }();
    static const int registered = sqlite3_vfs_register(&files, 0);
    if (registered != SQLITE_OK) throw SQLite::Exception("SQLite has no room for a VFS");
    return files.zName;
}

// The pages that the connection has looked at since the last time with `reset`.
std::uint64_t pages_read(sqlite3* connection, bool reset) {
    std::uint64_t pages = 0;
    for (const int counter : {SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS}) {
        int now = 0;
        int highest = 0;
        sqlite3_db_status(connection, counter, &now, &highest, reset ? 1 : 0);
        pages += static_cast<std::uint64_t>(std::max(now, 0));
    }
    return pages;
}

}  // namespace

std::string resolved(const std::string& record) {
    std::error_code error;
    const auto path =
        std::filesystem::weakly_canonical(std::filesystem::absolute(record, error), error);
    return error ? record : path.string();
}

Result<void> check_files(const std::string& record) {
    struct stat found {};
    if (::stat(record.c_str(), &found) == 0 && !S_ISREG(found.st_mode))
        return bad_input("{} is no file", protocol::quoted(record));
    const std::string path = resolved(record);
    if (::lstat((path + "-journal").c_str(), &found) == 0) {
        return bad_input(
            "{} lies beside the record, and SQLite would change the record by it; nim-arena "
            "makes no such file: remove it",
            protocol::quoted(path + "-journal"));
    }
    for (const char* suffix : {"-wal", "-shm"}) {
        const std::string name = path + suffix;
        if (::lstat(name.c_str(), &found) != 0) continue;
        if (S_ISREG(found.st_mode) && found.st_nlink <= 1) continue;
        return bad_input("{} is a link or no file, expected SQLite's own file: remove it",
                         protocol::quoted(name));
    }
    return {};
}

BoundedDatabase::BoundedDatabase(const std::string& path, const std::string& name, int flags,
                                 const engine::Budget& budget)
    : SQLite::Database(name, flags | SQLITE_OPEN_NOFOLLOW, kBusyMilliseconds,
                       files_without_journals()),
      path_(path),
      budget_(budget),
      most_(kSchemaSteps),
      on_stop_(budget.stop, [this] { sqlite3_interrupt(getHandle()); }) {
    // SQLite's own wait for a lock does not end when it is interrupted.
    const auto wait = [](void* self, int attempt) {
        const bool is_over = static_cast<BoundedDatabase*>(self)->is_stopped() ||
                             attempt * kBusyStep >= kBusyMilliseconds;
        if (is_over) return 0;
        sqlite3_sleep(kBusyStep);
        return 1;
    };
    sqlite3_busy_handler(getHandle(), wait, this);
    end_reading_in_time(this);
    harden();
    const auto check = [](void* self) {
        return static_cast<BoundedDatabase*>(self)->is_too_much() ? 1 : 0;
    };
    sqlite3_progress_handler(getHandle(), kStepsACheck, check, this);
}

BoundedDatabase::~BoundedDatabase() {
    sqlite3_progress_handler(getHandle(), 0, nullptr, nullptr);
    end_reading_in_time(nullptr);
}

void BoundedDatabase::end_reading_in_time(const BoundedDatabase* reader) {
    sqlite3_file* file = nullptr;
    sqlite3_file_control(getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
    bounds_of(file).reader = reader;
}

// Switches off what no SQL of ours needs.
void BoundedDatabase::harden() {
    constexpr std::array<std::pair<int, int>, 7> kSwitches{{
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
        {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},
    }};
    for (const auto& [option, value] : kSwitches)
        sqlite3_db_config(getHandle(), option, value, static_cast<int*>(nullptr));
    constexpr std::array<std::pair<int, int>, 6> kLimits{{
        {SQLITE_LIMIT_LENGTH, kMostSchemaText},
        {SQLITE_LIMIT_SQL_LENGTH, kMostSchemaText},
        {SQLITE_LIMIT_COLUMN, 100},
        {SQLITE_LIMIT_EXPR_DEPTH, 100},
        {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_WORKER_THREADS, 0},
    }};
    for (const auto& [limit, value] : kLimits) sqlite3_limit(getHandle(), limit, value);
    exec("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;");
}

void BoundedDatabase::allow_work(std::uint64_t besides) {
    sqlite3_limit(getHandle(), SQLITE_LIMIT_LENGTH, kMostText);
    besides_ = besides;
    most_ = besides;
    restart();
}

void BoundedDatabase::restart() {
    steps_ = 0;
    static_cast<void>(pages_read(getHandle(), true));
}

SQLite::Statement& BoundedDatabase::prepared(std::string_view text) {
    const auto found = statements_.find(text);
    if (found != statements_.end()) return found->second;
    const std::string key(text);
    return statements_.try_emplace(key, *this, key).first->second;
}

bool BoundedDatabase::is_too_much() {
    if (budget_.is_spent()) return true;
    steps_ += kStepsACheck;
    const auto work = steps_ + kStepsOfPage * pages_read(getHandle(), false);
    if (work <= most_) return false;
    if (besides_ == 0) return true;
    // The file is as large as it is now, as a tournament may go on.
    std::uint64_t bytes = 0;
    for (const char* suffix : {"", "-wal"}) {
        std::error_code error;
        const auto size = std::filesystem::file_size(path_ + suffix, error);
        if (!error) bytes += size;
    }
    most_ = besides_ + kStepsOfByte * bytes;
    return work > most_;
}

}  // namespace arena::sqlite

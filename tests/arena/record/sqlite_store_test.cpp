// Properties of a record in a file, besides those of every store.
#include "arena/record/open_store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/arena/store_games.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::sqlite_store_test {

using protocol::Fault;
using namespace testing;

std::unique_ptr<Store> open_store(const std::string& path, bool read_only = false) {
    auto store = open_sqlite_store(path, read_only);
    if (!store) throw std::runtime_error(store.error().text);
    return *std::move(store);
}

// A record of four players with `rounds` rounds planned.
std::unique_ptr<Store> begin_record(const std::string& path, int rounds) {
    auto store = open_store(path);
    EXPECT_TRUE(store->open(kConfiguration));
    EXPECT_TRUE(store->join(four_players()));
    std::vector<RoundPlan> plans;
    for (int round = 1; round <= rounds; ++round) plans.push_back(round_plan(round));
    EXPECT_TRUE(store->plan(plans));
    return store;
}

// Plays up to `pairs` pairs.
void play(Store& store, std::size_t pairs) {
    const auto claims = *store.claim(pairs);
    for (const Claim& claim : claims) {
        ASSERT_TRUE(store.record({finished(claim, 1), finished(claim, 2)}));
    }
}

std::string integrity(const std::string& path) {
    SQLite::Database database(path);
    std::string text = database.execAndGet("PRAGMA integrity_check").getString();
    SQLite::Statement violations(database, "PRAGMA foreign_key_check");
    if (violations.executeStep()) text += ", foreign keys broken";
    return text;
}

// Runs `work` in a process of its own. Returns its status, as waitpid() does.
template <typename Work>
int in_child(const Work& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        int status = 99;
        try {
            status = work();
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what();
        }
        ::_exit(status);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

class SqliteStoreTest : public ::testing::Test {
  protected:
    std::string refusal(bool read_only = false) {
        const auto store = open_sqlite_store(path, read_only);
        EXPECT_FALSE(store);
        if (store) return "opened";
        EXPECT_EQ(store.error().fault, Fault::BadInput);
        return store.error().text;
    }

    ::test::TemporaryFolder folder;
    std::string path = folder.file("record.db");
    std::string shown = "'" + path + "'";
};

TEST_F(SqliteStoreTest, ResumesAGivenFile) {
    begin_record(path, 2);
    {
        const auto store = open_store(path);
        EXPECT_TRUE(store->open(kConfiguration));
        EXPECT_THAT(*store->entrants(), SizeIs(4));
        play(*store, 3);
    }
    const auto store = open_store(path);
    EXPECT_THAT(*store->events(0, 100), SizeIs(4 + 2 + 6));
    const auto claims = *store->claim(10);
    ASSERT_THAT(claims, SizeIs(1));
    EXPECT_EQ(to_string(GameKey{claims[0].pair.key, 1}), "1.2.2.1.1.1");
    ASSERT_TRUE(store->record({finished(claims[0], 2)}));
    EXPECT_EQ((*store->events(12, 100)).front().number, 13u);
    EXPECT_EQ(integrity(path), "ok");
}

TEST_F(SqliteStoreTest, LeavesOneFileBehind) {
    begin_record(path, 1);
    EXPECT_THAT(keys_of(**open_sqlite_store(path, true)), SizeIs(0));  // no games yet
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        files.push_back(entry.path().filename());
    EXPECT_THAT(files, ElementsAre("record.db"));
}

TEST_F(SqliteStoreTest, IsPlayedIntoByOneProcessAtATime) {
    const auto store = begin_record(path, 1);
    const std::string text = "process " + std::to_string(::getpid()) + " plays into " + shown +
                             " already: wait for its end, or choose another record";
    EXPECT_EQ(refusal(), text);
    const std::string other_name = folder.file("link.db");
    std::filesystem::create_symlink(path, other_name);
    path = other_name;
    EXPECT_THAT(refusal(), HasSubstr("plays into"));
}

TEST_F(SqliteStoreTest, IsReadWhileAnotherProcessAddsGames) {
    const auto store = begin_record(path, 2);
    play(*store, 1);
    const auto reader = open_store(path, true);
    EXPECT_THAT(keys_of(*reader), ElementsAre("1.1.1.1.1.1", "1.1.1.1.1.2"));
    play(*store, 1);
    EXPECT_THAT(keys_of(*reader), SizeIs(4));
    EXPECT_EQ(*reader->configuration(), kConfiguration);
    EXPECT_THAT(*reader->events(6, 100), SizeIs(4));
    EXPECT_TRUE((*reader->game({{1, 1, 2, 1, 1}, 2})).has_value());

    EXPECT_EQ(reader->join({{"Eve", "cmd=eve", 1}}).error().text,
              shown + " was opened for reading only");
    // A reader in the middle of the games does not block the writer.
    EXPECT_TRUE(reader->for_each_game([&](const GameRecord&) {
        play(*store, 1);
        return true;
    }));
    EXPECT_THAT(keys_of(*reader), SizeIs(8));
}

TEST_F(SqliteStoreTest, KeepsEachBuildOnce) {
    {
        const auto store = begin_record(path, 3);
        const auto claims = *store->claim(10);
        std::vector<GameRecord> games;
        for (const Claim& claim : claims) games.push_back(eventful_game(claim, 1));
        ASSERT_TRUE(store->record(games));
    }
    {
        const auto store = open_store(path);
        ASSERT_TRUE(store->record({eventful_game((*store->claim(1))[0], 2)}));
    }
    SQLite::Database database(path);
    EXPECT_EQ(database.execAndGet("SELECT count(*) FROM build").getInt(), 2);
    EXPECT_EQ(
        database.execAndGet("SELECT count(*) FROM game WHERE p1_build IS NOT NULL").getInt(),
        7);
}

TEST_F(SqliteStoreTest, StopsReadingWhenAStopIsRequested) {
    {
        const auto store = begin_record(path, 500);
        play(*store, 1000);
    }
    std::stop_source stop;
    const auto store = *open_sqlite_store(path, true, {.stop = stop.get_token()});
    std::size_t visited = 0;
    const auto read = store->for_each_game([&](const GameRecord&) {
        ++visited;
        stop.request_stop();
        return true;
    });
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().fault, Fault::TimedOut);
    EXPECT_EQ(read.error().text, shown + ": it was not read in the time for it");
    EXPECT_LT(visited, 100u);
    EXPECT_EQ(store->events(0, 2000).error().fault, Fault::TimedOut);
}

// SQLite calls this instead of sleeping: the stop is requested during the first wait.
std::stop_source stop_in_call;
int sleeps = 0;

int request_stop_instead(sqlite3_vfs*, int microseconds) {
    ++sleeps;
    stop_in_call.request_stop();
    return microseconds;
}

TEST_F(SqliteStoreTest, StopsWaitingForALockWhenAStopIsRequested) {
    begin_record(path, 1);
    const int status = in_child([&] {
        sqlite3_vfs_find(nullptr)->xSleep = request_stop_instead;
        SQLite::Database other(path, SQLite::OPEN_READWRITE);
        other.exec("PRAGMA journal_mode = DELETE");
        const auto store = *open_sqlite_store(path, true, {.stop = stop_in_call.get_token()});
        other.exec("BEGIN EXCLUSIVE");
        if (store->entrants()) return 1;
        return sleeps == 1 ? 0 : 2;
    });
    EXPECT_EQ(status, 0) << WEXITSTATUS(status);
}

// SQLite calls this instead of pread(): the stop is requested in the midst of a long text.
int pages_read = 0;

ssize_t read_and_request_stop(int descriptor, void* to, std::size_t bytes, off_t at) {
    if (++pages_read == 1000) stop_in_call.request_stop();
    return ::pread(descriptor, to, bytes, at);
}

TEST_F(SqliteStoreTest, StopsReadingInTheMidstOfAText) {
    play(*begin_record(path, 1), 1);
    SQLite::Database(path, SQLite::OPEN_READWRITE)
        .exec("UPDATE game SET detail = hex(zeroblob(4000000))");
    const int status = in_child([&] {
        sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
        for (const char* name : {"pread", "pread64"}) {
            vfs->xSetSystemCall(vfs, name,
                                reinterpret_cast<sqlite3_syscall_ptr>(read_and_request_stop));
        }
        const auto store = *open_sqlite_store(path, true, {.stop = stop_in_call.get_token()});
        const auto read = store->events(0, 100);
        if (read) return 1;
        return read.error().fault == Fault::TimedOut && pages_read == 1000 ? 0 : 2;
    });
    EXPECT_EQ(status, 0) << WEXITSTATUS(status);
}

TEST_F(SqliteStoreTest, IsPlayedIntoWithALogWhateverItsMode) {
    begin_record(path, 1);
    SQLite::Database(path, SQLite::OPEN_READWRITE).exec("PRAGMA journal_mode = DELETE");
    EXPECT_THAT(*open_store(path, true)->entrants(), SizeIs(4));
    play(*open_store(path), 1);
    EXPECT_EQ(SQLite::Database(path).execAndGet("PRAGMA journal_mode").getString(), "wal");
    EXPECT_EQ(integrity(path), "ok");
}

// SQLite calls this instead of open(): counts rollback journals.
int journals_opened = 0;

int open_and_count_journals(const char* name, int flags, int mode) {
    if (std::string_view(name).ends_with("-journal")) ++journals_opened;
    return ::open(name, flags, mode);
}

TEST_F(SqliteStoreTest, MakesAndReadsNoRollbackJournal) {
    const int status = in_child([&] {
        sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
        vfs->xSetSystemCall(vfs, "open",
                            reinterpret_cast<sqlite3_syscall_ptr>(open_and_count_journals));
        const auto store = begin_record(path, 1);
        play(*store, 1);
        std::ofstream(path + "-journal") << "appears once the record is open";
        if (keys_of(*store).size() == 2) return 1;  // a further connection refuses it
        play(*store, 1);
        return journals_opened == 0 ? 0 : 2;
    });
    EXPECT_EQ(status, 0) << WEXITSTATUS(status);
}

// ---- files that are none ----

TEST_F(SqliteStoreTest, RefusesFilesThatAreNoRecord) {
    EXPECT_EQ(refusal(true), "there is no file " + shown);

    std::ofstream(path) << "[tournament]\nname = \"spring\"\n" << std::string(200, '#');
    const std::string none = shown + ": this is no record of Nimarena (no SQLite file)";
    EXPECT_EQ(refusal(), none);
    EXPECT_EQ(refusal(true), none);

    std::filesystem::remove(path);
    SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE photo (name TEXT)");
    const std::string other =
        shown + " is no record of Nimarena: it is a database of another program";
    EXPECT_EQ(refusal(), other);
    EXPECT_EQ(refusal(true), other);
    EXPECT_EQ(SQLite::Database(path).execAndGet("PRAGMA journal_mode").getString(), "delete")
        << "it is left as it was";
}

TEST_F(SqliteStoreTest, RefusesRecordsOfOtherVersions) {
    begin_record(path, 1);
    SQLite::Database(path, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 2");
    const std::string newer = shown +
                              " was written by another version of Nimarena: read schema 2, "
                              "expected 1; use the version that wrote it";
    EXPECT_EQ(refusal(), newer);
    EXPECT_EQ(refusal(true), newer);
}

TEST_F(SqliteStoreTest, BeginsInAnEmptyFile) {
    std::ofstream(path).flush();
    EXPECT_EQ(refusal(true), shown + " is empty: nothing is recorded there");
    begin_record(path, 1);
    EXPECT_THAT(*open_store(path, true)->entrants(), SizeIs(4));
}

TEST_F(SqliteStoreTest, RefusesAMissingFolder) {
    path = folder.file("none/record.db");
    EXPECT_EQ(refusal(), "cannot write beside '" + path +
                             "': No such file or directory; a record needs a folder that may "
                             "be written to");
}

TEST_F(SqliteStoreTest, ReportsADamagedFile) {
    begin_record(path, 1);
    {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(100);
        file << std::string(20'000, '\xff');
    }
    for (const bool read_only : {false, true}) {
        const auto store = open_sqlite_store(path, read_only);
        ASSERT_FALSE(store);
        EXPECT_EQ(store.error().fault, Fault::Disconnected) << "as where its disk fails";
        EXPECT_THAT(store.error().text, StartsWith(shown + ": the file is damaged"));
    }
}

// Changes a record of two pairs as no program would.
void damage(const std::string& path, const std::string& sql) {
    play(*begin_record(path, 1), 2);
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    database.exec("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF");
    database.exec(sql);
}

std::vector<std::string> damage_by(const std::string& path, const std::string& sql) {
    damage(path, sql);
    const auto store = open_store(path, true);
    EXPECT_TRUE(for_each_event(*store, [](const Event&) {})) << sql;
    EXPECT_TRUE(store->for_each_game([](const GameRecord&) { return true; })) << sql;
    return store->damage();
}

TEST_F(SqliteStoreTest, NamesTheRowsThatContradictTheRest) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"DELETE FROM entrant", "game 1.1.1.1.1.1 has players, and the record has not two"},
        {"DELETE FROM entrant WHERE number = 1", "player 2 is missing"},
        {"DELETE FROM entrant WHERE number = 3",
         "game 1.1.2.1.1.1 has player 3, expected 0..2"},
        {"UPDATE entrant SET number = 9000000000 WHERE number = 0", "player 1 is missing"},
        {"UPDATE entrant SET first_round = -1 WHERE number = 0",
         "player 1 has first round -1, expected 1..1000000000"},
        {"UPDATE entrant SET event = 999 WHERE number = 0",
         "player 2 has event 2, expected 1000..9223372036854775807"},
        {"UPDATE pair SET player1 = 99999", "game 1.1.1.1.1.1 has player 99999, expected 0..3"},
        {"UPDATE pair SET player1 = -5", "game 1.1.1.1.1.1 has player -5, expected 0..3"},
        {"UPDATE pair SET player1 = player2 WHERE id = 1",
         "game 1.1.1.1.1.1 has one player for both seats"},
        {"UPDATE pair SET player1 = 4294967296",
         "game 1.1.1.1.1.1 has player 4294967296, expected 0..3"},
        {"UPDATE pair SET stage = 99999999999 WHERE id = 1",
         "game 1.1.1.1.1.1 has a key with the part 99999999999, expected 1..1000000000"},
        {"UPDATE pair SET position = 'nim:3,' WHERE id = 1",
         "game 1.1.1.1.1.1 has the position 'nim:3,': column 7: read the end, expected a heap "
         "such as 5, (3,5) or (w+1)"},
        {"UPDATE pair SET position = 'nim:003' WHERE id = 1",
         "game 1.1.1.1.1.1 has the position 'nim:003', expected 'nim:3'"},
        {"DELETE FROM pair WHERE id = 1",
         "table game: row 6 refers to a row of pair that is not there"},
        {"DELETE FROM round", "game 1.1.1.1.1.1 is of a round that was not planned before"},
        {"UPDATE round SET byes = '7' WHERE round = 1",
         "round 1.1, attempt 1, has the byes '7', expected players"},
        {"UPDATE round SET byes = 'x' WHERE round = 1",
         "round 1.1, attempt 1, has the byes 'x', expected players"},
        {"UPDATE round SET round = -3 WHERE round = 1",
         "round 1.1, attempt 1, has round -3, expected 1..1000000000"},
        {"UPDATE round SET spent_ms = -3 WHERE round = 1",
         "round 1.1, attempt 1, has time spent -3, expected 0..10000000000000"},
        {"UPDATE game SET winner = 7 WHERE leg = 1",
         "game 1.1.1.1.1.1 has winner 7, expected 1..2"},
        {"UPDATE game SET winner = 7 WHERE leg = 1",
         "game 1.1.1.1.1.1 has winner 7, expected 1..2"},
        {"UPDATE game SET leg = 3 WHERE leg = 2", "game 1.1.1.1.1.1 has leg 3, expected 1..2"},
        {"UPDATE game SET reason = 'boredom' WHERE leg = 1",
         "game 1.1.1.1.1.1 has an ending of no known name, 'boredom'"},
        {"UPDATE game SET winner = NULL WHERE leg = 1",
         "game 1.1.1.1.1.1 has no winner, and ended by no-moves"},
        {"UPDATE game SET reason = 'timeout' WHERE leg = 1",
         "game 1.1.1.1.1.1 has a fault that does not fit its ending"},
        {"UPDATE game SET times = x'ffffffffffffffffff' WHERE leg = 1",
         "game 1.1.1.1.1.1 has times that do not fit its moves"},
        {"UPDATE game SET times = x'' WHERE leg = 1",
         "game 1.1.1.1.1.1 has times that do not fit its moves"},
        {"UPDATE game SET p1_cpu = -1 WHERE leg = 1",
         "game 1.1.1.1.1.1 has CPU time -1, expected 0..10000000000000"},
        {"UPDATE game SET p1_off_turn = 9223372036854775807 WHERE leg = 1",
         "game 1.1.1.1.1.1 has CPU time off turn 9223372036854775807, expected "
         "0..10000000000000"},
        {"UPDATE game SET started = 9223372036854775807 WHERE leg = 1",
         "game 1.1.1.1.1.1 has time of its start 9223372036854775807, expected "
         "0..9214646400000000"},
        {"UPDATE game SET started = 10802639897850598 WHERE leg = 1",
         "game 1.1.1.1.1.1 has time of its start 10802639897850598, expected "
         "0..9214646400000000"},
        {"UPDATE game SET p1_seed = -1 WHERE leg = 1",
         "game 1.1.1.1.1.1 has seed -1, expected 0..9223372036854775807"},
        {"UPDATE game SET event = -event",
         "game 1.1.1.1.1.1 has event -6, expected 1..9223372036854775807"},
        {"INSERT INTO strike SELECT event, 1, n.column1, 4 - n.column1, 'timeout', '' "
         "FROM game, (VALUES (1), (2)) n WHERE leg = 1",
         "game 1.1.1.1.1.1 has a strike at ply 2 after one at ply 3"},
        {"UPDATE game SET p1_build = 77 WHERE leg = 1",
         "table game: row 6 refers to a row of build that is not there"},
    };
    int number = 0;
    for (const auto& [sql, line] : cases) {
        const std::string damaged = folder.file(std::to_string(++number) + ".db");
        EXPECT_THAT(damage_by(damaged, sql), Contains(line)) << sql;
    }
}

// Standings come from the events alone.
TEST_F(SqliteStoreTest, LeavesGamesWhoseTimesDoNotFitOutOfTheEvents) {
    int number = 0;
    for (const std::string times : {"x''", "x'010203040506'", "x'ffffffffffffffffff'"}) {
        const std::string damaged = folder.file(std::to_string(++number) + ".db");
        damage(damaged, "UPDATE game SET times = " + times + " WHERE leg = 1");
        const auto store = open_store(damaged, true);
        EXPECT_THAT(*store->events(5, 100), SizeIs(2)) << times;
        EXPECT_THAT(store->damage(),
                    ElementsAre("game 1.1.1.1.1.1 has times that do not fit its moves",
                                "game 1.1.2.1.1.1 has times that do not fit its moves"))
            << times;
        EXPECT_FALSE(open_store(damaged)->events(5, 100)) << "nobody plays into it";
    }
}

// ---- what may happen to a process ----

TEST_F(SqliteStoreTest, RefusesAFolderThatMayNotBeWrittenTo) {
    begin_record(path, 1);
    ::chmod(folder.path().c_str(), 0555);
    ::chmod(path.c_str(), 0444);
    const int status = in_child([&] {
        if (::getuid() == 0 && ::setuid(65534) != 0) return 1;
        const auto writer = open_sqlite_store(path);
        if (writer || writer.error().fault != Fault::BadInput) return 2;
        if (writer.error().text != "cannot write beside " + shown +
                                       ": Permission denied; a record needs a folder that may "
                                       "be written to")
            return 3;
        // It can still be read.
        return open_store(path, true)->entrants()->size() == 4 ? 0 : 4;
    });
    ::chmod(folder.path().c_str(), 0755);
    if (WEXITSTATUS(status) == 1) GTEST_SKIP() << "this root can become no other user";
    EXPECT_EQ(status, 0) << WEXITSTATUS(status);
}

// SQLite calls this instead of pwrite(): after this many bytes the disk is full.
std::size_t room = 0;
int no_room = 0;

ssize_t write_while_there_is_room(int descriptor, const void* bytes, std::size_t size,
                                  off_t offset) {
    if (size > room) {
        errno = no_room;
        return -1;
    }
    room -= size;
    return ::pwrite(descriptor, bytes, size, offset);
}

void limit_room(std::size_t bytes, int error) {
    room = bytes;
    no_room = error;
    sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
    for (const char* name : {"pwrite", "pwrite64"}) {
        vfs->xSetSystemCall(vfs, name,
                            reinterpret_cast<sqlite3_syscall_ptr>(write_while_there_is_room));
    }
}

class FullDiskTest : public SqliteStoreTest,
                     public ::testing::WithParamInterface<std::pair<int, const char*>> {};

INSTANTIATE_TEST_SUITE_P(
    Errors, FullDiskTest,
    ::testing::Values(
        std::pair(ENOSPC,
                  "the disk is full: free some space and run the same command again; nothing "
                  "recorded is lost"),
        std::pair(EDQUOT,
                  "it cannot be written to: a quota or a limit of file sizes is reached, or "
                  "the disk fails: make room and run the same command again; nothing recorded "
                  "is lost")));

TEST_P(FullDiskTest, StopsWithoutLosingAnything) {
    begin_record(path, 1000);
    const std::string told = folder.file("told");
    const int status = in_child([&] {
        limit_room(400'000, GetParam().first);
        const auto store = open_store(path);
        const auto claims = *store->claim(2000);
        std::size_t recorded = 0;
        for (const Claim& claim : claims) {
            const auto done = store->record({finished(claim, 1), finished(claim, 2)});
            if (done) {
                recorded += 2;
                continue;
            }
            std::ofstream(told) << recorded << ' ' << done.error().text;
            if (done.error().fault != Fault::Disconnected) return 2;
            const auto again = store->record({finished(claim, 1)});
            if (again || again.error() != done.error()) return 3;
            return keys_of(*store).size() == recorded ? 0 : 4;
        }
        return 5;
    });
    EXPECT_EQ(status, 0) << WEXITSTATUS(status);
    std::ifstream file(told);
    std::size_t recorded = 0;
    file >> recorded;
    file.get();
    std::string text;
    std::getline(file, text);
    EXPECT_EQ(text, shown + ": " + GetParam().second);
    EXPECT_GT(recorded, 0u);

    // Once there is room again, the rest is played, each game once.
    const auto store = open_store(path);
    EXPECT_THAT(keys_of(*store), SizeIs(recorded));
    play(*store, 2000);
    EXPECT_THAT(keys_of(*store), SizeIs(4000));
    EXPECT_EQ(integrity(path), "ok");
}

constexpr int kMostPairs = 100;

// Plays pairs and reports each one once it is recorded, until it is killed.
[[noreturn]] void play_until_killed(const std::string& path, int tell) {
    const auto store = open_store(path);
    for (int pairs = 0; pairs < kMostPairs; ++pairs) {
        const auto claims = *store->claim(1);
        if (claims.empty()) ::_exit(3);
        if (!store->record({finished(claims[0], 1), finished(claims[0], 2)})) ::_exit(1);
        const std::string word = to_string(GameKey{claims[0].pair.key, 1}) + "\n" +
                                 to_string(GameKey{claims[0].pair.key, 2}) + "\n";
        if (::write(tell, word.data(), word.size()) < 0) ::_exit(2);
    }
    for (;;) ::pause();
}

TEST_F(SqliteStoreTest, KeepsWhatWasReportedWhenItsProcessIsKilled) {
    constexpr std::size_t kKills = 8;
    constexpr int kRounds = kKills * kMostPairs / 2;  // two pairs each
    begin_record(path, kRounds);
    std::vector<std::string> reported;
    for (std::size_t kill = 0; kill < kKills; ++kill) {
        std::array<int, 2> pipe{};
        ASSERT_EQ(::pipe(pipe.data()), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            ::close(pipe[0]);
            play_until_killed(path, pipe[1]);
        }
        ::close(pipe[1]);
        // It dies some time after the Nth report, and the next process may start at once.
        std::string text;
        std::array<char, 64> bytes{};
        while (text.size() < 100 + 97 * kill) {
            const ssize_t size = ::read(pipe[0], bytes.data(), bytes.size());
            ASSERT_GT(size, 0);
            text.append(bytes.data(), static_cast<std::size_t>(size));
        }
        ::kill(child, SIGKILL);
        for (ssize_t size = 1; size > 0;) {
            size = ::read(pipe[0], bytes.data(), bytes.size());
            if (size > 0) text.append(bytes.data(), static_cast<std::size_t>(size));
        }
        ::close(pipe[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status));
        for (std::size_t end = 0; (end = text.find('\n')) != text.npos;) {
            reported.push_back(text.substr(0, end));
            text.erase(0, end + 1);
        }
    }
    const std::set<std::string> distinct(reported.begin(), reported.end());
    EXPECT_EQ(distinct.size(), reported.size()) << "no game was handed out twice";

    EXPECT_TRUE(std::filesystem::exists(path + "-wal"));
    const auto read = keys_of(*open_store(path, true));
    EXPECT_EQ(integrity(path), "ok");
    const auto store = open_store(path);
    const auto recorded = keys_of(*store);
    EXPECT_EQ(read, recorded);
    const std::set<std::string> there(recorded.begin(), recorded.end());
    EXPECT_EQ(there.size(), recorded.size());
    for (const std::string& key : reported) EXPECT_TRUE(there.contains(key)) << key;

    play(*store, 2 * kRounds);
    EXPECT_THAT(keys_of(*store), SizeIs(4 * kRounds));
    const auto events = *store->events(0, 100'000);
    ASSERT_THAT(events, SizeIs(4 + kRounds + 4 * kRounds));
    EXPECT_EQ(events.back().number, events.size());
}

}  // namespace arena::sqlite_store_test

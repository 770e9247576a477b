#include "arena/players/traffic_log.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "protocol/unique_fd.hpp"
#include "tests/harness/patience.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::traffic_log_test {

using namespace testing;

// A FIFO that holds 4096 bytes, and its reader.
class Fifo {
  public:
    Fifo() {
        ::unlink(file_.path().c_str());
        if (::mkfifo(path().c_str(), 0600) != 0) throw std::runtime_error("no FIFO");
        fd_.reset(::open(path().c_str(), O_RDWR | O_CLOEXEC));
        if (::fcntl(fd_.get(), F_SETPIPE_SZ, kSize) != kSize) throw std::runtime_error("size");
    }
    const std::string& path() const { return file_.path(); }

    std::string read() const {
        std::string text(kSize, '\0');
        text.resize(static_cast<std::size_t>(::read(fd_.get(), text.data(), text.size())));
        return text;
    }
    void wait_until_full() const {
        for (int size = 0; size < kSize; std::this_thread::yield()) {
            ::ioctl(fd_.get(), FIONREAD, &size);
        }
    }

  private:
    static constexpr int kSize = 4096;
    ::test::TemporaryFile file_;
    protocol::UniqueFd fd_;
};

std::unique_ptr<TrafficLog> open_log(const std::string& path, std::size_t room = 1 << 20) {
    auto log = TrafficLog::open(path, room);
    if (!log) throw std::runtime_error(log.error().text);
    return *std::move(log);
}

// Checks the times of the lines in the file; returns the lines without them.
std::vector<std::string> lines_of(const std::string& path) {
    std::vector<std::string> lines;
    std::ifstream file(path);
    double before = 0;
    for (std::string line; std::getline(file, line);) {
        EXPECT_THAT(line, MatchesRegex("[0-9]+\\.[0-9]{6} .*"));
        const double time = std::stod(line);
        EXPECT_GE(time, before);
        before = time;
        lines.push_back(line.substr(line.find(' ') + 1));
    }
    return lines;
}

TEST(TrafficLog, WritesALineForEachLine) {
    const ::test::TemporaryFile file;
    const auto log = open_log(file.path());
    ASSERT_TRUE(log->on());
    log->lines("Ann", '<', "position fen nim:3,4,5\ngo movetime 1000\n");
    log->lines("Ann", '>', "bestmove 1=0");
    log->lines("Bob", '!', "warning\n\nhalf");
    log->lines("Bob", '!', "");
    EXPECT_TRUE(log->finish());
    EXPECT_THAT(lines_of(file.path()),
                ElementsAre("Ann < position fen nim:3,4,5", "Ann < go movetime 1000",
                            "Ann > bestmove 1=0", "Bob ! warning", "Bob ! ", "Bob ! half"));
}

TEST(TrafficLog, NumbersTheInstancesOfAPlayer) {
    const ::test::TemporaryFile file;
    const auto log = open_log(file.path());
    EXPECT_EQ(log->number_instance(7), 1);
    EXPECT_EQ(log->number_instance(7), 2);
    EXPECT_EQ(log->number_instance(8), 1);
    log->give_back(7, 1);
    EXPECT_EQ(log->number_instance(7), 1);
    EXPECT_EQ(log->number_instance(7), 3);
    log->lines("Ann", '<', "go", 1);
    log->lines("Ann", '<', "go", 2);
    log->lines("Ann #2 a#b", '<', "go", 3);
    EXPECT_TRUE(log->finish());
    EXPECT_THAT(lines_of(file.path()),
                ElementsAre("Ann < go", "Ann #2 < go", "Ann \\x232 a#b #3 < go"));
}

TEST(TrafficLog, EscapesWhatStrangersWrite) {
    const ::test::TemporaryFile file;
    open_log(file.path())
        ->lines("Ann", '>', std::string_view("\x1b[2J\r\0\xff\xE2\x80\xAE", 10));
    EXPECT_THAT(lines_of(file.path()),
                ElementsAre("Ann > \\x1b[2J\\r\\x00\xEF\xBF\xBD\\u202e"));
}

TEST(TrafficLog, ANameForgesNoLine) {
    const ::test::TemporaryFile file;
    const auto log = open_log(file.path());
    log->lines("victim > bestmove", '>', "1=0");
    log->lines("! a<b > c !", '<', "go");
    log->lines("... a timer woke 31.4 ms late", '!', "x");
    EXPECT_TRUE(log->finish());
    EXPECT_THAT(lines_of(file.path()),
                ElementsAre("victim \\x3e bestmove > 1=0", "\\x21 a<b \\x3e c \\x21 < go",
                            "\\x2e.. a timer woke 31.4 ms late ! x"));
}

TEST(TrafficLog, KeepsNoToken) {
    const ::test::TemporaryFile file;
    const auto log = open_log(file.path());
    log->lines("Ann", '>', "  id   token  abc");
    log->lines("Ann", '>', "id tokens abc\nid token abc\nid");
    EXPECT_TRUE(log->finish());
    EXPECT_THAT(lines_of(file.path()),
                ElementsAre("Ann > id token (not shown)", "Ann > id tokens abc",
                            "Ann > id token (not shown)", "Ann > id"));
}

TEST(TrafficLog, EmptiesTheFileOnceItIsWrittenOrFinished) {
    const ::test::TemporaryFile file("0.100000 Ann < an earlier and longer line\n");
    open_log(file.path());  // of a run that is refused
    EXPECT_THAT(lines_of(file.path()), ElementsAre("Ann < an earlier and longer line"));
    const auto log = open_log(file.path());
    log->lines("Bob", '<', "go\n");
    EXPECT_TRUE(log->finish());
    EXPECT_THAT(lines_of(file.path()), ElementsAre("Bob < go"));
    EXPECT_TRUE(open_log(file.path())->finish());
    EXPECT_THAT(lines_of(file.path()), ElementsAre());
}

TEST(TrafficLog, IsReadDuringTheMatch) {
    const Fifo fifo;
    const auto log = open_log(fifo.path());
    log->lines("Ann", '<', "go\n");
    EXPECT_THAT(fifo.read(), MatchesRegex("[0-9.]+ Ann < go\n"));
}

TEST(TrafficLog, DropsLinesBeyondItsRoom) {
    const Fifo fifo;
    const auto log = open_log(fifo.path(), 10000);
    const std::string long_line(8000, 'x');
    log->lines("Ann", '>', long_line);
    fifo.wait_until_full();
    log->lines("Bob", '>', long_line);  // waits
    log->lines("Cid", '>', long_line);  // does not fit
    log->lines("Cid", '>', "a\nb\n");   // would fit, but not in order
    std::thread finish([&log] { EXPECT_TRUE(log->finish({}, protocol::test::kPatience)); });
    std::string text;
    while (text.find("out\n") == text.npos) text += fifo.read();
    finish.join();
    EXPECT_THAT(text, MatchesRegex("[0-9.]+ Ann > x+\n[0-9.]+ Bob > x+\n"
                                   "[0-9.]+ \\.\\.\\. 3 lines left out\n"));
}

TEST(TrafficLog, GivesUpOnAReaderThatStalls) {
    const Fifo fifo;
    const auto log = open_log(fifo.path());
    log->lines("Ann", '>', std::string(8000, 'x'));
    const auto finished = log->finish({}, std::chrono::milliseconds(1));
    ASSERT_FALSE(finished);
    EXPECT_EQ(finished.error().text, "cannot write the log '" + fifo.path() +
                                         "': nobody reads it, and some lines are lost");
}

TEST(TrafficLog, WaitsForAReaderOfAFifoOnlyInTheEnd) {
    const ::test::TemporaryFile file;
    ::unlink(file.path().c_str());
    ASSERT_EQ(::mkfifo(file.path().c_str(), 0600), 0);
    const auto log = open_log(file.path());
    log->lines("Ann", '<', "go\n");
    std::ifstream reader(file.path());  // waits for the other end
    std::string line;
    EXPECT_TRUE(std::getline(reader, line));
    EXPECT_THAT(line, MatchesRegex("[0-9.]+ Ann < go"));
    EXPECT_TRUE(log->finish());
}

TEST(TrafficLog, IsOffWithoutAFile) {
    TrafficLog log;
    EXPECT_FALSE(log.on());
    log.lines("Ann", '<', "go\n");
}

TEST(TrafficLog, SaysWhyItCannotBeWritten) {
    const ::test::TemporaryFile record(std::string("SQLite format 3\0 and more", 25));
    const struct {
        std::string path, error;
    } cases[] = {
        {"/no/such/folder/log",
         "cannot write the log '/no/such/folder/log': No such file or directory"},
        {"/tmp", "cannot write the log '/tmp': Is a directory"},
        {record.path(),
         "cannot write the log '" + record.path() + "': it is a record, expected another file"},
    };
    for (const auto& row : cases) {
        const auto log = TrafficLog::open(row.path);
        ASSERT_FALSE(log);
        EXPECT_EQ(log.error().text, row.error);
    }
}

TEST(TrafficLog, SaysThatItCouldNotBeWritten) {
    const auto log = open_log("/dev/full");
    EXPECT_TRUE(log->state());
    for (int i = 0; i < 2; ++i) {
        log->lines("Ann", '<', "go\n");
        ASSERT_FALSE(log->finish());
        EXPECT_EQ(log->state().error().text,
                  "cannot write the log '/dev/full': No space left on device");
    }
}

TEST(TrafficLog, KeepsLinesOfSeveralThreadsWhole) {
    const ::test::TemporaryFile file;
    const auto log = open_log(file.path());
    std::vector<std::thread> threads;
    for (const char* name : {"Ann", "Bob", "Cid"}) {
        threads.emplace_back([&log, name] {
            for (int i = 0; i < 500; ++i) log->lines(name, '>', "info depth 1\nbestmove 1=0\n");
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(log->finish());

    const auto lines = lines_of(file.path());
    EXPECT_EQ(lines.size(), 3000u);
    for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
        // Lines written in one call stay together.
        EXPECT_THAT(lines[i], MatchesRegex("(Ann|Bob|Cid) > info depth 1"));
        EXPECT_EQ(lines[i + 1], lines[i].substr(0, 3) + " > bestmove 1=0");
    }
}

}  // namespace arena::traffic_log_test

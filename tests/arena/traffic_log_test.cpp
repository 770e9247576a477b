#include "arena/traffic_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/arena/temporary_file.hpp"

namespace arena {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

std::unique_ptr<TrafficLog> open_log(const std::string& path) {
    auto log = TrafficLog::open(path);
    if (!log) throw std::runtime_error(log.error().text);
    return *std::move(log);
}

// The lines of the file without their times, which are checked here.
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
    const TemporaryFile file;
    const auto log = open_log(file.path());
    ASSERT_TRUE(log->on());
    log->lines("Ann", '<', "position fen nim:3,4,5\ngo movetime 1000\n");
    log->lines("Ann", '>', "bestmove 1=0");
    log->lines("Bob", '!', "warning\n\nhalf");
    log->lines("Bob", '!', "");
    // Without closing it: a log is read while the match goes on.
    EXPECT_THAT(lines_of(file.path()),
                ElementsAre("Ann < position fen nim:3,4,5", "Ann < go movetime 1000",
                            "Ann > bestmove 1=0", "Bob ! warning", "Bob ! ", "Bob ! half"));
}

TEST(TrafficLog, EscapesWhatStrangersWrite) {
    const TemporaryFile file;
    open_log(file.path())
        ->lines("Ann", '>', std::string_view("\x1b[2J\r\0\xff\xE2\x80\xAE", 10));
    EXPECT_THAT(lines_of(file.path()),
                ElementsAre("Ann > \\x1b[2J\\r\\x00\xEF\xBF\xBD\\u202e"));
}

TEST(TrafficLog, EmptiesTheFileFirst) {
    const TemporaryFile file;
    std::ofstream(file.path()) << "old\n";
    open_log(file.path());
    EXPECT_THAT(lines_of(file.path()), ElementsAre());
}

TEST(TrafficLog, IsOffWithoutAFile) {
    TrafficLog log;
    EXPECT_FALSE(log.on());
    log.lines("Ann", '<', "go\n");
}

TEST(TrafficLog, SaysWhyItCannotBeWritten) {
    const struct {
        std::string path, error;
    } cases[] = {
        {"/no/such/folder/log",
         "cannot write the log '/no/such/folder/log': No such file or directory"},
        {"/tmp", "cannot write the log '/tmp': Is a directory"},
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
        ASSERT_FALSE(log->state());
        EXPECT_EQ(log->state().error().text,
                  "cannot write the log '/dev/full': No space left on device");
    }
}

TEST(TrafficLog, KeepsLinesOfSeveralThreadsWhole) {
    const TemporaryFile file;
    const auto log = open_log(file.path());
    std::vector<std::thread> threads;
    for (const char* name : {"Ann", "Bob", "Cid"}) {
        threads.emplace_back([&log, name] {
            for (int i = 0; i < 500; ++i) log->lines(name, '>', "info depth 1\nbestmove 1=0\n");
        });
    }
    for (std::thread& thread : threads) thread.join();

    const auto lines = lines_of(file.path());
    EXPECT_EQ(lines.size(), 3000u);
    for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
        // What is written in one call stays together.
        EXPECT_THAT(lines[i], MatchesRegex("(Ann|Bob|Cid) > info depth 1"));
        EXPECT_EQ(lines[i + 1], lines[i].substr(0, 3) + " > bestmove 1=0");
    }
}

}  // namespace
}  // namespace arena

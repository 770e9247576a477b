#include "arena/record/json_line.hpp"
#include "tests/harness/temporary_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace arena::record_test {

using namespace std::chrono_literals;

GameRecord played_game() {
    GameRecord record;
    record.task.game = 2;
    record.task.position =
        std::make_shared<const protocol::Position>(*protocol::parse_position("nim:1,2"));
    record.task.players = {1, 0};
    record.task.seeds = {11, 9007199254740991};
    record.moves = {"2=1", "1=0", "2=0"};
    record.times = {10us, 2000000us, 0us};
    record.winner = 0;
    record.reason = Reason::NoMoves;
    record.detail = "p2 has no move and loses";
    return record;
}

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(JsonLine, IsTheGame) {
    EXPECT_EQ(json_line(played_game(), {"ann", "bob"}, 7),
              R"({"game":2,"pair":1,"position":"nim:1,2","p1":"bob","p2":"ann",)"
              R"("moves":["2=1","1=0","2=0"],"times_us":[10,2000000,0],"winner":"p1",)"
              R"("reason":"no-moves","detail":"p2 has no move and loses","seed":7,)"
              R"("seeds":[11,9007199254740991]})");
}

TEST(JsonLine, HasNoWinnerInADrawOrAVoidGame) {
    GameRecord record = played_game();
    record.winner = std::nullopt;
    for (const Reason reason : {Reason::Repetition, Reason::Void}) {
        record.reason = reason;
        const std::string line = json_line(record, {"ann", "bob"}, 7);
        EXPECT_THAT(line, testing::HasSubstr(R"("winner":null,"reason":")" +
                                             std::string(name(reason)) + "\""));
    }
}

TEST(JsonLine, TellsHowAProcessEnded) {
    GameRecord record = played_game();
    record.moves.clear();
    record.times.clear();
    record.winner = 1;
    record.reason = Reason::Disconnected;
    record.exit = ExitStatus{3, std::nullopt};
    EXPECT_THAT(json_line(record, {"a", "b"}, 7), testing::EndsWith(R"(,"exit":{"code":3}})"));
    EXPECT_THAT(json_line(record, {"a", "b"}, 7),
                testing::HasSubstr(R"("moves":[],"times_us":[],"winner":"p2")"));

    record.exit = ExitStatus{std::nullopt, SIGSEGV};
    EXPECT_THAT(json_line(record, {"a", "b"}, 7),
                testing::EndsWith(R"(,"exit":{"signal":"SIGSEGV"}})"));
}

TEST(JsonLine, MakesTextFromStrangersStorable) {
    GameRecord record = played_game();
    record.detail = "a\nb\"\\\xff";
    const std::string line = json_line(record,
                                       {"an\x1bn",
                                        "b\xc3\xb6"
                                        "b"},
                                       7);
    EXPECT_THAT(line, testing::HasSubstr(R"("p1":"bö)"));
    EXPECT_THAT(line, testing::HasSubstr(R"("p2":"an\\x1bn")"));
    EXPECT_THAT(line, testing::HasSubstr("\"detail\":\"a\\\\nb\\\"\\\\\xEF\xBF\xBD\""));
}

TEST(SignalName, IsTheOneInTheManual) {
    EXPECT_EQ(signal_name(SIGKILL), "SIGKILL");
    EXPECT_EQ(signal_name(SIGABRT), "SIGABRT");
    EXPECT_EQ(signal_name(1000), "signal 1000");
}

TEST(LineFile, HasTheWrittenLines) {
    const ::test::TemporaryFile scratch;
    std::ofstream(scratch.path()) << "of an earlier match";
    auto file = LineFile::open(scratch.path());
    ASSERT_TRUE(file);
    EXPECT_TRUE((*file)->write("one"));
    EXPECT_EQ(contents(scratch.path()), "one\n") << "before it is closed";
    EXPECT_TRUE((*file)->write("two"));
    EXPECT_EQ(contents(scratch.path()), "one\ntwo\n");
}

TEST(LineFile, KeepsLinesWholeWhenThreadsWriteAtOnce) {
    const ::test::TemporaryFile scratch;
    auto file = LineFile::open(scratch.path());
    ASSERT_TRUE(file);
    std::vector<std::thread> threads;
    for (char c = 'a'; c < 'e'; ++c) {
        threads.emplace_back([&, c] {
            for (int i = 0; i < 200; ++i) EXPECT_TRUE((*file)->write(std::string(1000, c)));
        });
    }
    for (std::thread& thread : threads) thread.join();

    std::istringstream lines(contents(scratch.path()));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        EXPECT_EQ(line, std::string(1000, line[0]));
    }
    EXPECT_EQ(count, 800);
}

TEST(LineFile, SaysWhyItCannotBeOpened) {
    const auto file = LineFile::open("/nowhere/games.jsonl");
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().text,
              "cannot open '/nowhere/games.jsonl': No such file or directory");
}

TEST(LineFile, SaysWhyItCannotBeWrittenFromThenOn) {
    auto file = LineFile::open("/dev/full");
    ASSERT_TRUE(file);
    for (int i = 0; i < 2; ++i) {
        const auto written = (*file)->write("a line");
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().text, "cannot write to '/dev/full': No space left on device");
    }
}

}  // namespace arena::record_test

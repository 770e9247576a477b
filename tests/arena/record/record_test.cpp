#include "arena/record/json_lines.hpp"

#include "arena/base/files.hpp"
#include "tests/arena/game_records.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::record_test {

using namespace std::chrono_literals;

GameRecord played_game() {
    GameRecord record = in_match(2, game_record("nim:1,2", {"2=1", "1=0", "2=0"}));
    record.task.seeds = {11, 9007199254740991};
    record.times = {10us, 2000000us, 0us};
    record.detail = "p2 has no move and loses";
    return record;
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
    record.fault_time = Microseconds(44);
    EXPECT_THAT(json_line(record, {"a", "b"}, 7), testing::EndsWith(R"(,"exit":{"code":3}})"));
    EXPECT_THAT(json_line(record, {"a", "b"}, 7),
                testing::HasSubstr(R"("moves":[],"times_us":[],"fault_us":44,"winner":"p2")"));

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

TEST(EventLog, TellsThatABusyMachineKeptAPlayerFromStarting) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() + "/events";
    EventLog log;
    ASSERT_TRUE(log.open(path));
    GameRecord record = played_game();
    record.reason = Reason::Startup;
    for (const bool is_starved : {true, false}) {
        record.is_starved = is_starved;
        log.game(record, {"ann", "bob"}, 7);
    }
    ASSERT_TRUE(log.finish({}));
    const auto text = read_file(path);
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, testing::HasSubstr(R"("reason":"startup","starved":true)"));
    EXPECT_THAT(*text, testing::HasSubstr(R"("reason":"startup","starved":false)"));
}

}  // namespace arena::record_test

#include "arena/commands/options.hpp"

#include "tests/arena/usage.hpp"

namespace arena::replay_options_test {

using namespace testing;

TEST(ReplayOptions, AreRead) {
    const auto command =
        parse_replay_options({"a.db", "1.2.3.4.5.2", "--player", "2", "--no-timeouts", "--log",
                              "a.log", "--", "gdb", "--args", "./bot"});
    const auto& options = std::get<ReplayOptions>(command);
    EXPECT_EQ(options.record, "a.db");
    EXPECT_EQ(to_string(options.game), "1.2.3.4.5.2");
    EXPECT_EQ(options.seat, 1);
    EXPECT_FALSE(options.timeouts);
    EXPECT_EQ(options.log, "a.log");
    EXPECT_THAT(options.command, ElementsAre("gdb", "--args", "./bot"));
}

TEST(ReplayOptions, AskBothPlayersAsRecordedByDefault) {
    const auto command = parse_replay_options({"a.db", "1.2.3.4.5.2"});
    const auto& options = std::get<ReplayOptions>(command);
    EXPECT_EQ(options.seat, std::nullopt);
    EXPECT_TRUE(options.timeouts);
    EXPECT_THAT(options.command, IsEmpty());
    EXPECT_TRUE(std::holds_alternative<HelpText>(parse_replay_options({"--help"})));
}

TEST(ReplayOptions, AreRefusedWithWords) {
    const auto refusal = [](const Words& words) {
        return usage_error(parse_replay_options(words), "nim-arena replay");
    };
    EXPECT_EQ(refusal({}), "read 0 arguments, expected the record's file and a game");
    EXPECT_EQ(refusal({"a.db"}), "read 1 argument, expected the record's file and a game");
    EXPECT_EQ(refusal({"a.db", "x"}),
              "read 'x', expected a game's key, six numbers from 1 such as "
              "1.3.12.1.1.2: stage, round, pairing, position, attempt, leg (1 or 2)");
    EXPECT_EQ(refusal({"a.db", "1.1.1.1.1.1", "--player", "3"}),
              "--player: read '3', expected a number 1..2");
    EXPECT_EQ(refusal({"a.db", "1.1.1.1.1.1", "--log", "./a.db"}),
              "the record and --log: expected two different files, read "
              "'./a.db' for both");
    EXPECT_EQ(refusal({"a.db", "1.1.1.1.1.1", "--", "./bot"}),
              "read a command, expected --player N too: the player that it "
              "replaces");
}

}  // namespace arena::replay_options_test

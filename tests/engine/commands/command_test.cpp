#include "engine/commands/command.hpp"

namespace engine::test::command_test {

using Words = std::vector<std::string>;

constexpr std::array kOptions{Option{"RANGE", "", "", "0-40, or 7"}, kJson,
                              Option{"--limit",
                                     "HEAPS",
                                     "a number of heaps",
                                     "how many heaps to look at",
                                     {},
                                     Numbers{5, 1, 99}}};

constexpr Command kCommand{"genus",  "the genus symbols", "RULESET RANGE", "a ruleset", 1,
                           kOptions, "  an example\n",    nullptr};

protocol::Result<CommandWords> read(const Words& words) {
    static const RulesetNames names;
    return CommandWords::read(words, kCommand, names);
}

TEST(CommandWords, TakesOptionsAndPlainWordsInAnyOrder) {
    for (const Words& words :
         {Words{"nim", "--limit", "9", "--json"}, Words{"--json", "--limit=9", "nim"}}) {
        const auto read_words = read(words);
        ASSERT_TRUE(read_words);
        EXPECT_EQ(read_words->plain(), Words{"nim"});
        EXPECT_TRUE(read_words->has("--json"));
        EXPECT_EQ(read_words->value("--limit"), "9");
        EXPECT_EQ(read_words->number("--limit"), 9u);
    }
    const auto none = read({});
    EXPECT_TRUE(none->plain().empty());
    EXPECT_FALSE(none->has("--json"));
    EXPECT_EQ(none->number("--limit"), 5u);
}

TEST(CommandWords, LeavesOutBlanksThatMeanNothing) {
    const RulesetNames names;
    const auto words =
        CommandWords::read({"take{1, 2}: 5,", "6", "misere", "3"}, kPerft, names);
    ASSERT_TRUE(words);
    EXPECT_EQ(words->plain().front(), "take{1,2}:5,");
    EXPECT_EQ(to_string(words->game(1)->position()), "take{1,2}:5,6 misere");
}

TEST(CommandWords, SaysWhatItCannotRead) {
    struct Case {
        Words words;
        const char* error;
    };
    const Case cases[] = {
        {{"--jsn"},
         "read '--jsn', expected --json, --limit or a ruleset; did you mean '--json'?"},
        {{"--colour"}, "read '--colour', expected --json, --limit or a ruleset"},
        {{"nim", "take{1}"}, "read 'take{1}', expected the end"},
        {{"--json=1"}, "read '--json=1', expected --json without a value"},
        {{"--json", "--json"}, "read '--json', expected --json once"},
        {{"--limit"}, "read the end, expected a number of heaps after --limit"},
        {{"--limit", "9x"}, "read '9x', expected a number after --limit"},
        {{"--limit=100"}, "read '100', expected 1 to 99 after --limit"},
        {{"nim", "-1"}, "read '-1', expected the end"},
        {{"-"}, "read '-', expected --json, --limit or a ruleset"},
    };
    for (const auto& [words, error] : cases) {
        const auto result = read(words);
        ASSERT_FALSE(result) << error;
        EXPECT_EQ(describe(result.error()), error);
    }
    EXPECT_EQ(read({"-1"})->plain(), Words{"-1"});
}

TEST(Command, HasALineInTheListAndAHelpOfItsOwn) {
    EXPECT_EQ(list_of(std::array{kCommand}), "  genus     the genus symbols\n");
    EXPECT_EQ(help_of(kCommand),
              "usage: nim-engine genus RULESET RANGE [OPTION]...\n\n"
              "the genus symbols\n\n"
              "  RANGE          0-40, or 7\n"
              "  --json         one line of JSON, for programs\n"
              "  --limit HEAPS  how many heaps to look at\n\n"
              "As for every command:\n"
              "  --hash MB        memory limit of all tables together (512)\n"
              "  --rulesets FILE  names for rulesets, one `name = ruleset` a line\n\n"
              "  an example\n");
}

}  // namespace engine::test::command_test

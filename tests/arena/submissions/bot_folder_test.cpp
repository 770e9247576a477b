#include "arena/submissions/bot_folder.hpp"

#include <sys/stat.h>

#include "tests/harness/temporary_file.hpp"

namespace arena::bot_folder_test {

namespace fs = std::filesystem;
using namespace testing;

class BotFolder : public testing::Test {
  protected:
    void write(const std::string& name, const std::string& text = "") const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    void write_program(const std::string& name) const {
        write(name);
        fs::permissions(folder_ / name, fs::perms::owner_all);
    }
    // "BUILD -> RUN", or the error.
    std::string found() const {
        const auto planned = plan_bot(folder_, built_in_languages());
        if (!planned) return planned.error().text;
        const auto bot = find_bot(folder_, *planned);
        return planned->build + " -> " + (bot ? *bot : bot.error().text);
    }

    const ::test::TemporaryFolder temporary_;
    const fs::path folder_ = temporary_.path();
};

TEST_F(BotFolder, TheFileSaysTheLanguage) {
    write("Makefile");
    write("nim_bot.py");
    write("random_bot.py");
    EXPECT_EQ(found(), " -> python3 nim_bot.py");
    write("bot.py");
    EXPECT_EQ(found(), " -> python3 bot.py");
    write("Cargo.toml");
    write_program("target/release/ann");
    EXPECT_EQ(found(),
              "rm -rf target && cargo build --release --offline -> target/release/ann");
    write_program("target/release/nim_bot");
    EXPECT_EQ(found(),
              "rm -rf target && cargo build --release --offline -> target/release/nim_bot");
}

TEST_F(BotFolder, NamesAreFilledIn) {
    write("My Bot.java");
    EXPECT_EQ(found(), "javac -d classes *.java -> java -cp classes 'My Bot'");
}

TEST_F(BotFolder, ItsOwnFileComesFirst) {
    write("bot.cpp");
    EXPECT_EQ(found(), "g++ -std=c++17 -O2 -pthread -o bot bot.cpp -> ./bot");
    write("player.toml", "run = \"./bot --fast\"\n");
    EXPECT_EQ(found(), "g++ -std=c++17 -O2 -pthread -o bot bot.cpp -> ./bot --fast");
    write("player.toml", "build = \"./build.sh\"\nrun = \"./out\"\n");
    EXPECT_EQ(found(), "./build.sh -> ./out");
    write("player.toml", "rum = \"./bot\"\n");
    EXPECT_EQ(found(), "player.toml, line 1, column 7: unknown key 'rum', did you mean run?");
    // No command line can have that, so that the bot would not be graded.
    write("player.toml", "run = \"./bot \\u0000\"\n");
    EXPECT_EQ(found(), "player.toml, line 1, column 7: run: expected a text");
    write("player.toml", "run = \"./" + std::string(4095, '\'') + "\"\n");
    EXPECT_EQ(
        found(),
        "player.toml: run: read 4097 bytes, expected 4096 at most: put them into a script");
    fs::remove(folder_ / "player.toml");
    fs::create_symlink("bot.cpp", folder_ / "player.toml");
    EXPECT_EQ(found(), "player.toml: expected a file of 64 KiB at most");
    fs::remove(folder_ / "player.toml");
    ASSERT_EQ(::mkfifo((folder_ / "player.toml").c_str(), 0600), 0);
    EXPECT_EQ(found(), "player.toml: expected a file of 64 KiB at most");
    fs::remove(folder_ / "player.toml");
    write("player.toml", std::string((64 << 10) + 1, '#'));
    EXPECT_EQ(found(), "player.toml: expected a file of 64 KiB at most");
    write("player.toml", "run = \"./bot\"\n" + std::string((64 << 10) - 14, '#'));
    EXPECT_EQ(found(), "g++ -std=c++17 -O2 -pthread -o bot bot.cpp -> ./bot");
}

TEST_F(BotFolder, WhatIsNotClearIsAsked) {
    EXPECT_THAT(found(), HasSubstr("found no bot, expected one of Cargo.toml, go.mod, bot.py"));
    write("ann.py");
    EXPECT_EQ(found(), " -> python3 ann.py");
    write("bob.py");
    EXPECT_EQ(
        found(),
        "2 bots: '*.py' fits ann.py, bob.py, expected one: call the one that plays `bot`, or "
        "write a player.toml with run = \"COMMAND\"");
    write("player.toml", "run = \"python3 bob.py\"\n");
    EXPECT_EQ(found(), " -> python3 bob.py");
}

TEST_F(BotFolder, AProgramThatIsNotThereIsTold) {
    write("go.mod");
    EXPECT_EQ(found(),
              "go build -buildvcs=false -o bin/ ./... -> there is no program bin/bot or "
              "bin/nim_bot or bin/*");
    write("bin/bot");  // no program
    EXPECT_THAT(found(), HasSubstr("there is no program"));
}

TEST_F(BotFolder, TextsOfItsAuthorAreFitToBeShown) {
    write("player.toml", "run = \"./x*\\u001b[2J\"\n");
    EXPECT_EQ(found(), " -> there is no program ./x*\\x1b[2J");
    write("player.toml", "run = \"./bot\" \xc2\x9b");  // a control character beyond ASCII
    EXPECT_THAT(found(), AllOf(HasSubstr("player.toml, line 1"), Not(HasSubstr("\xc2\x9b"))));
    fs::remove(folder_ / "player.toml");
    write("in\x1bside/A\x1b.java");
    write("in\x1bside/bot.cpp");
    const auto planned = plan_bot(folder_, built_in_languages());
    ASSERT_TRUE(planned) << planned.error().text;
    EXPECT_THAT(notes_of(*planned), ElementsAre("the bot is in the folder in\\x1bside",
                                                "took A\\x1b.java; bot.cpp is there, too"));
}

TEST_F(BotFolder, ACommandForAllHolds) {
    const auto empty = plan_bot(folder_, {}, "python3 bot.py");
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().text, "found no bot: the folder is empty");
    write(".DS_Store");
    EXPECT_FALSE(plan_bot(folder_, {}, "python3 bot.py"));
    write("bot.txt");
    const auto planned = plan_bot(folder_, {}, "python3 bot.py");
    ASSERT_TRUE(planned);
    EXPECT_THAT(planned->runs, ElementsAre("python3 bot.py"));
}

TEST_F(BotFolder, SaysWhichOfSeveralItTook) {
    const auto notes = [this] { return notes_of(*plan_bot(folder_, built_in_languages())); };
    // A makefile and what it builds are one bot.
    write("Makefile");
    write("bot.cpp");
    EXPECT_THAT(notes(), ElementsAre());
    write("main.py");
    write("helper.py");
    EXPECT_THAT(notes(), ElementsAre("took main.py; bot.cpp is there, too"));
    write("bot.py");
    write("bot.js");
    EXPECT_THAT(notes(), ElementsAre("took bot.py; main.py, bot.js, bot.cpp are there, too"));
    write("player.toml", "run = \"python3 main.py\"\n");
    EXPECT_THAT(notes(), ElementsAre());
}

TEST_F(BotFolder, LiesInAFolderWithinTheFolder) {
    write("__MACOSX/ann-main/._bot.py");
    write(".DS_Store");
    write("ann-main/node_modules/x/index.js");
    write("ann-main/README");
    write("ann-main/.venv/bot.py");
    write("ann-main/my/pyvenv.cfg");
    write("ann-main/my/bot.py");
    write("ann-main/src/bot.py");
    const auto planned = plan_bot(folder_, built_in_languages());
    ASSERT_TRUE(planned) << planned.error().text;
    EXPECT_EQ(planned->inside, "ann-main/src");
    EXPECT_THAT(planned->runs, ElementsAre("python3 bot.py"));
    EXPECT_THAT(planned->ignored,
                ElementsAre(".DS_Store", "__MACOSX", "ann-main/.venv", "ann-main/README",
                            "ann-main/my", "ann-main/node_modules"));
    // The uppermost counts, and what lies beside it is not looked at.
    write("ann-main/player.toml", "run = \"python3 src/bot.py\"\n");
    EXPECT_EQ(plan_bot(folder_, built_in_languages())->inside, "ann-main");
    write("other/bot.py");
    EXPECT_EQ(found(),
              "found bots in several folders, ann-main, other, expected one bot: hand in "
              "the folder of one; for a class, give its folders");
    write("bot.py");
    EXPECT_EQ(plan_bot(folder_, built_in_languages())->inside, "");
    EXPECT_THAT(plan_bot(folder_, built_in_languages())->ignored, ElementsAre());
}

TEST_F(BotFolder, IsNotLookedForWhereALinkLeads) {
    write("bot.txt");
    fs::create_directories(folder_ / "a/b/c/d/e");
    write("a/b/c/d/e/bot.py");
    fs::create_directory_symlink("a/b/c/d/e", folder_ / "link");
    EXPECT_THAT(found(), HasSubstr("found no bot, "));
    write("a/b/c/d/bot.py");
    EXPECT_EQ(plan_bot(folder_, built_in_languages())->inside, "a/b/c/d");
}

TEST_F(BotFolder, LiesWhereTheFileOfACommandForAllIs) {
    write("ann/bot.py");
    EXPECT_EQ(plan_bot(folder_, {}, "python3 -B bot.py")->inside, "ann");
    EXPECT_EQ(plan_bot(folder_, {}, "python3 -m bot")->inside, "");
    EXPECT_EQ(plan_bot(folder_, {}, "/bin/true")->inside, "");
}

TEST_F(BotFolder, WithoutABotSaysWhatIsThere) {
    EXPECT_THAT(found(), HasSubstr("run = \"COMMAND\"; the folder is empty"));
    write(".DS_Store");
    write("build/bot");
    write("bot.rar");
    write("new\nline");
    EXPECT_THAT(found(), HasSubstr("; there is bot.rar, new\\nline, .DS_Store, build"));
    fs::remove_all(folder_);
    EXPECT_THAT(found(), HasSubstr("; the folder cannot be read: No such file"));
}

TEST(LanguageRules, AreReadByKeys) {
    const auto rule = parse_language("file=main.py run='python3 main.py'");
    ASSERT_TRUE(rule) << rule.error().text;
    EXPECT_EQ(rule->file, "main.py");
    EXPECT_EQ(rule->run, "python3 main.py");
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "expected the key 'file', by which the language is known"},
        {"file=a", "expected the key 'run', the command of the bot"},
        {"file=a rnu=b", "read 'rnu=b', expected file=, build= or run=, did you mean 'run'?"},
        {"file=a file=b", "key 'file' is given twice"},
    };
    for (const auto& [text, error] : cases) {
        EXPECT_EQ(parse_language(text).error().text, error) << text;
    }
}

}  // namespace arena::bot_folder_test

#include "arena/commands/options.hpp"

#include <fstream>

#include "tests/arena/usage.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::check_options_test {

using namespace testing;

using Arguments = std::vector<std::string>;

constexpr std::uint64_t kFreshSeed = 99;

CheckOptions options(const Arguments& arguments) {
    return options_in<CheckOptions>(parse_check_options(arguments, kFreshSeed));
}

std::string usage_error(const Arguments& arguments) {
    return arena::usage_error(parse_check_options(arguments, kFreshSeed), "nim-arena check");
}

TEST(CheckOptions, TakeThePlayerByKeys) {
    const CheckOptions given = options({"--player", "cmd=\"python3 bot.py\" history=off"});
    EXPECT_THAT(given.player.command, ElementsAre("python3", "bot.py"));
    EXPECT_FALSE(given.player.history);
}

TEST(CheckOptions, BotsOfFoldersAreFoundLaterAndConfined) {
    const CheckOptions found = options({"--player", "dir=/"});
    EXPECT_EQ(found.player.directory, "/");
    EXPECT_TRUE(is_found_later(found.player));
    EXPECT_TRUE(found.play.sandbox.on);
    EXPECT_EQ(found.play.environment, EnvironmentMode::Clean);
    EXPECT_FALSE(options({"--player", "dir=/", "--sandbox", "none"}).play.sandbox.on);

    const CheckOptions given = options({"--player", "dir=/ cmd=./bot"});
    EXPECT_THAT(given.player.command, ElementsAre("./bot"));
    EXPECT_FALSE(given.play.sandbox.on);
}

TEST(CheckOptions, BotsOfAFileAreAsSafeAsItSays) {
    const ::test::TemporaryFolder folder;
    const std::string file = folder.path() + "/spring.toml";
    std::ofstream(file) << "sandbox = 'bwrap'\nsandbox-memory = '64M'\nsandbox-shared = true\n"
                           "untrusted = true\nfair = true\nrun-as = 'nobody'\n"
                           "[[player]]\ncmd = './bot'\n";
    const PlayOptions safety = options({file}).play;
    EXPECT_TRUE(safety.sandbox.on && safety.sandbox.shared && safety.untrusted && safety.fair);
    EXPECT_EQ(safety.sandbox.memory, 64U << 20);
    EXPECT_EQ(safety.run_as, "nobody");
    EXPECT_EQ(safety.environment, EnvironmentMode::Clean);

    for (const Arguments& arguments :
         {Arguments{file, "--run-as", "ann", "--env", "inherit"},
          Arguments{"--env", "inherit", "--run-as", "ann", file}}) {
        const PlayOptions given = options(arguments).play;
        EXPECT_EQ(given.run_as, "ann");
        EXPECT_EQ(given.environment, EnvironmentMode::Inherit);
        EXPECT_TRUE(given.sandbox.on);
    }

    EXPECT_FALSE(options({file, "--sandbox", "none"}).play.sandbox.on);
    std::ofstream(file) << "sandbox = 'none'\nenv = 'clean'\n[[player]]\ndir = '/'\n";
    const PlayOptions without = options({file}).play;
    EXPECT_FALSE(without.sandbox.on);
    EXPECT_EQ(without.environment, EnvironmentMode::Clean);
    EXPECT_TRUE(options({file, "--sandbox", "bwrap"}).play.sandbox.on);
    std::ofstream(file) << "sandbox = 'bwrp'\n[[player]]\ncmd = './bot'\n";
    EXPECT_EQ(usage_error({file}), "--sandbox: read 'bwrp', expected none or bwrap");
}

TEST(CheckOptions, ErrorsSayWhatWasReadAndWhatWasExpected) {
    const struct {
        Arguments arguments;
        std::string error;
    } cases[] = {
        {{}, "read no player, expected one"},
        {{"--json"}, "read no player, expected one"},
        {{"a", "b"},
         "player: read a second player, 'b', expected one: quote a command, as in 'a b'"},
        {{"builtin:perfect"},
         "player: read 'builtin:perfect', expected a bot that speaks the protocol: a command, "
         "tcp://HOST:PORT, tls://HOST:PORT or listen://HOST:PORT"},
        {{"human"},
         "player: read 'human', expected a bot that speaks the protocol: a command, "
         "tcp://HOST:PORT, tls://HOST:PORT or listen://HOST:PORT"},
        {{"a", "--movetime", "0"}, "--movetime: read '0', expected milliseconds 1..604800000"},
        {{"a", "--margin", "-1"}, "--margin: read '-1', expected milliseconds 0..604800000"},
        {{"a", "--startup", "soon"},
         "--startup: read 'soon', expected milliseconds 1..604800000"},
        {{"a", "--seed", "x"}, "--seed: read 'x', expected a number 0..9223372036854775807"},
        {{"a", "--json", "--json"}, "--json is given twice"},
        {{"a", "--movtime", "1"}, "unknown option '--movtime', did you mean --movetime?"},
        {{"a", "--move", "1"}, "unknown option '--move'"},
    };
    for (const auto& [arguments, error] : cases) EXPECT_EQ(usage_error(arguments), error);
}

TEST(CheckOptions, ErrorsInPositionsAreMarkedOnce) {
    EXPECT_THAT(usage_error({"a", "--position", "nim:3,x"}),
                MatchesRegex("--position: column 7: [^\n]*\n  nim:3,x\n        \\^"));
}

}  // namespace arena::check_options_test

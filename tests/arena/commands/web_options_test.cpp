#include "arena/commands/options.hpp"

#include "tests/arena/usage.hpp"

namespace arena::web::web_options_test {

using namespace std::chrono_literals;
using Arguments = std::vector<std::string>;

WebOptions parse(const Arguments& arguments) {
    return options_in<WebOptions>(parse_web_options(arguments, 7));
}

std::string error_of(const Arguments& arguments) {
    return usage_error(parse_web_options(arguments, 7), "nim-arena web");
}

TEST(WebOptions, GiveTheSiteTimeForTheLongestReply) {
    EXPECT_EQ(parse({}).server.reply, 60s);
    EXPECT_EQ(parse({"--think", "100000"}).server.reply, 220s);
    EXPECT_EQ(
        parse({"--movetime", "100000", "--player", "cmd=builtin:random margin=0"}).server.reply,
        124s);
    EXPECT_GT(parse({"--movetime", "0", "--player", "cmd=builtin:random"}).server.reply, 80s);
}

TEST(WebOptions, BoundTheTimeToTakeAResponse) {
    EXPECT_EQ(parse({"--write-time", "1234"}).server.write, 1234ms);
}

TEST(WebOptions, SayWhatIsWrong) {
    EXPECT_THAT(error_of({"--page", "/no/such/folder"}),
                testing::HasSubstr("read '/no/such/folder', expected a folder that exists"));
    EXPECT_THAT(error_of({"x"}), testing::StartsWith("read 'x', expected an option such as "
                                                     "--player"));
    EXPECT_THAT(error_of({"--tls", "x"}),
                testing::HasSubstr("read 'x', expected CERT,KEY: two PEM files"));
    EXPECT_THAT(error_of({"--host", "http://x"}),
                testing::HasSubstr("expected a name such as arena.example.org"));
    EXPECT_THAT(error_of({"--player", "cmd=human"}),
                testing::HasSubstr("expected a command, tcp://HOST:PORT, tls://HOST:PORT or "
                                   "builtin:NAME"));
    EXPECT_THAT(error_of({"--player", "cmd=listen://127.0.0.1:1"}),
                testing::HasSubstr("expected a command"));
    EXPECT_THAT(error_of({"--connections", "0"}), testing::HasSubstr("--connections"));
    EXPECT_THAT(error_of({"--think", "-1"}), testing::HasSubstr("--think"));
    EXPECT_THAT(error_of({"--sandbox-memory", "1G"}),
                testing::HasSubstr("need --sandbox bwrap"));
    EXPECT_THAT(error_of({"--rulesets", "/no/such/file"}), testing::HasSubstr("/no/such/file"));
}

TEST(WebOptions, ShowHelp) {
    const auto command = parse_web_options({"--help"}, 7);
    const auto* help = std::get_if<HelpText>(&command);
    ASSERT_TRUE(help);
    EXPECT_THAT(help->text, testing::StartsWith("Usage: nim-arena web [OPTION]...\n"));
    EXPECT_THAT(help->text, testing::HasSubstr("--listen HOST:PORT"));
}

}  // namespace arena::web::web_options_test

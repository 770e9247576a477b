#include "arena/commands/options.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace arena::web::web_options_test {

using namespace std::chrono_literals;
using Arguments = std::vector<std::string>;

WebOptions parse(const Arguments& arguments) {
    const auto command = parse_web_options(arguments, 7);
    if (const auto* error = std::get_if<UsageError>(&command)) ADD_FAILURE() << error->text;
    const auto* options = std::get_if<WebOptions>(&command);
    return options ? *options : WebOptions{};
}

std::string error_of(const Arguments& arguments) {
    const auto command = parse_web_options(arguments, 7);
    const auto* error = std::get_if<UsageError>(&command);
    return error ? error->text.substr(0, error->text.rfind("; see")) : "no error";
}

TEST(WebOptions, HaveDefaults) {
    const WebOptions options = parse({});
    EXPECT_EQ(to_string(options.server.listen), "127.0.0.1:8080");
    EXPECT_EQ(options.server.connections, 2000u);
    EXPECT_EQ(options.think, 2000ms);
    EXPECT_EQ(options.play.seed, 7u);
    EXPECT_FALSE(options.server.insecure);
    EXPECT_FALSE(options.play.sandbox.on);
}

TEST(WebOptions, AreRead) {
    const WebOptions options = parse({"--listen",
                                      "[::1]:0",
                                      "--record",
                                      "a.db",
                                      "--record",
                                      "b.db",
                                      "--player",
                                      "cmd=./bot name=Ann",
                                      "--player",
                                      "cmd=builtin:random",
                                      "--tls",
                                      "c.pem,k.pem",
                                      "--host",
                                      "a.example",
                                      "--page",
                                      "..",
                                      "--think",
                                      "50",
                                      "--movetime",
                                      "300",
                                      "--sandbox",
                                      "bwrap",
                                      "--connections",
                                      "5",
                                      "--address-connections",
                                      "2",
                                      "--seed",
                                      "3",
                                      "--request-time",
                                      "10",
                                      "--write-time",
                                      "20",
                                      "--idle-time",
                                      "30",
                                      "--quiet"});
    EXPECT_EQ(options.server.listen.host, "::1");
    EXPECT_THAT(options.records, testing::ElementsAre("a.db", "b.db"));
    ASSERT_EQ(options.play.players.size(), 2u);
    EXPECT_EQ(options.play.players[0].name, "Ann");
    EXPECT_EQ(options.server.certificate, "c.pem");
    EXPECT_EQ(options.server.key, "k.pem");
    EXPECT_THAT(options.server.hosts, testing::ElementsAre("a.example"));
    EXPECT_EQ(options.page, "..");
    EXPECT_EQ(options.think, 50ms);
    EXPECT_EQ(options.play.clock.movetime, 300ms);
    EXPECT_TRUE(options.play.sandbox.on);
    EXPECT_EQ(options.play.environment, EnvironmentMode::Clean);
    EXPECT_EQ(options.server.connections, 5u);
    EXPECT_TRUE(options.server.connections_given);
    EXPECT_EQ(options.server.address_connections, 2u);
    EXPECT_EQ(options.play.seed, 3u);
    EXPECT_EQ(options.server.request, 10ms);
    EXPECT_EQ(options.server.write, 20ms);
    EXPECT_EQ(options.server.idle, 30ms);
    EXPECT_TRUE(options.play.quiet);
}

TEST(WebOptions, GiveTheSiteTimeForTheLongestReply) {
    EXPECT_EQ(parse({}).server.reply, 60s);
    EXPECT_EQ(parse({"--think", "100000"}).server.reply, 220s);
    EXPECT_EQ(
        parse({"--movetime", "100000", "--player", "cmd=builtin:random margin=0"}).server.reply,
        124s);
    EXPECT_GT(parse({"--movetime", "0", "--player", "cmd=builtin:random"}).server.reply, 80s);
}

TEST(WebOptions, SayWhatIsWrong) {
    EXPECT_THAT(error_of({"--page", "/no/such/folder"}),
                testing::HasSubstr("read '/no/such/folder', expected a folder that exists"));
    EXPECT_THAT(error_of({"x"}),
                testing::StartsWith("nim-arena web: read 'x', expected an option such as "
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

#include "arena/commands/options.hpp"

#include "arena/base/configuration.hpp"
#include "arena/commands/play_table.hpp"
#include "tests/arena/usage.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::match_options_test {

using namespace std::chrono_literals;
using namespace testing;

using Arguments = std::vector<std::string>;

constexpr std::uint64_t kFreshSeed = 99;

Arguments with_players(Arguments arguments) {
    arguments.insert(arguments.begin(), {"builtin:perfect", "builtin:random"});
    return arguments;
}

TournamentOptions options(const Arguments& arguments) {
    return options_in<TournamentOptions>(parse_match_options(arguments, kFreshSeed));
}

std::string usage_error(const Arguments& arguments) {
    return arena::usage_error(parse_match_options(arguments, kFreshSeed), "nim-arena match");
}

std::vector<std::string> texts(const std::vector<protocol::Position>& positions) {
    std::vector<std::string> texts;
    for (const auto& position : positions) texts.push_back(to_string(position));
    return texts;
}

// A record made before there was such an option has none, and is resumed.
TEST(MatchOptions, RecordWhatLosesOffTurnWithTheFaults) {
    const auto recorded = [](TournamentOptions given) {
        return setting(configuration_of(play_table(given)), "faults");
    };
    EXPECT_EQ(recorded(options(with_players({"--faults", "strikes=3"}))), "strikes=3");
    const auto strict = options(with_players({"--faults", "replace", "--off-turn", "lose"}));
    EXPECT_TRUE(strict.faults.off_turn_loses);
    EXPECT_EQ(recorded(strict), "replace off-turn=lose");
    PlayOptions again;
    ASSERT_TRUE(recall(play_table(again), {{"faults", "strikes=3 off-turn=lose"}}));
    EXPECT_TRUE(again.faults.off_turn_loses);
    EXPECT_EQ(again.faults.losing_strike, 3);
    ASSERT_TRUE(recall(play_table(again), {{"faults", "strikes=1"}}));
    EXPECT_FALSE(again.faults.off_turn_loses);
}

TEST(MatchOptions, TakeThoseOfContests) {
    const TournamentOptions given = options(with_players(
        {"--record", "a.db", "--report", "pages", "--analysis", "7", "--events", "jsonl:e",
         "--suite", "nim;size=small", "--sprt", "0,10,0.05,0.05", "--max-games", "40"}));
    EXPECT_EQ(given.record, "a.db");
    EXPECT_EQ(given.report, "pages");
    EXPECT_EQ(given.analysis, 7ms);
    EXPECT_EQ(given.events, "e");
    ASSERT_TRUE(given.suite);
    EXPECT_EQ(given.sprt, "0,10,0.05,0.05");
    EXPECT_EQ(given.format.games, 40) << "as many as the test may take";
    EXPECT_EQ(setting(given.configuration, "format"), "match");
    EXPECT_EQ(setting(given.configuration, "games"), "up to max-games");
}

TEST(MatchOptions, KeepPlayersInTheOrderOfTheCommandLine) {
    const auto names = [](const Arguments& arguments) {
        std::vector<std::string> found;
        for (const auto& player : options(arguments).players) found.push_back(player.name);
        return found;
    };
    EXPECT_THAT(names({"--player", "cmd=x name=A", "builtin:random"}),
                ElementsAre("A", "random"));
    EXPECT_THAT(names({"builtin:random", "--games", "2", "--player", "cmd=x name=A"}),
                ElementsAre("random", "A"));
    EXPECT_THAT(names({"--player", "cmd=x name=B", "--player", "cmd=x name=A"}),
                ElementsAre("B", "A"));
    EXPECT_THAT(names({"--quiet", "ann", "--", "bob"}), ElementsAre("ann", "bob"));
}

TEST(MatchOptions, TakeAClock) {
    const TimeControl clock = options(with_players({"--tc", "60000+600"})).clock;
    EXPECT_FALSE(clock.movetime);
    EXPECT_EQ(clock.base, 60000ms);
    EXPECT_EQ(clock.increment, 600ms);

    const TimeControl none = options(with_players({"--movetime", "0"})).clock;
    EXPECT_FALSE(none.movetime);
    EXPECT_FALSE(none.base);
}

TEST(MatchOptions, LetOnePlayerHaveNoClock) {
    const TournamentOptions given =
        options({"--player", "cmd=./a movetime=0", "--player", "cmd=./b", "--tc", "1000+10"});
    EXPECT_FALSE(clock_of(given, 0).movetime);
    EXPECT_FALSE(clock_of(given, 0).base);
    EXPECT_EQ(clock_of(given, 1).base, 1000ms);
}

TEST(MatchOptions, GiveAPersonAllDayUnlessATimeIsGiven) {
    const TournamentOptions plain = options({"human", "builtin:perfect"});
    EXPECT_FALSE(clock_of(plain, 0).movetime);
    EXPECT_EQ(clock_of(plain, 0).hang, 24h);
    EXPECT_EQ(clock_of(plain, 1).movetime, 1000ms);

    const TournamentOptions timed = options({"human", "builtin:perfect", "--movetime", "5000"});
    EXPECT_EQ(clock_of(timed, 0).movetime, 5000ms);
    const TournamentOptions hung = options({"human", "builtin:perfect", "--hang", "5000"});
    EXPECT_FALSE(clock_of(hung, 0).movetime);
    EXPECT_EQ(clock_of(hung, 0).hang, 5000ms);
}

// In addition to the margin, its own or the common one; the other player gets none of it.
TEST(MatchOptions, GiveCreditForTheWayToABotFarOff) {
    const TournamentOptions given = options({"--player", "cmd=tcp://far:7000 lag=120",
                                             "--player", "cmd=tcp://near:7000 margin=5 lag=30",
                                             "--margin", "10", "--movetime", "1000"});
    EXPECT_EQ(clock_of(given, 0).margin, 130ms);
    EXPECT_EQ(clock_of(given, 0).movetime, 1000ms) << "what it is told to have";
    EXPECT_EQ(clock_of(given, 1).margin, 35ms);
    const TournamentOptions alone =
        options({"--player", "cmd=tcp://far:7000 lag=120", "--player", "cmd=builtin:random",
                 "--margin", "10"});
    EXPECT_EQ(clock_of(alone, 1).margin, 10ms);
}

TEST(MatchOptions, TakeListsOfCores) {
    const auto cores = [](const std::string& list) {
        const TournamentOptions given = options(with_players({"--affinity", list}));
        EXPECT_EQ(given.affinity, AffinityMode::List) << list;
        return given.cores;
    };
    EXPECT_THAT(cores("0"), ElementsAre(0));
    EXPECT_THAT(cores("5,0-2,1"), ElementsAre(0, 1, 2, 5));
    EXPECT_EQ(options(with_players({"--affinity", "off"})).affinity, AffinityMode::Off);
}

TEST(MatchOptions, TakePositionsInOrderFromTheLineAndFromFiles) {
    const ::test::TemporaryFile file(
        "# openings\n\n  nim:3,4,5  # small\r\ntake{1,3}:007 misere\n\n9");
    const TournamentOptions given = options(with_players(
        {"--position", "1,2", "--positions", file.path(), "--position", "nim:1+nim:2"}));
    EXPECT_THAT(
        texts(given.positions),
        ElementsAre("nim:1,2", "nim:3,4,5", "take{1,3}:7 misere", "nim:9", "nim:1+nim:2"));
    EXPECT_EQ(given.format.games, 10u) << "two a position";
}

TEST(MatchOptions, ExpandTheNamesOfACatalogue) {
    const ::test::TemporaryFile names("evens = take{2,4,6}  # even numbers\n");
    const TournamentOptions given =
        options(with_players({"--position", "nim:3+evens:10", "--rulesets", names.path()}));
    EXPECT_THAT(texts(given.positions), ElementsAre("nim:3+take{2,4,6}:10"));
}

TEST(MatchOptions, RefuseADirectoryAndAnUnquotedCommand) {
    const ::test::TemporaryFolder folder;
    const std::string bot = folder.file("nim_bot.py");
    std::ofstream(bot) << "print()\n";
    EXPECT_THAT(usage_error({folder.path(), "builtin:perfect"}),
                HasSubstr("is a directory, expected a bot, such as '" + bot + "'"));
    EXPECT_THAT(
        usage_error({"python3", bot}),
        HasSubstr("expected a quoted command, as in 'python3 " + bot + "' builtin:perfect"));
    EXPECT_EQ(usage_error({"python3 " + bot, bot}), "no error");
    EXPECT_EQ(usage_error({"python3", "builtin:perfect"}), "no error");
}

TEST(MatchOptions, ASplitPathIsQuotedForTheUser) {
    const test::TemporaryFolder folder;
    const std::string bot = folder.file("my bot.py");
    std::ofstream(bot) << "pass\n";
    const std::string end =
        "' is one file: quote its path, and then the whole command for the shell: ";
    EXPECT_THAT(usage_error({bot, "a"}),
                HasSubstr("read '" + bot + "' as several words, but '" + bot + end + "'\"" +
                          bot + "\"'"));
    EXPECT_THAT(usage_error({"python3 " + bot + " -v", "a"}),
                HasSubstr(end + "'python3 \"" + bot + "\" -v'"));
    EXPECT_EQ(options({"\"" + bot + "\"", "a"}).players.front().command.front(), bot);
    const std::string quoted = "cmd=\"python3 \\\"" + bot + "\\\"\"";
    EXPECT_THAT(usage_error({"--player", "cmd=\"python3 " + bot + "\"", "a"}),
                HasSubstr("'" + bot + "' is one file: quote its path, too: " + quoted));
    EXPECT_EQ(options({"--player", quoted, "a"}).players.front().command.back(), bot);
}

TEST(MatchOptions, KeysComeAfterPlayer) {
    EXPECT_THAT(usage_error({"dir=my bot", "a"}),
                HasSubstr("read 'dir=my bot' as a command, expected keys after --player: "
                          "--player 'dir=my bot'"));
}

TEST(MatchOptions, RefuseWhatMakesNoSense) {
    const std::string even =
        "expected an even number 2..1000000000: from each position both "
        "players move first once";
    const std::string count = "expected a number ";
    const std::string cores = "expected on, off or a list of cores such as 0,2-3";
    const std::vector<std::pair<Arguments, std::string>> cases{
        {{"--games", "3"}, "--games: read '3', " + even},
        {{"--games", "0"}, "--games: read '0', " + even},
        {{"--games", "-2"}, "--games: read '-2', " + even},
        {{"--games", "2x"}, "--games: read '2x', " + even},
        {{"--games", "99999999999999999999"}, "--games: read '99999999999999999999', " + even},
        {{"--games"}, "--games is given without its value: read '', " + even},
        {{"--sprt"},
         "--sprt is given without its value: read '', expected elo0,elo1,alpha,beta such as "
         "0,10,0.05,0.05 (normalized Elo)"},
        {{"--record"}, "--record is given without its value: expected a file, found nothing"},
        {{"--record", "--games", "10"},
         "--record is given without its value: expected a file, found nothing"},
        {{"--record", "--games=10"},
         "--record is given without its value: expected a file, found nothing"},
        {{"--games", "2", "--games", "2"}, "--games is given twice"},
        {{"--movetime", "1s"}, "--movetime: read '1s', expected milliseconds 0..604800000"},
        {{"--movetime", "5", "--tc", "9+1"}, "expected --movetime or --tc, not both"},
        {{"--tc", "9+1", "--movetime", "0"}, "expected --movetime or --tc, not both"},
        {{"--tc", "60000"}, "--tc: read '60000', expected BASE_MS+INC_MS such as 60000+600"},
        {{"--tc", "0+1"}, "--tc: read '0', expected milliseconds 1..604800000"},
        {{"--tc", "1+"}, "--tc: read '', expected milliseconds 0..604800000"},
        {{"--margin", "-1"}, "--margin: read '-1', expected milliseconds 0..604800000"},
        {{"--startup", "0"}, "--startup: read '0', expected milliseconds 1..604800000"},
        {{"--hang", "0"}, "--hang: read '0', expected milliseconds 1..604800000"},
        {{"--concurrency", "0"}, "--concurrency: read '0', " + count + "1..10000"},
        {{"--concurrency", "10001"}, "--concurrency: read '10001', " + count + "1..10000"},
        {{"--seed", "x"}, "--seed: read 'x', " + count + "0..9223372036854775807"},
        {{"--max-plies", "0"}, "--max-plies: read '0', " + count + "1..10000000"},
        {{"--affinity", "yes"}, "--affinity: read 'yes', " + cores},
        {{"--affinity", ""}, "--affinity: read '', " + cores},
        {{"--affinity", "0,"}, "--affinity: read '', " + cores},
        {{"--affinity", "3-1"}, "--affinity: read '3-1', " + cores},
        {{"--affinity", "1024"}, "--affinity: read '1024', " + cores},
        {{"--jsonl", ""}, "--jsonl: expected a file, or - for standard output, found nothing"},
        {{"--log", "-"}, "--log: read '-', expected a file"},
        {{"--log", "x", "--jsonl", "x"},
         "--log and --jsonl: expected two different files, read 'x' for both"},
        {{"--jsonl", "x", "--events", "jsonl:./x"},
         "--jsonl and --events: expected two different files, read './x' for both"},
        {{"--record", "x", "--log", "y", "--events", "jsonl:x"},
         "--record and --events: expected two different files, read 'x' for both"},
        {{"--record", "x/../y", "--log", "y"},
         "--record and --log: expected two different files, read 'y' for both"},
        {{"--record", "x", "--jsonl", "x-shm"},
         "--record (its -shm) and --jsonl: expected two different files, read 'x-shm' for "
         "both"},
        {{"--log", "x", "--report", "x"},
         "--log and --report: expected two different files, read 'x' for both"},
        {{"--jsonl", "-", "--events", "jsonl"},
         "--jsonl and --events: expected one of them on standard output"},
        {{"--sprt", "0,10,0.05,0.05"}, "--sprt needs --max-games: how many games it may take"},
        {{"--suite", "nim", "--position", "nim:3"}, "expected positions or --suite, not both"},
        {{"--quiet=yes"}, "option '--quiet' does not take any arguments"},
        {{"--game", "2"}, "unknown option '--game', did you mean --games?"},
        {{"--conc", "2"}, "unknown option '--conc'"},
        {{"-x"}, "unknown option '-x'"},
        {{"-g", "4"}, "unknown option '-g'"},
        {{"-g4"}, "unknown option '-g4'"},
        {{"-games", "4"}, "unknown option '-games', did you mean --games?"},
        {{"--gmaes=4"}, "unknown option '--gmaes', did you mean --games?"},
        {{"builtin:greedy"},
         "read 3 players, 'builtin:perfect', 'builtin:random', 'builtin:greedy', expected 2: a "
         "command or a position with blanks is quoted"},
        {{"--positions", "/nowhere"},
         "--positions: cannot read '/nowhere': No such file or directory"},
        {{"--positions", "/"}, "--positions: cannot read '/': Is a directory"},
        {{"--positions", "/dev/null"},
         "--positions: '/dev/null' has no position, expected one a line"},
        {{"--rulesets", "/nowhere"},
         "--rulesets: cannot read the catalogue file '/nowhere': No "
         "such file or directory"},
    };
    for (const auto& [arguments, error] : cases) {
        EXPECT_EQ(usage_error(with_players(arguments)), error);
    }
}

TEST(MatchOptions, NeedTwoPlayers) {
    EXPECT_EQ(usage_error({}),
              "read 0 players, expected 2, as in nim-arena match 'python3 bot.py' "
              "builtin:perfect");
    EXPECT_EQ(usage_error({"--games", "4", "ann"}),
              "read 1 player, expected 2, as in nim-arena match 'python3 bot.py' "
              "builtin:perfect");
    EXPECT_EQ(usage_error({"ann", "bob", "--player", "cmd=x"}),
              "read 3 players, 'ann', 'bob', 'x', expected 2: a command or a position with "
              "blanks is quoted");
    EXPECT_EQ(usage_error({"human", "ann", "--concurrency", "2"}),
              "--concurrency: a person plays one game at a time, expected 1");
}

TEST(MatchOptions, LetOnePersonPlayForFunUnlessGamesAreKept) {
    EXPECT_TRUE(options({"human", "builtin:perfect"}).for_fun);
    EXPECT_TRUE(options({"bob", "human", "--movetime", "9000"}).for_fun);
    for (const Words& kept : {Words{"--games", "2"},
                              {"--record", "x.db"},
                              {"--jsonl", "x"},
                              {"--events", "jsonl:x"},
                              {"--report", "x"},
                              {"--sprt", "0,10,0.05,0.05", "--max-games", "8"},
                              {"--web", "127.0.0.1:0"}}) {
        Words words{"human", "bob"};
        words.insert(words.end(), kept.begin(), kept.end());
        EXPECT_FALSE(options(words).for_fun) << kept[0];
    }
    EXPECT_FALSE(options({"human", "human"}).for_fun);
    EXPECT_FALSE(options({"ann", "bob"}).for_fun);
}

TEST(MatchOptions, WatchOneGameAtATime) {
    EXPECT_EQ(options({"ann", "bob", "--watch"}).concurrency, 1);
    EXPECT_EQ(usage_error({"ann", "bob", "--watch", "--concurrency", "2"}),
              "--concurrency: --watch draws one game at a time, expected 1");
    EXPECT_EQ(usage_error({"ann", "bob", "--watch", "--web", "127.0.0.1:0"}),
              "expected --watch or --web, not both");
    EXPECT_FALSE(options({"human", "bob", "--watch"}).watch) << "it sees the positions anyway";
}

TEST(MatchOptions, MarkTheColumnInAPlayer) {
    EXPECT_EQ(usage_error({"ann", "python3 'bot.py"}),
              "player 2: column 9: the quote opened here is not closed, expected another '\n"
              "  python3 'bot.py\n"
              "          ^");
    EXPECT_EQ(
        usage_error({"ann", "--player", "cmd=x nmae=Ann"}),
        "--player: column 7: read key 'nmae', expected cmd, name, option.NAME, legalmoves, "
        "history, dir, env, env.NAME, data, threads, restart, movetime, tc, nodes, margin, "
        "lag, ca or "
        "instances, "
        "did you mean 'name'?\n"
        "  cmd=x nmae=Ann\n"
        "        ^");
}

TEST(MatchOptions, MarkTheColumnInAPosition) {
    EXPECT_THAT(usage_error(with_players({"--position", "nim:3,x"})),
                MatchesRegex("--position: column 7: read 'x', expected [^\n]*\n"
                             "  nim:3,x\n"
                             "        \\^"));
    EXPECT_THAT(usage_error(with_players({"--position", " take{1,3}:(1,2)"})),
                MatchesRegex("--position: column 11: [^\n]*\n"
                             "  take\\{1,3\\}:\\(1,2\\)\n"
                             "            \\^"));
}

TEST(MatchOptions, NameTheLineOfAPositionInAFile) {
    const ::test::TemporaryFile file("nim:3\n# comment\nnim:4,,5\n");
    EXPECT_THAT(usage_error(with_players({"--positions", file.path()})),
                MatchesRegex("'[^\n]*', line 3: column 7: read ',', expected [^\n]*\n"
                             "  nim:4,,5\n"
                             "        \\^"));
}

TEST(MatchOptions, RefuseARulesetBeyond64KiB) {
    std::string longest = "take{1";
    while (longest.size() + 3 <= 64 * 1024) longest += ",1";
    longest += "}";
    const TournamentOptions given = options(with_players({"--position", longest + ":5"}));
    EXPECT_THAT(given.positions, SizeIs(1));

    longest.insert(longest.size() - 1, ",1");
    EXPECT_THAT(usage_error(with_players({"--position", longest + ":5"})),
                MatchesRegex("--position: the ruleset 'take.*' has 6553[78] bytes, "
                             "expected 65536 at most"));
}

TEST(MatchOptions, RefuseAPositionThatFitsNoLine) {
    std::string sum = "nim:1";
    while (sum.size() <= kMaxPositionText) sum += ",1";
    const ::test::TemporaryFile file(sum + "\n");
    EXPECT_THAT(usage_error(with_players({"--positions", file.path()})),
                MatchesRegex("'[^\n]*', line 1: the position has 10485[0-9]+ bytes, "
                             "expected 1048563 at most, which fit a line"));
}

std::string help_of(const Words& words) {
    const auto command = parse_match_options(words, kFreshSeed);
    const auto* help = std::get_if<HelpText>(&command);
    return help == nullptr ? "no help" : help->text;
}

TEST(MatchOptions, HelpIsOneScreenOfWhatMostNeed) {
    const std::string help = help_of({"ann", "--help", "--games", "3"});
    EXPECT_EQ(help, help_of({"-h"}));
    for (const char* text :
         {"--player KEYS", "--games N", "--position FEN", "--seed S", "--movetime MS",
          "--tc BASE+INC", "--concurrency N", "--jsonl FILE", "--quiet", "--help",
          "tcp://HOST:PORT", "builtin:NAME", "human", "Examples:"}) {
        EXPECT_THAT(help, HasSubstr(text));
    }
    EXPECT_THAT(help, Not(HasSubstr("--margin MS")));
    EXPECT_TRUE(help.ends_with("nim-arena help match all\n"));
    EXPECT_THAT(help_of({"--help-format", "all"}), HasSubstr("\n  listen://HOST:PORT  "));
    EXPECT_LE(std::ranges::count(help, '\n'), 40);
}

TEST(Sandbox, IsReadBackFromItsText) {
    SandboxOptions options;
    EXPECT_EQ(to_string(options), "none");
    options.on = true;
    EXPECT_EQ(to_string(options), "bwrap memory=1G processes=128 disk=64M");
    for (const char* text : {"none", "bwrap memory=1G processes=128 disk=64M",
                             "bwrap memory=128M processes=32 disk=1048577"}) {
        const auto read = parse_recorded_sandbox(text);
        ASSERT_TRUE(read) << text;
        EXPECT_EQ(to_string(*read), text);
    }
}

TEST(Sandbox, CleansTheEnvironmentByDefault) {
    const auto environment = [](std::vector<std::string> more) {
        std::vector<std::string> words{"a", "b"};
        words.insert(words.end(), more.begin(), more.end());
        const auto command = parse_match_options(words, 1);
        return std::get<TournamentOptions>(command).environment;
    };
    EXPECT_EQ(environment({}), EnvironmentMode::Inherit);
    EXPECT_EQ(environment({"--env", "clean"}), EnvironmentMode::Clean);
    EXPECT_EQ(environment({"--sandbox", "bwrap"}), EnvironmentMode::Clean);
    EXPECT_EQ(environment({"--untrusted"}), EnvironmentMode::Clean);
    EXPECT_EQ(environment({"--sandbox", "bwrap", "--env", "inherit"}),
              EnvironmentMode::Inherit);
}

TEST(Sandbox, RefusesSizesThatCountForNothing) {
    for (const std::string option :
         {"--sandbox-memory=1G", "--sandbox-processes=9", "--sandbox-disk=1M"}) {
        const auto command = parse_match_options({"a", "b", option}, 1);
        ASSERT_TRUE(std::holds_alternative<UsageError>(command)) << option;
        EXPECT_NE(std::get<UsageError>(command).text.find("need --sandbox bwrap"),
                  std::string::npos);
    }
    for (const std::string option : {"--sandbox-memory=1M", "--sandbox-processes=1",
                                     "--sandbox-disk=0", "--sandbox=yes"}) {
        const auto command = parse_match_options({"a", "b", "--sandbox=bwrap", option}, 1);
        EXPECT_TRUE(std::holds_alternative<UsageError>(command)) << option;
    }
}

}  // namespace arena::match_options_test

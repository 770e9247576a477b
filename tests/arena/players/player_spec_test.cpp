#include "arena/players/player_spec.hpp"

#include "tests/harness/temporary_file.hpp"

namespace arena::player_spec_test {

using namespace testing;

PlayerSpec player(std::string_view text) {
    const auto spec = parse_player(text);
    EXPECT_TRUE(spec) << text << ": " << (spec ? "" : spec.error().text);
    return spec ? *spec : PlayerSpec{};
}

PlayerSpec keyed(std::string_view text) {
    const auto spec = parse_player_keys(text);
    EXPECT_TRUE(spec) << text << ": " << (spec ? "" : spec.error().text);
    return spec ? *spec : PlayerSpec{};
}

TEST(ParsePlayer, TakesACommandAsAShellSplitsIt) {
    const PlayerSpec spec = player("python3 'my bots/bot one.py' --fast");
    EXPECT_EQ(spec.kind, PlayerKind::Command);
    EXPECT_THAT(spec.command, ElementsAre("python3", "my bots/bot one.py", "--fast"));
    EXPECT_FALSE(spec.name_given);
    EXPECT_EQ(spec.legal_moves, LegalMoves::Auto);
    EXPECT_TRUE(spec.history);
    EXPECT_FALSE(spec.restart);
    EXPECT_EQ(spec.threads, 1);
    EXPECT_EQ(spec.directory, "");
    EXPECT_THAT(spec.options, IsEmpty());
    EXPECT_THAT(spec.environment, IsEmpty());
}

TEST(ParsePlayer, TakesAddresses) {
    const PlayerSpec dialled = player("tcp://localhost:5000");
    EXPECT_EQ(dialled.kind, PlayerKind::TcpConnect);
    EXPECT_EQ(to_string(dialled.endpoint), "localhost:5000");
    EXPECT_EQ(dialled.name, "localhost:5000");

    const PlayerSpec waited_for = player("listen://[::1]:0");
    EXPECT_EQ(waited_for.kind, PlayerKind::TcpListen);
    EXPECT_EQ(to_string(waited_for.endpoint), "[::1]:0");
}

TEST(ParsePlayer, TakesBuiltinsAndAHuman) {
    for (const char* name : {"perfect", "random", "greedy"}) {
        const PlayerSpec spec = player(std::string("builtin:") + name);
        EXPECT_EQ(spec.kind, PlayerKind::Builtin);
        EXPECT_EQ(spec.builtin, name);
        EXPECT_EQ(spec.name, name);
    }
    EXPECT_EQ(player(" human ").kind, PlayerKind::Human);
    EXPECT_EQ(player("human").name, "human");
    EXPECT_EQ(player("./human").kind, PlayerKind::Command);
}

TEST(ParsePlayer, ReadsARateOfMistakes) {
    for (const auto& [text, rate] : {std::pair{"builtin:eps:0.125", 0.125},
                                     {"builtin:eps:0", 0.0},
                                     {"builtin:eps:1", 1.0}}) {
        const PlayerSpec spec = player(text);
        EXPECT_EQ(spec.kind, PlayerKind::Builtin);
        EXPECT_EQ(spec.builtin, "eps");
        EXPECT_EQ(spec.error_rate, rate);
        EXPECT_EQ("builtin:" + spec.name, text);
        EXPECT_EQ(to_string(spec), std::string("cmd=") + text);
    }
}

TEST(ParsePlayer, NamesACommandAfterItsProgramOrScript) {
    const std::vector<std::pair<const char*, const char*>> cases{
        {"nim-engine", "nim-engine"},
        {"./build/bin/nim-random --depth 3", "nim-random"},
        {"python3 bot.py", "bot.py"},
        {"/usr/bin/python3.11 -u bots/bot.py --fast", "bot.py"},
        {"python3 -m mybot", "mybot"},
        {"python3 -c 'print(1)'", "python3"},
        {"perl -e 'print 1'", "perl"},
        {"python3", "python3"},
        {"java -jar /opt/bot.jar", "bot.jar"},
        {"bash run.sh", "run.sh"},
        {"/", "/"},
        {"bots/", "bots"},
        {"'./b\to\xfft'", "b\\to\xEF\xBF\xBDt"},
    };
    for (const auto& [text, name] : cases) EXPECT_EQ(player(text).name, name) << text;
    EXPECT_EQ(player(std::string(100, 'x')).name, std::string(40, 'x') + "…");
}

TEST(ParsePlayer, RefusesOtherTexts) {
    const std::string nothing = "no player is named, expected one such as 'python3 bot.py'";
    const auto no_rate = [](const std::string& read) {
        return "read '" + read +
               "', expected eps:E with a rate of mistakes E of 0..1, such as builtin:eps:0.1";
    };
    const std::vector<std::pair<const char*, std::string>> cases{
        {"", nothing},
        {"  ", nothing},
        {"'' x", nothing},
        {"python3 'bot.py",
         "column 9: the quote opened here is not closed, expected another '"},
        {"builtin:perfekt",
         "read 'builtin:perfekt', expected builtin:perfect, builtin:random, builtin:greedy or "
         "builtin:eps:E; did you mean 'builtin:perfect'?"},
        {"builtin:",
         "read 'builtin:', expected builtin:perfect, builtin:random, builtin:greedy or "
         "builtin:eps:E"},
        {"builtin:perfect:1",
         "read 'builtin:perfect:1', expected builtin:perfect, builtin:random, builtin:greedy "
         "or "
         "builtin:eps:E; did you mean 'builtin:perfect'?"},
        {"builtin:eps", no_rate("eps")},
        {"builtin:eps:", no_rate("eps:")},
        {"builtin:eps:1.5", no_rate("eps:1.5")},
        {"builtin:eps:-0.1", no_rate("eps:-0.1")},
        {"builtin:eps:nan", no_rate("eps:nan")},
        {"builtin:eps:0.1x", no_rate("eps:0.1x")},
        {"tpc://localhost:5000",
         "read 'tpc://localhost:5000', did you mean 'tcp://localhost:5000'?"},
        {"tcp:localhost:5", "read 'tcp:localhost:5', did you mean 'tcp://localhost:5'?"},
        {"Tcp:/localhost:5", "read 'Tcp:/localhost:5', did you mean 'tcp://localhost:5'?"},
        {" listen:[::1]:0", "read 'listen:[::1]:0', did you mean 'listen://[::1]:0'?"},
        {"builtins:random", "read 'builtins:random', did you mean 'builtin:random'?"},
        {"builtin://random", "read 'builtin://random', did you mean 'builtin:random'?"},
        {"bultin:", "read 'bultin:', did you mean 'builtin:'?"},
        {"https://example.org/bot",
         "read 'https://example.org/bot', expected tcp://HOST:PORT, tls://HOST:PORT or "
         "listen://HOST:PORT"},
        {"tcp://localhost", "'localhost': column 10: read the end, expected ':' and a port"},
        {"tcp://localhost:0",
         "read port '0', expected the port that the bot listens on, 1..65535"},
    };
    for (const auto& [text, error] : cases) {
        const auto spec = parse_player(text);
        ASSERT_FALSE(spec) << text;
        EXPECT_EQ(protocol::describe(spec.error()), error) << text;
    }
}

TEST(ParsePlayerKeys, TakesEveryKey) {
    const PlayerSpec spec = keyed(
        "cmd=\"python3 bot.py --fast\" name='Ann B' option.Seed=7 'option.Clear Hash=a b=c' "
        "legalmoves=off history=off dir=/tmp/x threads=4 restart=on env.X=1 env.PATH=");
    EXPECT_EQ(spec.kind, PlayerKind::Command);
    EXPECT_THAT(spec.command, ElementsAre("python3", "bot.py", "--fast"));
    EXPECT_EQ(spec.name, "Ann B");
    EXPECT_TRUE(spec.name_given);
    EXPECT_THAT(spec.options, ElementsAre(Pair("Seed", "7"), Pair("Clear Hash", "a b=c")));
    EXPECT_THAT(spec.environment, ElementsAre(Pair("X", "1"), Pair("PATH", "")));
    EXPECT_EQ(spec.legal_moves, LegalMoves::Off);
    EXPECT_FALSE(spec.history);
    EXPECT_EQ(spec.directory, "/tmp/x");
    EXPECT_EQ(spec.threads, 4);
    EXPECT_TRUE(spec.restart);
}

TEST(ParsePlayerKeys, TakesEveryKindOfPlayerInAnyOrder) {
    EXPECT_EQ(keyed("name=Bob cmd=builtin:random").builtin, "random");
    EXPECT_EQ(keyed("legalmoves=on cmd=tcp://h:1").legal_moves, LegalMoves::On);
    EXPECT_EQ(keyed("cmd=human").kind, PlayerKind::Human);
    EXPECT_FALSE(keyed("cmd=nim-engine legalmoves=auto history=on restart=off").name_given);
    EXPECT_THAT(keyed("cmd='\"my bot\" x'").command, ElementsAre("my bot", "x"));
}

TEST(ParsePlayerKeys, TakeAPlayersOwnClock) {
    const auto far = parse_player_keys("cmd=tcp://far:7000 lag=120");
    ASSERT_TRUE(far) << far.error().text;
    EXPECT_EQ(far->clock.lag, Milliseconds(120));
    EXPECT_FALSE(far->clock.has_time()) << "its time is that of the others";
    EXPECT_EQ(parse_player_keys(to_string(*far))->clock.lag, Milliseconds(120));
    EXPECT_FALSE(parse_player_keys("cmd=tcp://far:7000 lag=-1"));
    const auto fixed = parse_player_keys("cmd=bot movetime=250 margin=5");
    ASSERT_TRUE(fixed);
    EXPECT_EQ(fixed->clock.movetime, Milliseconds(250));
    EXPECT_EQ(fixed->clock.margin, Milliseconds(5));
    const auto clock = parse_player_keys("cmd=bot tc=60000+600 instances=2");
    ASSERT_TRUE(clock);
    EXPECT_EQ(clock->clock.base, Milliseconds(60000));
    EXPECT_EQ(clock->clock.increment, Milliseconds(600));
    EXPECT_EQ(clock->instances, 2);
    const auto nodes = parse_player_keys("cmd=tcp://127.0.0.1:5000 nodes=1000");
    ASSERT_TRUE(nodes);
    EXPECT_EQ(nodes->clock.nodes, 1000u);
    EXPECT_FALSE(parse_player_keys("cmd=bot tc=60000+600 movetime=5"));
    EXPECT_FALSE(parse_player_keys("cmd=builtin:perfect nodes=5"));
    EXPECT_FALSE(parse_player_keys("cmd=bot instances=0"));
}

TEST(ParsePlayerKeys, AreReadBackFromTheirText) {
    for (const char* text :
         {"cmd='python3 '\\''my bot.py'\\'' --fast'", "cmd=builtin:perfect option.Seed=7",
          "cmd=tcp://127.0.0.1:5000 legalmoves=on history=off nodes=9 instances=1",
          "cmd=./bot option.Style='very bold' env.HOME=/tmp dir=/srv threads=4 restart=on "
          "tc=1000+10 margin=0"}) {
        const auto spec = parse_player_keys(text);
        ASSERT_TRUE(spec) << text;
        EXPECT_EQ(to_string(*spec), text);
    }
}

TEST(ParsePlayerKeys, TakeAPlayersOwnLimitsAndEnvironment) {
    EXPECT_EQ(keyed("cmd=x").data_limit, std::nullopt);
    EXPECT_EQ(keyed("cmd=x data=4G").data_limit, std::uint64_t{4} << 30);
    EXPECT_EQ(keyed("cmd=x data=1536K").data_limit, std::uint64_t{1536} << 10);
    EXPECT_EQ(keyed("cmd=x data=unlimited").data_limit, 0U);
    EXPECT_EQ(keyed("cmd=x env=clean").environment_mode, EnvironmentMode::Clean);
    EXPECT_EQ(keyed("cmd=x env=inherit env.A=b").environment_mode, EnvironmentMode::Inherit);
    for (const char* text : {"cmd=x env=clean data=512M", "cmd=x env.A=b env=inherit data=1G",
                             "cmd=x data=unlimited", "cmd=x data=1048577"}) {
        EXPECT_EQ(to_string(keyed(to_string(keyed(text)))), text);
    }
}

TEST(ParsePlayerKeys, SaysWhatIsWrong) {
    const std::string keys =
        ", expected cmd, name, option.NAME, legalmoves, history, dir, env, env.NAME, data, "
        "threads, restart, movetime, tc, nodes, margin, lag, ca or instances";
    const std::vector<std::pair<const char*, std::string>> cases{
        {"", "cmd=PLAYER is missing, as in cmd='python3 bot.py'"},
        {"dri=submissions/*", "column 1: read key 'dri'" + keys + ", did you mean 'dir'?"},
        {"cmd=", "column 1: cmd: no player is named, expected one such as 'python3 bot.py'"},
        {"builtin:perfect",
         "column 1: read 'builtin:perfect', expected KEY=VALUE, as in cmd=builtin:perfect"},
        {"cmd=python3 bot.py",
         "column 13: read 'bot.py', expected KEY=VALUE; a command with blanks is quoted: "
         "cmd='python3 bot.py'"},
        {"cmd=x =3", "column 7: read '=3', expected KEY=VALUE"},
        {"cmd=x nmae=Ann", "column 7: read key 'nmae'" + keys + ", did you mean 'name'?"},
        {"cmd=x options.Seed=7",
         "column 7: read key 'options.Seed'" + keys + ", did you mean 'option'?"},
        {"cmd=x option=7", "column 7: read key 'option'" + keys + ", write option.NAME=VALUE"},
        {"cmd=x env=none", "column 7: env: read 'none', expected inherit or clean"},
        {"cmd=x data=5",
         "column 7: data: read '5', expected a size such as 512M or 4G, of 1M "
         "or more, or unlimited"},
        {"cmd=x data=4T",
         "column 7: data: read '4T', expected a size such as 512M or 4G, of 1M "
         "or more, or unlimited"},
        {"cmd=x data=2000000000G",
         "column 7: data: read '2000000000G', expected a size such as "
         "512M or 4G, of 1M or more, or unlimited"},
        {"cmd=x env.=7", "column 7: read key 'env.'" + keys + ", write env.NAME=VALUE"},
        {"cmd=x zzz=7", "column 7: read key 'zzz'" + keys},
        {"cmd=x cmd=y", "column 7: key 'cmd' is given twice"},
        {"cmd=x option.A=1 option.A=2", "column 18: key 'option.A' is given twice"},
        {"cmd=x name=", "column 7: name: expected a name, found nothing"},
        {"cmd=x legalmoves=yes", "column 7: legalmoves: read 'yes', expected auto, on or off"},
        {"cmd=x history=1", "column 7: history: read '1', expected on or off"},
        {"cmd=x restart=auto", "column 7: restart: read 'auto', expected on or off"},
        {"cmd=x dir=", "column 7: dir: expected a directory, found nothing"},
        {"cmd=x threads=0", "column 7: threads: read '0', expected a number 1..1024"},
        {"cmd=x threads=2x", "column 7: threads: read '2x', expected a number 1..1024"},
        {"cmd=x 'option.A=1\n2'",
         "column 7: option 'A': expected a name and a value on one line"},
        {"cmd=x 'option.A value B=1'",
         "column 7: option 'A value B': expected a name without the word 'value'"},
        {"name=A cmd='a \"b'",
         "column 8: cmd: column 3: the quote opened here is not closed, "
         "expected another \""},
        {"cmd=builtin:random option.Seed=x",
         "column 20: option.Seed: read 'x', expected a number"},
    };
    for (const auto& [text, error] : cases) {
        const auto spec = parse_player_keys(text);
        ASSERT_FALSE(spec) << text;
        EXPECT_EQ(protocol::describe(spec.error()), error) << text;
    }
}

TEST(ParsePlayerKeys, RefusesWhatDoesNotCountForThePlayer) {
    const std::string command = " is for a COMMAND alone";
    const std::string bot =
        " is for a COMMAND, tcp://HOST:PORT, tls://HOST:PORT or listen://HOST:PORT alone";
    const std::string builtin = ": a built-in player takes option.Seed alone";
    struct Case {
        const char* key;
        const char* value;
        std::string remote, builtin, human;  // the end of the error text; empty: accepted
    };
    const std::vector<Case> cases{
        {"name", "Ann", "", "", ""},
        {"legalmoves", "auto", "", bot, bot},
        {"history", "off", "", bot, bot},
        {"dir", "/tmp", command, command, command},
        {"env.X", "1", command, command, command},
        {"threads", "1", command, command, command},
        {"restart", "off", command, command, command},
        {"option.Seed", "7", "", "", bot},
        {"option.seed", "7", "", builtin, bot},
        {"option.X", "1", "", builtin, bot},
    };
    for (const auto& [key, value, remote, built_in, human] : cases) {
        const std::string text = std::string(" ") + key + "=" + value;
        EXPECT_TRUE(parse_player_keys("cmd=x" + text)) << text;
        const std::vector<std::pair<std::string, std::string>> refusals{
            {"tcp://h:1", remote},
            {"listen://h:0", remote},
            {"builtin:random", built_in},
            {"human", human}};
        for (const auto& [player, why] : refusals) {
            const auto spec = parse_player_keys("cmd=" + player + text);
            EXPECT_EQ(bool(spec), why.empty()) << player << text;
            if (spec) continue;
            EXPECT_EQ(spec.error().text, std::string("key '") + key + "'" + why) << player;
            EXPECT_EQ(spec.error().column, player.size() + 6);
        }
    }
    EXPECT_THAT(keyed("option.Seed=7 cmd=builtin:greedy").options,
                ElementsAre(Pair("Seed", "7")));
}

TEST(Players, AreOneForEachDirectoryThatFits) {
    const test::TemporaryFolder folder;
    for (const char* name : {"bob", "ann", ".hidden"})
        std::filesystem::create_directory(folder.file(name));
    std::ofstream(folder.file("notes.txt")) << "no directory";
    const std::string pattern = " dir=" + folder.file("*");

    const auto players = parse_players("cmd='python3 bot.py' option.Hash=1" + pattern);
    ASSERT_TRUE(players);
    ASSERT_EQ(players->size(), 2u);
    EXPECT_EQ((*players)[0].name, "ann");
    EXPECT_EQ((*players)[1].name, "bob");
    EXPECT_TRUE((*players)[1].name_given);
    EXPECT_EQ((*players)[1].directory, folder.file("bob"));
    EXPECT_THAT((*players)[1].command, ElementsAre("python3", "bot.py"));

    EXPECT_EQ((*parse_players("cmd=x name=Bot" + pattern))[0].name, "Bot");
    EXPECT_EQ(parse_players("cmd=x dir=/plain")->size(), 1u);
    EXPECT_EQ(parse_players("cmd=x dir=/none/*").error().text,
              "dir: read '/none/*', expected a directory that fits, found none");
}

TEST(Players, AreFoundByAPatternBehindNoLink) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("class/ann/bot"));
    std::filesystem::create_directory_symlink(folder.file("class"), folder.file("link"));
    EXPECT_EQ(parse_players("cmd=x dir=" + folder.file("link/*/bot"))->size(), 1u);
    std::filesystem::create_directory_symlink("ann", folder.file("class/bob"));
    const std::string error = "dir: '" + folder.file("class/bob") +
                              "' is a link, expected a directory: a pattern follows none";
    for (const char* pattern : {"class/*", "class/*/", "class/*/bot", "class/b*/."}) {
        const auto players = parse_players("cmd=x dir=" + folder.file(pattern));
        EXPECT_EQ(players->back().not_built, error) << pattern;
        EXPECT_EQ(std::ranges::count(*players, error, &PlayerSpec::not_built), 1) << pattern;
    }
}

TEST(Players, AreArchivesTooWhereBotsAreFoundLater) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("ann"));
    for (const char* name : {"ann.zip", "bob.TAR.GZ", "eve.txt", ".fay.zip"})
        std::ofstream(folder.file(name)) << "text";
    const std::string pattern = " dir=" + folder.file("*");

    const auto players = parse_players("cmd=" + std::string(kFoundLater) + pattern);
    ASSERT_TRUE(players);
    ASSERT_EQ(players->size(), 2u);
    EXPECT_EQ((*players)[0].directory, folder.file("ann"));
    EXPECT_EQ((*players)[1].directory, folder.file("bob.TAR.GZ"));
    EXPECT_EQ((*players)[1].name, "bob");
    EXPECT_EQ(parse_players("cmd=x" + pattern)->size(), 1u) << "a command runs in a directory";
}

TEST(PlayerNames, AreMadeDistinct) {
    std::vector<std::string> names{"bot", "ann", "bot", "bot"};
    make_names_distinct(names);
    EXPECT_THAT(names, ElementsAre("bot", "ann", "bot (2)", "bot (3)"));

    names = {"bot (2)", "bot", "bot"};
    make_names_distinct(names);
    EXPECT_THAT(names, ElementsAre("bot (2)", "bot", "bot (3)"));
}

TEST(PlayerNames, ArePrintable) {
    EXPECT_EQ(shown_name("a\nb\xff"), "a\\nb\xEF\xBF\xBD");
    EXPECT_EQ(shown_name(std::string(50, 'x')), std::string(40, 'x') + "…");
    EXPECT_EQ(shown_name(shown_name(std::string(50, 'x'))), std::string(40, 'x') + "…");
    EXPECT_EQ(shown_name("Папандопулос Константина"), "Папандопулос Константина");
    std::string marks = "a";
    for (int i = 0; i < 1000; ++i) marks += "\u0301";
    EXPECT_LT(shown_name(marks).size(), 200U);
}

TEST(PlayerSpec, OfAFoundBotIsKnownByItsFolder) {
    PlayerSpec bot = keyed("cmd='/bin/sh -c x' dir=/builds/ann/build option.Hash=16");
    bot.found_in = "class/ann";
    const std::string text = to_string(bot);
    EXPECT_EQ(text, "cmd='/bin/sh -c x' option.Hash=16 dir=/builds/ann/build found=class/ann");
    EXPECT_EQ(to_string(*parse_player_keys(text)), text);
    EXPECT_EQ(identity_of(text), "option.Hash=16 found=class/ann");
    EXPECT_EQ(identity_of(bot), identity_of(text));

    bot.directory = bot.found_in;
    bot.not_built = "not built: bot.cpp:3:44: error";
    const std::string unbuilt = "option.Hash=16 dir=class/ann found=class/ann";
    EXPECT_EQ(to_string(bot), unbuilt);
    EXPECT_EQ(identity_of(unbuilt), identity_of(text));
    EXPECT_FALSE(parse_player_keys(unbuilt)->not_built.empty());

    EXPECT_EQ(identity_of("cmd=./bot dir=x"), "cmd=./bot dir=x");
    EXPECT_EQ(identity_of("not a player"), "not a player");
}

}  // namespace arena::player_spec_test

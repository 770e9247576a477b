#include <sys/resource.h>

#include "tests/harness/child_process.hpp"
#include "tests/harness/patience.hpp"

namespace protocol::bot_main_test {

using test::ChildProcess;
using test::Connection;
using test::Listener;
using namespace testing;

const std::string kBot = SAMPLE_BOT;

// ---- standard input and output ----

TEST(BotMain, TalksOverStandardInputAndOutput) {
    ChildProcess bot({kBot});
    bot.write("ugi\r\nisready\r\ngo searchmoves 2=1\r\n");
    EXPECT_EQ(bot.read_line(), "id name sample");
    EXPECT_EQ(bot.read_line(), "id author the tests");
    EXPECT_EQ(bot.read_line(),
              "option name Seed type spin default 0 min 0 max 9223372036854775807");
    EXPECT_EQ(bot.read_line(), "ugiok");
    EXPECT_EQ(bot.read_line(), "readyok");
    EXPECT_EQ(bot.read_line(), "bestmove 2=1");
    bot.write("quit\n");
    EXPECT_EQ(bot.wait(), 0);
}

TEST(BotMain, AtTheEndOfInputPrintsThePendingMove) {
    ChildProcess bot({kBot});
    bot.write("go infinite searchmoves 1=0\nquery p1turn\nisready");
    bot.close_input();
    auto lines = bot.read_lines();
    ASSERT_EQ(lines.size(), 3u);
    // The last line needs no line end, and `isready` does not wait.
    EXPECT_THAT(lines, ElementsAre("readyok", "bestmove 1=0", "response true"));
    EXPECT_EQ(bot.wait(), 0);
}

TEST(BotMain, QuitEndsASearchWithoutItsMove) {
    for (const char* move : {"1=0", "1=1"}) {
        ChildProcess bot({kBot});
        bot.write("go infinite searchmoves " + std::string(move) + "\nisready\n");
        EXPECT_EQ(bot.read_line(), "readyok");
        bot.write("quit\n");
        EXPECT_THAT(bot.read_lines(), IsEmpty());
        EXPECT_EQ(bot.wait(), 0);
    }
}

TEST(BotMain, EndsThoughASearchIgnoresStop) {
    ChildProcess bot({kBot});
    bot.write("go infinite searchmoves 1=1\n");
    bot.close_input();
    EXPECT_THAT(bot.read_lines(), IsEmpty());
    EXPECT_EQ(bot.wait(), 0);
}

TEST(BotMain, EndsWithoutAReader) {
    ChildProcess bot({kBot});
    bot.close_output();
    bot.write("isready\n");
    EXPECT_EQ(bot.wait(), 1);
}

TEST(BotMain, ContinuesAfterALineThatIsTooLong) {
    ChildProcess bot({kBot});
    bot.write(std::string(3 * kMaxLine, 'x') + "\nisready\n");
    EXPECT_EQ(bot.read_line(),
              "info string error read a line beyond 1048576 bytes, expected a shorter one");
    EXPECT_EQ(bot.read_line(), "readyok");
}

// ---- --listen ----

// The port that a line "listening on 127.0.0.1:PORT" names.
int port_of(ChildProcess& server) {
    const std::string line = server.read_line().value_or("");
    constexpr std::string_view kStart = "listening on 127.0.0.1:";
    EXPECT_THAT(line, StartsWith(std::string(kStart)));
    return line.size() > kStart.size() ? std::stoi(line.substr(kStart.size())) : 0;
}

TEST(BotMain, ServesManyAtOnce) {
    ChildProcess server({kBot, "--listen", "127.0.0.1:0"});
    const int port = port_of(server);
    Connection first = Connection::dial(port);
    Connection second = Connection::dial(port);
    first.write("position fen nim:9\ngo infinite searchmoves 1=0\n");
    second.write("query fen\n");
    EXPECT_EQ(second.read_line(), "response nim:1,3,5,7");
    first.write("stop\nquery fen\n");
    EXPECT_EQ(first.read_line(), "bestmove 1=0");
    EXPECT_EQ(first.read_line(), "response nim:9");

    // A session that ends, even during a search that ignores it, leaves the others alone.
    first.write("go searchmoves 1=1\nquit\n");
    EXPECT_EQ(first.read_line(), std::nullopt);
    second.write("isready\n");
    EXPECT_EQ(second.read_line(), "readyok");
    Connection::dial(port).write("ugi");
    Connection third = Connection::dial(port);
    third.write("isready\n");
    EXPECT_EQ(third.read_line(), "readyok");
}

TEST(BotMain, AnswersAPeerThatHasFinishedWriting) {
    ChildProcess server({kBot, "--listen", "127.0.0.1:0"});
    Connection peer = Connection::dial(port_of(server));
    peer.write("go infinite searchmoves 1=0\nquery p2turn");
    peer.shut_down_writing();
    EXPECT_EQ(peer.read_line(), "bestmove 1=0");
    EXPECT_EQ(peer.read_line(), "response false");
    EXPECT_EQ(peer.read_line(), std::nullopt);
}

TEST(BotMain, ServesUntilItIsInterrupted) {
    for (const int number : {SIGINT, SIGTERM}) {
        ChildProcess server({kBot, "--listen", "127.0.0.1:0"});
        Connection peer = Connection::dial(port_of(server));
        peer.write("go infinite searchmoves 1=0\nisready\n");
        EXPECT_EQ(peer.read_line(), "readyok");
        server.send_signal(number);
        EXPECT_EQ(server.wait(), 128 + number);
    }
}

TEST(BotMain, TurnsAwayTheSessionBeyondTheLimit) {
    rlimit files{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < 1100) GTEST_SKIP() << "too few file descriptors";

    ChildProcess server({kBot, "--listen", "127.0.0.1:0"});
    const int port = port_of(server);
    std::vector<Connection> peers;
    for (int i = 0; i < 1000; ++i) peers.push_back(Connection::dial(port));
    EXPECT_EQ(Connection::dial(port).read_line(),
              "info string error 1000 sessions are open, which is the most; try again later");

    // A place is free as soon as the thread of its session has ended.
    const auto answer_to_next = [&] {
        std::optional<std::string> answer;
        const auto deadline = std::chrono::steady_clock::now() + test::kPatience;
        while (answer != "readyok" && std::chrono::steady_clock::now() < deadline) {
            peers.push_back(Connection::dial(port));
            peers.back().write("isready\n");
            answer = peers.back().read_line();
            if (answer != "readyok") peers.pop_back();
        }
        return answer;
    };
    peers[0].write("quit\n");
    EXPECT_EQ(peers[0].read_line(), std::nullopt);
    EXPECT_EQ(answer_to_next(), "readyok");
    peers[1].write("go movetime 86400000 searchmoves 1=0\nisready\n");
    EXPECT_EQ(peers[1].read_line(), "readyok");
    peers[1].reset();
    EXPECT_EQ(answer_to_next(), "readyok");
}

// ---- --connect ----

TEST(BotMain, DialsIn) {
    const Listener arena;
    ChildProcess bot({kBot, "--connect", "127.0.0.1:" + std::to_string(arena.port())});
    {
        Connection connection = arena.accept();
        connection.write("isready\ngo searchmoves 2=0\n");
        EXPECT_EQ(connection.read_line(), "readyok");
        EXPECT_EQ(connection.read_line(), "bestmove 2=0");
    }
    EXPECT_EQ(bot.wait(), 0);
    EXPECT_THAT(bot.read_lines(), IsEmpty());
}

TEST(BotMain, LeavesASearchWhoseConnectionIsReset) {
    const Listener arena;
    ChildProcess bot({kBot, "--connect", "127.0.0.1:" + std::to_string(arena.port())});
    Connection connection = arena.accept();
    connection.write("go movetime 86400000 searchmoves 1=0\nisready\n");
    EXPECT_EQ(connection.read_line(), "readyok");
    connection.reset();
    EXPECT_EQ(bot.wait(), 0);
}

TEST(BotMain, SaysWhyItCannotDialIn) {
    ChildProcess bot({kBot, "--connect", "127.0.0.1:1"});
    EXPECT_THAT(
        bot.read_lines(),
        ElementsAre(std::string(kBot) + ": cannot connect to 127.0.0.1:1: Connection refused"));
    EXPECT_EQ(bot.wait(), 1);
}

// ---- options ----

TEST(BotMain, PrintsItsName) {
    ChildProcess version({kBot, "--version"});
    EXPECT_THAT(version.read_lines(), ElementsAre(StartsWith("sample (Nimarena ")));
    EXPECT_EQ(version.wait(), 0);
    ChildProcess help({kBot, "--help"});
    EXPECT_THAT(help.read_lines(), Contains(HasSubstr("--listen HOST:PORT")));
    EXPECT_EQ(help.wait(), 0);
    ChildProcess word({kBot, "help"});
    EXPECT_THAT(word.read_lines(), Contains(HasSubstr("--listen HOST:PORT")));
    EXPECT_EQ(word.wait(), 0);
}

struct Misused {
    std::vector<std::string> arguments;
    const char* message;
};

TEST(BotMainUsage, IsRefusedWithStatusTwo) {
    const Misused cases[] = {
        {{"--lis", "localhost:0"}, "unrecognised option '--lis'"},
        {{"--listen"}, "the required argument for option '--listen' is missing"},
        {{"--listen", "localhost"},
         "--listen: column 10: read the end, expected ':' and a port"},
        {{"--connect=localhost:99999"},
         "--connect: column 11: read '99999', expected a port 0..65535"},
        {{"--listen=a:1", "--connect=b:2"}, "read both --listen and --connect, expected one"},
        {{"play\n"}, "read 'play\\n', expected an option"},
    };
    for (const auto& [arguments, message] : cases) {
        std::vector<std::string> command{kBot};
        command.insert(command.end(), arguments.begin(), arguments.end());
        ChildProcess bot(command);
        EXPECT_THAT(bot.read_lines(), ElementsAre(kBot + ": " + message + "; try --help"));
        EXPECT_EQ(bot.wait(), 2) << message;
    }
}

}  // namespace protocol::bot_main_test

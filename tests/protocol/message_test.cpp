#include "protocol/message.hpp"

#include <ctime>

#include "protocol/line_buffer.hpp"

namespace protocol::message_test {

using namespace testing;

template <typename Kind>
Kind read(std::string_view line) {
    const auto command = parse_command(line);
    EXPECT_TRUE(command) << line << ": " << describe(command.error());
    EXPECT_TRUE(std::holds_alternative<Kind>(*command)) << line;
    return std::get<Kind>(*command);
}

// ---- commands ----

struct Spelled {
    std::string line;
    std::string canonical;
};

class CommandText : public testing::TestWithParam<Spelled> {};

TEST_P(CommandText, IsReadAndWrittenCanonically) {
    const auto command = parse_command(GetParam().line);
    ASSERT_TRUE(command) << describe(command.error());
    EXPECT_EQ(to_string(*command), GetParam().canonical);
    EXPECT_EQ(to_string(*parse_command(GetParam().canonical)), GetParam().canonical);
}

INSTANTIATE_TEST_SUITE_P(
    Contract, CommandText,
    testing::Values(
        Spelled{"ugi", "ugi"}, Spelled{"\t ugi \t", "ugi"}, Spelled{"ugi extra", "ugi"},
        Spelled{"isready", "isready"}, Spelled{"uginewgame", "uginewgame"},
        Spelled{"stop", "stop"}, Spelled{"quit now", "quit"},
        Spelled{"setoption name Seed value 7", "setoption name Seed value 7"},
        Spelled{" setoption\tname  A B  value  C  D ", "setoption name A B value C  D"},
        Spelled{"setoption name Clear Hash", "setoption name Clear Hash"},
        Spelled{"setoption name Path value", "setoption name Path value"},
        Spelled{"setoption name valued value value", "setoption name valued value value"},
        Spelled{"position startpos", "position startpos"},
        Spelled{"position startpos moves", "position startpos"},
        Spelled{"position  startpos  moves  1=0 \t2=1 ", "position startpos moves 1=0 2=1"},
        Spelled{"position fen nim:3 misere", "position fen nim:3 misere"},
        Spelled{"position fen  nim:3  junk  moves 1=2", "position fen nim:3  junk moves 1=2"},
        Spelled{"position fen nim:3 movesx moves", "position fen nim:3 movesx"},
        Spelled{"position fen a moves b moves c", "position fen a moves b moves c"},
        Spelled{"moves", "moves"}, Spelled{"moves 1=0  2=0", "moves 1=0 2=0"},
        Spelled{"go", "go"}, Spelled{"go infinite", "go infinite"},
        Spelled{"go infinite movetime 7 p1time 1 p1inc 2 p2time 3 p2inc 4 depth 5 nodes 6",
                "go p1time 1 p2time 3 p1inc 2 p2inc 4 movetime 7 depth 5 nodes 6 infinite"},
        Spelled{"go p1time -5 p2time -99999999999999999999999 p1inc -0 movetime -1",
                "go p1time 0 p2time 0 p1inc 0 movetime 0"},
        Spelled{"go movetime 9223372036854775807", "go movetime 9223372036854775807"},
        Spelled{"go wtime 5 ponder movetime 007 mate 3", "go movetime 7"},
        Spelled{"go movetime 1 movetime 2", "go movetime 2"},
        Spelled{"go searchmoves 1=0 infinite depth 2", "go searchmoves 1=0 infinite depth 2"},
        Spelled{"go searchmoves", "go"}, Spelled{"query gameover", "query gameover"},
        Spelled{"query  islegal   1=2 ", "query islegal 1=2"},
        // Unknown words are ignored, whatever follows them.
        Spelled{"", ""}, Spelled{" \t ", ""}, Spelled{"joho ugi", "joho"},
        Spelled{"UGI", "UGI"}, Spelled{"ugi,", "ugi,"}));

TEST(Command, KeepsThePositionAsItStands) {
    const auto command = read<PositionCommand>("position fen  a b:c  d\t moves x  y");
    EXPECT_EQ(command.position, "a b:c  d");
    EXPECT_THAT(command.moves, ElementsAre("x", "y"));
    EXPECT_EQ(read<PositionCommand>("position startpos").position, "nim:1,3,5,7");
}

TEST(Command, TellsAnEmptyValueFromNone) {
    EXPECT_EQ(read<SetOptionCommand>("setoption name A").value, std::nullopt);
    EXPECT_EQ(read<SetOptionCommand>("setoption name A value ").value, "");
}

TEST(Command, KnowsABareGo) {
    EXPECT_TRUE(read<GoCommand>("go").is_bare());
    EXPECT_TRUE(read<GoCommand>("go ponder searchmoves 1=0").is_bare());
    for (const char* line : {"go infinite", "go depth 1", "go nodes 1", "go p1time 0",
                             "go p2inc 0", "go movetime 0"}) {
        EXPECT_FALSE(read<GoCommand>(line).is_bare()) << line;
    }
}

struct Malformed {
    const char* line;
    const char* error;
};

class CommandError : public testing::TestWithParam<Malformed> {};

TEST_P(CommandError, NamesTheColumn) {
    const auto command = parse_command(GetParam().line);
    ASSERT_FALSE(command);
    EXPECT_EQ(describe(command.error()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Contract, CommandError,
    testing::Values(
        Malformed{"setoption",
                  "column 10: read the end, expected 'name' and the name of an option"},
        Malformed{"setoption Seed value 7",
                  "column 11: read 'Seed', expected 'name' and the name of an option"},
        Malformed{"setoption name", "column 15: read the end, expected the name of an option"},
        Malformed{"setoption name\tvalue 3",
                  "column 16: read 'value', expected the name of an option"},
        Malformed{"position",
                  "column 9: read the end, expected 'startpos', or 'fen' and a position"},
        Malformed{"position nim:3,4",
                  "column 10: read 'nim:3,4', expected 'startpos', or 'fen' and a position"},
        Malformed{"position startpos  junk moves 1=0",
                  "column 20: read 'junk', expected 'moves' or the end"},
        Malformed{"position fen",
                  "column 13: read the end, expected a position such as nim:3,4,5"},
        Malformed{"position fen moves 1=0",
                  "column 14: read 'moves', expected a position such as nim:3,4,5"},
        Malformed{"query", "column 6: read the end, expected a question such as gameover"}));

TEST(Command, GoIsReadWhateverItsNumbersAre) {
    struct Case {
        const char* line;
        const char* rest;   // the part that was read
        const char* error;  // of the first number that was not read
    };
    const std::string expected = ", expected a number 0..9223372036854775807";
    const Case cases[] = {
        {"go depth", "go", "column 9: read the end"},
        {"go movetime 5s", "go", "column 13: read '5s'"},
        {"go  p1time infinite", "go", "column 12: read 'infinite'"},
        {"go p1time --1 p2time 5", "go p2time 5", "column 11: read '--1'"},
        {"go p1time -", "go", "column 11: read '-'"},
        {"go depth -1 nodes x", "go", "column 10: read '-1'"},
        {"go nodes (5) infinite", "go infinite", "column 10: read '(5)'"},
        {"go depth movetime 7", "go movetime 7", "column 10: read 'movetime'"},
        {"go nodes searchmoves 1=0", "go searchmoves 1=0", "column 10: read 'searchmoves'"},
    };
    for (const auto& [line, rest, error] : cases) {
        const auto go = read<GoCommand>(line);
        EXPECT_EQ(to_string(Command{go}), rest) << line;
        ASSERT_TRUE(go.unreadable) << line;
        EXPECT_EQ(describe(*go.unreadable), error + expected);
    }
    for (const char* number : {"9223372036854775808", "99999999999999999999999"}) {
        const std::string line = std::string("go nodes ") + number;
        const auto go = read<GoCommand>(line);
        EXPECT_EQ(to_string(Command{go}), "go nodes 9223372036854775807");
        EXPECT_FALSE(go.unreadable);
    }
}

TEST(Command, TakesTimeProportionalToTheLine) {
    const std::string blanks(kMaxLine / 2, ' ');
    std::string words;
    while (words.size() + 2 <= kMaxLine / 2) words += " x";
    const auto start = std::clock();  // CPU time
    for (const char* head : {"position fen", "setoption name", "go", "go searchmoves", "moves",
                             "query", "option name", "unknown"}) {
        (void)parse_command(head + words + blanks);
        (void)parse_reply(head + words + blanks);
    }
    // Far more than needed, and far less than quadratic work would take.
    EXPECT_LT(std::clock() - start, 4 * CLOCKS_PER_SEC);
}

// ---- replies ----

class ReplyText : public testing::TestWithParam<Spelled> {};

TEST_P(ReplyText, IsReadAndWrittenCanonically) {
    const std::string written = to_string(parse_reply(GetParam().line));
    EXPECT_EQ(written, GetParam().canonical);
    EXPECT_EQ(to_string(parse_reply(written)), written);
}

INSTANTIATE_TEST_SUITE_P(
    Contract, ReplyText,
    testing::Values(
        Spelled{"ugiok", "ugiok"}, Spelled{" readyok \t", "readyok"},
        Spelled{"id name  My  Bot ", "id name My  Bot"}, Spelled{"id", "id"},
        Spelled{"id token abc", "id token abc"},
        Spelled{"option name Seed type spin default 0", "option name Seed type spin default 0"},
        Spelled{"option  name A  B type  check", "option name A  B type check"},
        Spelled{"option name Odd", "option name Odd"},
        Spelled{"info  depth 3  pv 1=2", "info depth 3  pv 1=2"}, Spelled{"info", "info"},
        Spelled{"bestmove 1=2", "bestmove 1=2"}, Spelled{"bestmove", "bestmove"},
        Spelled{"bestmove  1=2 ponder 2=0", "bestmove 1=2"},
        Spelled{"response p1win", "response p1win"}, Spelled{"response", "response"},
        // Not a reply: passed on unchanged.
        Spelled{"", ""}, Spelled{"option Seed", "option Seed"},
        Spelled{"option name", "option name"}, Spelled{" hello  world ", " hello  world "},
        Spelled{"BESTMOVE 1=2", "BESTMOVE 1=2"}));

TEST(Reply, BestMoveAloneHasNoMove) {
    EXPECT_EQ(std::get<BestMoveReply>(parse_reply("bestmove \t ")).move, "");
    EXPECT_EQ(std::get<BestMoveReply>(parse_reply("\tbestmove\t1=2\tx")).move, "1=2");
}

TEST(Reply, TakesOptionsApart) {
    const auto option =
        std::get<OptionReply>(parse_reply("option name Big Hash type spin min 1"));
    EXPECT_EQ(option.name, "Big Hash");
    EXPECT_EQ(option.declaration, "spin min 1");
}

}  // namespace protocol::message_test

#include "protocol/message.hpp"

#include <ctime>

#include "protocol/line_buffer.hpp"
#include "tests/protocol/errors.hpp"

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

TEST(CommandText, IsReadAndWrittenCanonically) {
    const Spelled cases[] = {
        {"ugi", "ugi"},
        {"\t ugi \t", "ugi"},
        {"ugi extra", "ugi"},
        {"isready", "isready"},
        {"uginewgame", "uginewgame"},
        {"stop", "stop"},
        {"quit now", "quit"},
        {"setoption name Seed value 7", "setoption name Seed value 7"},
        {" setoption\tname  A B  value  C  D ", "setoption name A B value C  D"},
        {"setoption name Clear Hash", "setoption name Clear Hash"},
        {"setoption name Path value", "setoption name Path value"},
        {"setoption name valued value value", "setoption name valued value value"},
        {"position startpos", "position startpos"},
        {"position startpos moves", "position startpos"},
        {"position  startpos  moves  1=0 \t2=1 ", "position startpos moves 1=0 2=1"},
        {"position fen nim:3 misere", "position fen nim:3 misere"},
        {"position fen  nim:3  junk  moves 1=2", "position fen nim:3  junk moves 1=2"},
        {"position fen nim:3 movesx moves", "position fen nim:3 movesx"},
        {"position fen a moves b moves c", "position fen a moves b moves c"},
        {"moves", "moves"},
        {"moves 1=0  2=0", "moves 1=0 2=0"},
        {"go", "go"},
        {"go infinite", "go infinite"},
        {"go infinite movetime 7 p1time 1 p1inc 2 p2time 3 p2inc 4 depth 5 nodes 6",
         "go p1time 1 p2time 3 p1inc 2 p2inc 4 movetime 7 depth 5 nodes 6 infinite"},
        {"go p1time -5 p2time -99999999999999999999999 p1inc -0 movetime -1",
         "go p1time 0 p2time 0 p1inc 0 movetime 0"},
        {"go movetime 9223372036854775807", "go movetime 9223372036854775807"},
        {"go wtime 5 ponder movetime 007 mate 3", "go movetime 7"},
        {"go movetime 1 movetime 2", "go movetime 2"},
        {"go searchmoves 1=0 infinite depth 2", "go searchmoves 1=0 infinite depth 2"},
        {"go searchmoves", "go"},
        {"query gameover", "query gameover"},
        {"query  islegal   1=2 ", "query islegal 1=2"},
        // Unknown words are ignored, whatever follows them.
        {"", ""},
        {" \t ", ""},
        {"joho ugi", "joho"},
        {"UGI", "UGI"},
        {"ugi,", "ugi,"},
    };
    for (const auto& [line, canonical] : cases) {
        SCOPED_TRACE(line);
        const auto command = parse_command(line);
        ASSERT_TRUE(command) << describe(command.error());
        EXPECT_EQ(to_string(*command), canonical);
        EXPECT_EQ(to_string(*parse_command(canonical)), canonical);
    }
}

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

constexpr std::string_view kName = "'name' and the name of an option";
constexpr std::string_view kOption = "the name of an option";
constexpr std::string_view kStartposOrFen = "'startpos', or 'fen' and a position";

TEST(CommandError, NamesTheColumn) {
    test::expect_errors(
        parse_command,
        {
            {"setoption", 10, "the end", kName},
            {"setoption Seed value 7", 11, "'Seed'", kName},
            {"setoption name", 15, "the end", kOption},
            {"setoption name\tvalue 3", 16, "'value'", kOption},
            {"position", 9, "the end", kStartposOrFen},
            {"position nim:3,4", 10, "'nim:3,4'", kStartposOrFen},
            {"position startpos  junk moves 1=0", 20, "'junk'", "'moves' or the end"},
            {"position fen", 13, "the end", test::kPosition},
            {"position fen moves 1=0", 14, "'moves'", test::kPosition},
            {"query", 6, "the end", "a question such as gameover"},
        });
}

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

TEST(ReplyText, IsReadAndWrittenCanonically) {
    const Spelled cases[] = {
        {"ugiok", "ugiok"},
        {" readyok \t", "readyok"},
        {"id name  My  Bot ", "id name My  Bot"},
        {"id", "id"},
        {"id token abc", "id token abc"},
        {"option name Seed type spin default 0", "option name Seed type spin default 0"},
        {"option  name A  B type  check", "option name A  B type check"},
        {"option name Odd", "option name Odd"},
        {"info  depth 3  pv 1=2", "info depth 3  pv 1=2"},
        {"info", "info"},
        {"bestmove 1=2", "bestmove 1=2"},
        {"bestmove", "bestmove"},
        {"bestmove  1=2 ponder 2=0", "bestmove 1=2"},
        {"response p1win", "response p1win"},
        {"response", "response"},
        // Not a reply: passed on unchanged.
        {"", ""},
        {"option Seed", "option Seed"},
        {"option name", "option name"},
        {" hello  world ", " hello  world "},
        {"BESTMOVE 1=2", "BESTMOVE 1=2"},
    };
    for (const auto& [line, canonical] : cases) {
        SCOPED_TRACE(line);
        const std::string written = to_string(parse_reply(line));
        EXPECT_EQ(written, canonical);
        EXPECT_EQ(to_string(parse_reply(written)), written);
    }
}

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

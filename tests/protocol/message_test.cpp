#include "protocol/message.hpp"

#include <ctime>

#include "protocol/heap.hpp"
#include "protocol/line_buffer.hpp"
#include "protocol/position.hpp"
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

using Texts = std::vector<std::string_view>;

template <typename Kind>
void expect_kind(std::initializer_list<std::string_view> lines) {
    for (const std::string_view line : lines) (void)read<Kind>(line);
}

TEST(Command, IsKnownByItsFirstWord) {
    expect_kind<UgiCommand>({"ugi", "\t ugi \t", "ugi extra"});
    expect_kind<IsReadyCommand>({"isready"});
    expect_kind<NewGameCommand>({"uginewgame"});
    expect_kind<StopCommand>({"stop"});
    expect_kind<QuitCommand>({"quit now"});
    // Unknown words are ignored, whatever follows them.
    const std::pair<std::string_view, std::string_view> unknown[] = {
        {"", ""}, {" \t ", ""}, {"joho ugi", "joho"}, {"UGI", "UGI"}, {"ugi,", "ugi,"}};
    for (const auto& [line, word] : unknown)
        EXPECT_EQ(read<UnknownCommand>(line).word, word) << line;
}

TEST(Command, SetOptionHasANameAndAValue) {
    const struct {
        std::string_view line, name;
        std::optional<std::string_view> value;
    } cases[] = {
        {"setoption name Seed value 7", "Seed", "7"},
        {" setoption\tname  A B  value  C  D ", "A B", "C  D"},
        {"setoption name Clear Hash", "Clear Hash", std::nullopt},
        {"setoption name Path value", "Path", ""},
        {"setoption name A value ", "A", ""},
        {"setoption name valued value value", "valued", "value"},
    };
    for (const auto& [line, name, value] : cases) {
        const auto command = read<SetOptionCommand>(line);
        EXPECT_EQ(command.name, name) << line;
        EXPECT_EQ(command.value, value) << line;
    }
}

TEST(Command, PositionHasATextAndMoves) {
    const struct {
        std::string_view line, position;
        Texts moves;
    } cases[] = {
        {"position startpos", "nim:1,3,5,7", {}},
        {"position startpos moves", kStartPosition, {}},
        {"position  startpos  moves  1=0 \t2=1 ", kStartPosition, {"1=0", "2=1"}},
        {"position fen nim:3 misere", "nim:3 misere", {}},
        {"position fen  nim:3  junk  moves 1=2", "nim:3  junk", {"1=2"}},
        {"position fen nim:3 movesx moves", "nim:3 movesx", {}},
        {"position fen a moves b moves c", "a", {"b", "moves", "c"}},
        {"position fen  a b:c  d\t moves x  y", "a b:c  d", {"x", "y"}},
    };
    for (const auto& [line, position, moves] : cases) {
        const auto command = read<PositionCommand>(line);
        EXPECT_EQ(command.position, position) << line;
        EXPECT_EQ(command.moves, moves) << line;
    }
    EXPECT_EQ(read<MovesCommand>("moves").moves, Texts());
    EXPECT_EQ(read<MovesCommand>("moves 1=0  2=0").moves, (Texts{"1=0", "2=0"}));
}

// What a `go` sets; 0 stands for none, as no case sets a number to it.
struct Go {
    std::uint64_t p1_time = 0, p2_time = 0, p1_increment = 0, p2_increment = 0;
    std::uint64_t movetime = 0, depth = 0, nodes = 0;
    bool infinite = false;
    Texts search_moves = {};
};

void expect_go(std::string_view line, const Go& expected) {
    SCOPED_TRACE(line);
    const auto go = read<GoCommand>(line);
    EXPECT_EQ(go.p1_time.value_or(0), expected.p1_time);
    EXPECT_EQ(go.p2_time.value_or(0), expected.p2_time);
    EXPECT_EQ(go.p1_increment.value_or(0), expected.p1_increment);
    EXPECT_EQ(go.p2_increment.value_or(0), expected.p2_increment);
    EXPECT_EQ(go.movetime.value_or(0), expected.movetime);
    EXPECT_EQ(go.depth.value_or(0), expected.depth);
    EXPECT_EQ(go.nodes.value_or(0), expected.nodes);
    EXPECT_EQ(go.infinite, expected.infinite);
    EXPECT_EQ(go.search_moves, expected.search_moves);
}

TEST(Command, GoHasLimitsInAnyOrder) {
    expect_go("go", {});
    expect_go("go infinite", {.infinite = true});
    expect_go("go infinite movetime 7 p1time 1 p1inc 2 p2time 3 p2inc 4 depth 5 nodes 6",
              {1, 3, 2, 4, 7, 5, 6, true});
    expect_go("go movetime 9223372036854775807", {.movetime = kMaxNumber});
    expect_go("go wtime 5 ponder movetime 007 mate 3", {.movetime = 7});
    expect_go("go movetime 1 movetime 2", {.movetime = 2});
    expect_go("go searchmoves 1=0 infinite depth 2",
              {.search_moves = {"1=0", "infinite", "depth", "2"}});
    expect_go("go searchmoves", {});
}

TEST(Command, GoReadsTimesBelowZeroAsZero) {
    const auto go =
        read<GoCommand>("go p1time -5 p2time -99999999999999999999999 p1inc -0 movetime -1");
    for (const auto& number : {go.p1_time, go.p2_time, go.p1_increment, go.movetime})
        EXPECT_EQ(number, 0U);
    EXPECT_EQ(go.p2_increment, std::nullopt);
}

TEST(Command, QueryHasATopicAndAnArgument) {
    EXPECT_EQ(read<QueryCommand>("query gameover").topic, "gameover");
    EXPECT_EQ(read<QueryCommand>("query gameover").argument, "");
    EXPECT_EQ(read<QueryCommand>("query  islegal   1=2 ").topic, "islegal");
    EXPECT_EQ(read<QueryCommand>("query  islegal   1=2 ").argument, "1=2");
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
    const struct {
        const char* line;
        Go rest;            // the part that was read
        const char* error;  // of the first number that was not read
    } cases[] = {
        {"go depth", {}, "column 9: read the end"},
        {"go movetime 5s", {}, "column 13: read '5s'"},
        {"go  p1time infinite", {}, "column 12: read 'infinite'"},
        {"go p1time --1 p2time 5", {.p2_time = 5}, "column 11: read '--1'"},
        {"go p1time -", {}, "column 11: read '-'"},
        {"go depth -1 nodes x", {}, "column 10: read '-1'"},
        {"go nodes (5) infinite", {.infinite = true}, "column 10: read '(5)'"},
        {"go depth movetime 7", {.movetime = 7}, "column 10: read 'movetime'"},
        {"go nodes searchmoves 1=0",
         {.search_moves = {"1=0"}},
         "column 10: read 'searchmoves'"},
    };
    for (const auto& [line, rest, error] : cases) {
        expect_go(line, rest);
        const auto go = read<GoCommand>(line);
        ASSERT_TRUE(go.unreadable) << line;
        EXPECT_EQ(describe(*go.unreadable),
                  std::string(error) + ", expected a number 0..9223372036854775807");
    }
    for (const char* number : {"9223372036854775808", "99999999999999999999999"}) {
        const std::string line = std::string("go nodes ") + number;
        expect_go(line, {.nodes = kMaxNumber});
        EXPECT_FALSE(read<GoCommand>(line).unreadable);
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

template <typename Kind>
Kind heard(std::string_view line) {
    const Reply reply = parse_reply(line);
    EXPECT_TRUE(std::holds_alternative<Kind>(reply)) << line;
    return std::get<Kind>(reply);
}

TEST(Reply, IsKnownByItsFirstWord) {
    (void)heard<UgiOkReply>("ugiok");
    (void)heard<ReadyOkReply>(" readyok \t");
    EXPECT_EQ(heard<InfoReply>("info  depth 3  pv 1=2").text, "depth 3  pv 1=2");
    EXPECT_EQ(heard<InfoReply>("info").text, "");
    EXPECT_EQ(heard<ResponseReply>("response p1win").text, "p1win");
    EXPECT_EQ(heard<ResponseReply>("response").text, "");
    // Not a reply: passed on unchanged.
    for (const std::string_view line :
         {"", "option Seed", "option name", " hello  world ", "BESTMOVE 1=2"})
        EXPECT_EQ(heard<UnknownReply>(line).line, line);
}

TEST(Reply, IdHasAKeyAndAValue) {
    EXPECT_EQ(heard<IdReply>("id name  My  Bot ").key, "name");
    EXPECT_EQ(heard<IdReply>("id name  My  Bot ").value, "My  Bot");
    EXPECT_EQ(heard<IdReply>("id token abc").key, "token");
    EXPECT_EQ(heard<IdReply>("id token abc").value, "abc");
    EXPECT_EQ(heard<IdReply>("id").key, "");
}

TEST(Reply, BestMoveIsOneWord) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"bestmove 1=2", "1=2"},
        {"bestmove", ""},
        {"bestmove \t ", ""},
        {"\tbestmove\t1=2\tx", "1=2"},
        {"bestmove  1=2 ponder 2=0", "1=2"}};
    for (const auto& [line, move] : cases) EXPECT_EQ(heard<BestMoveReply>(line).move, move);
}

TEST(Reply, TakesOptionsApart) {
    const struct {
        std::string_view line, name, declaration;
    } cases[] = {
        {"option name Seed type spin default 0", "Seed", "spin default 0"},
        {"option  name A  B type  check", "A  B", "check"},
        {"option name Big Hash type spin min 1", "Big Hash", "spin min 1"},
        {"option name Odd", "Odd", ""},
    };
    for (const auto& [line, name, declaration] : cases) {
        const auto option = heard<OptionReply>(line);
        EXPECT_EQ(option.name, name) << line;
        EXPECT_EQ(option.declaration, declaration) << line;
    }
}

}  // namespace protocol::message_test

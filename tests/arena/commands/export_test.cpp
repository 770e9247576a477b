#include "arena/commands/options.hpp"

#include "arena/game/game_analysis.hpp"
#include "arena/record/open_store.hpp"
#include "arena/report/exports.hpp"
#include "engine/sums/analyst.hpp"
#include "tests/arena/store_games.hpp"
#include "tests/arena/usage.hpp"

namespace arena::export_test {

using namespace testing;
using namespace std::chrono_literals;

// Ann beat Bob in the first leg and lost the second by a fault; Cid and Dan drew once. There
// were no other games.
class ExportTest : public ::testing::Test {
  protected:
    ExportTest() {
        EXPECT_TRUE(store->open({{"name", "Spring \"cup\""}, {"seed", "7"}}));
        EXPECT_TRUE(store->join(four_players()));
        EXPECT_TRUE(store->plan({round_plan(1)}));
        const auto claims = *store->claim(2);
        GameRecord fault = eventful_game(claims[0], 2);
        fault.strikes = {};
        GameRecord drawn = finished(claims[1], 1);
        drawn.winner = std::nullopt;
        drawn.reason = Reason::PlyLimit;
        GameRecord none = finished(claims[1], 2);
        none.winner = std::nullopt;
        none.reason = Reason::Void;
        EXPECT_TRUE(store->record({finished(claims[0], 1), fault, drawn, none}));
    }

    std::string exported(ExportFormat format) {
        std::string text;
        EXPECT_TRUE(export_record(*store, format, *analyst, [&](const std::string& piece) {
            text += piece;
            return true;
        }));
        return text;
    }
    GameRecord game(const char* key) { return **store->game(*parse_game_key(key)); }

    std::unique_ptr<engine::Analyst> analyst = engine::make_analyst();
    std::unique_ptr<Store> store = make_memory_store();
};

const std::vector<std::string> kNames{"Ann", "Bob", "Cid", "Dan"};

// ---- PGN ----

TEST_F(ExportTest, EndsWhenItsReaderDoes) {
    for (const auto format : {ExportFormat::Pgn, ExportFormat::JsonLines}) {
        int pieces = 0;
        EXPECT_TRUE(export_record(*store, format, *analyst,
                                  [&](const std::string&) { return ++pieces < 2; }));
        EXPECT_EQ(pieces, 2);
    }
}

TEST_F(ExportTest, WritesPgn) {
    EXPECT_THAT(exported(ExportFormat::Pgn), StartsWith("[Event \"Spring \\\"cup\\\"\"]\n"
                                                        "[Site \"?\"]\n"
                                                        "[Date \"2023.11.14\"]\n"
                                                        "[Round \"1.1.1.1.1.1\"]\n"
                                                        "[White \"Ann\"]\n"
                                                        "[Black \"Bob\"]\n"
                                                        "[Result \"1-0\"]\n"
                                                        "[Variant \"Nimarena\"]\n"
                                                        "[Position \"nim:3,4,5\"]\n"
                                                        "[PlyCount \"3\"]\n"
                                                        "[Termination \"normal\"]\n"
                                                        "\n"
                                                        "{1=0 [%emt 0:00:00.000000] 2=0 "
                                                        "[%emt 0:00:00.000127] 3=0 "
                                                        "[%emt 1:00:00.000000]}\n1-0\n"
                                                        "\n"
                                                        "[Event "));
}

TEST_F(ExportTest, WritesEveryResultAndTermination) {
    const auto ending = [&](const char* key) {
        const std::string text = pgn(game(key), kNames, "event");
        const auto begin = text.find("[Termination");
        return text.substr(begin, text.find("\n\n", begin) - begin) + " .. " +
               text.substr(text.find('}', begin) + 2);
    };
    EXPECT_EQ(
        ending("1.1.1.1.1.2"),
        "[Termination \"abandoned\"] .. {disconnected: its\n"
        "process was ended by SIGSEGV; received: \\x1b[31m\xEF\xBF\xBD [%emt 0:00:00.000300]} "
        "1-0\n\n");
    EXPECT_EQ(ending("1.1.2.1.1.1"),
              "[Termination \"adjudication\"] .. {ply-limit: p2 has no move and loses} "
              "1/2-1/2\n\n");
    EXPECT_EQ(ending("1.1.2.1.1.2"),
              "[Termination \"unterminated\"] .. {void: p2 has no move and loses} *\n\n");
    GameRecord none = game("1.1.1.1.1.1");
    none.moves.clear();
    none.winner = 1;
    none.started = {};
    EXPECT_THAT(pgn(none, kNames, "event"), EndsWith("]\n\n0-1\n\n"));
    EXPECT_THAT(pgn(none, kNames, "event"), HasSubstr("[Date \"????.??.??\"]\n"));
}

// One game as a reader of PGN parses it.
struct ReadPgn {
    std::vector<std::pair<std::string, std::string>> tags;
    std::string comment;
    std::string result;
};

// Reads the export format's grammar: tag pairs, a blank line, a comment, a result.
ReadPgn read_pgn(const std::string& text) {
    ReadPgn game;
    std::size_t at = 0;
    while (text[at] == '[') {
        const auto space = text.find(' ', at);
        std::string value;
        std::size_t end = space + 2;
        for (; text[end] != '"'; ++end) {
            if (text[end] == '\\') ++end;
            value += text[end];
        }
        EXPECT_EQ(text.substr(end, 3), "\"]\n");
        game.tags.emplace_back(text.substr(at + 1, space - at - 1), value);
        at = end + 3;
    }
    EXPECT_EQ(text[at], '\n');
    ++at;
    if (text[at] == '{') {
        const auto end = text.find('}', at);
        game.comment = text.substr(at + 1, end - at - 1);
        at = end + 1;
    }
    const auto begin = text.find_first_not_of(" \n", at);
    const auto end = text.find_first_of(" \n", begin);
    game.result = text.substr(begin, end - begin);
    EXPECT_EQ(text.substr(end), "\n\n");
    return game;
}

TEST_F(ExportTest, WritesPgnThatIsReadBack) {
    GameRecord record = game("1.1.1.1.1.1");
    record.moves.assign(100, "12=(3,4,5)");
    record.times.assign(100, Microseconds(59'000'001));
    record.moves[50] = "a}b{c\x1b";  // of a stranger's record
    const std::vector<std::string> names{"back\\slash \"x\"", "]{}["};
    const std::string text = pgn(record, names, "a\nb");
    const ReadPgn read = read_pgn(text);
    EXPECT_EQ(read.tags[0], std::pair(std::string("Event"), std::string("a\\nb")));
    EXPECT_EQ(read.tags[4], std::pair(std::string("White"), names[0]));
    EXPECT_EQ(read.tags[5], std::pair(std::string("Black"), names[1]));
    EXPECT_EQ(read.result, "1-0");
    std::string moves = read.comment;
    std::replace(moves.begin(), moves.end(), '\n', ' ');
    std::string expected;
    for (std::size_t i = 0; i < 100; ++i) {
        expected += i == 0 ? "" : " ";
        expected += i == 50 ? "a)b(c\\x1b" : "12=(3,4,5)";
        expected += " [%emt 0:00:59.000001]";
    }
    EXPECT_EQ(moves, expected);
    std::size_t begin = text.find("\n\n") + 2;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != text.npos; begin = end + 1)
        EXPECT_LE(end - begin, 79u);
}

// A line that begins with '%' is skipped by readers, and the end of the comment with it.
TEST_F(ExportTest, BeginsNoLineOfPgnWithAPercentSign) {
    GameRecord record = game("1.1.1.1.1.2");
    record.received = "bestmove " + std::string(79, 'a') + " %";
    EXPECT_THAT(pgn(record, kNames, "event"), HasSubstr("\n" + std::string(79, 'a') + " %\n"));
}

// ---- JSON Lines ----

TEST_F(ExportTest, WritesJsonLines) {
    const std::string text = exported(ExportFormat::JsonLines);
    EXPECT_THAT(
        text,
        StartsWith(R"({"game":"1.1.1.1.1.1","pair":"1.1.1.1.1","position":"nim:3,4,5",)"
                   R"("p1":"Ann","p2":"Bob","moves":["1=0","2=0","3=0"],)"
                   R"("times_us":[0,127,3600000000],"winner":"p1","reason":"no-moves",)"));
    EXPECT_THAT(text, HasSubstr("\n{\"game\":\"1.1.1.1.1.2\""));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

// ---- CSV ----

TEST_F(ExportTest, WritesACrossTable) {
    EXPECT_EQ(exported(ExportFormat::CrossTable),
              "player,points,games,byes,Ann,Bob,Cid,Dan\r\n"
              "Ann,1,2,0,,1,,\r\n"
              "Bob,1,2,0,1,,,\r\n"
              "Cid,0.5,1,0,,,,0.5\r\n"
              "Dan,0.5,1,0,,,0.5,\r\n");
}

TEST_F(ExportTest, WritesPointsByStart) {
    EXPECT_EQ(exported(ExportFormat::Starts),
              "player,ruleset,position,games,won,drawn,lost,points\r\n"
              "Ann,nim,\"nim:3,4,5\",2,1,0,1,1\r\n"
              "Bob,nim,\"nim:3,4,5\",2,1,0,1,1\r\n"
              "Cid,nim,\"nim:3,4,5\",1,0,1,0,0.5\r\n"
              "Dan,nim,\"nim:3,4,5\",1,0,1,0,0.5\r\n");
}

TEST_F(ExportTest, WritesGradesWithMistakes) {
    // Each of nim:3,4,5, nim:4,5 and nim:5 has one winning move; only the last was found.
    EXPECT_EQ(
        exported(ExportFormat::Grades),
        "player,games,points,byes,attainable,share,decisions,mistakes,faults,strikes,"
        "illegal-move,timeout,disconnected,protocol,startup,off-turn,error_rate,error_low,"
        "error_high,think_ms\r\n"
        "Ann,2,1,0,1,1.0000,3,2,1,0,0,0,1,0,0,0,0.6667,0.0943,0.9916,1200000.0\r\n"
        "Bob,2,1,0,1,1.0000,2,2,0,0,0,0,0,0,0,0,1.0000,0.1581,1.0000,0.1\r\n"
        "Cid,1,0.5,0,1,0.5000,2,1,0,0,0,0,0,0,0,0,0.5000,0.0126,0.9874,1800000.0\r\n"
        "Dan,1,0.5,0,0,,1,1,0,0,0,0,0,0,0,0,1.0000,0.0250,1.0000,0.1\r\n");
}

TEST_F(ExportTest, UsesAnExistingAnalysis) {
    GameAnalysis noted;
    noted.plies.resize(3);
    noted.end = engine::Outcome::P;
    for (PlyAnalysis& ply : noted.plies)
        ply = {engine::Outcome::P, Finding::No, Finding::No, {}};
    ASSERT_TRUE(store->annotate({{*parse_game_key("1.1.2.1.1.1"), to_string(noted)}}));
    EXPECT_THAT(exported(ExportFormat::Grades), HasSubstr("\r\nCid,1,0.5,0,0,,0,0,0,"));
    EXPECT_THAT(exported(ExportFormat::Grades), HasSubstr("0,0,0,0,0,0,0,,,,1800000.0\r\n"));
}

TEST(CsvLine, QuotesAndDefusesCells) {
    const std::vector<std::string> cells{"a,b", "say \"x\"", "two\nlines", "=1+1", "+1",
                                         "-1",  "@x",        "\tx",        "",     "plain",
                                         "a=b", "=\"x\"",    "x;=1+1"};
    EXPECT_EQ(csv_line(cells),
              "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",'=1+1,'+1,-1,'@x,\"'\tx\",,plain,a=b,"
              "\"'=\"\"x\"\"\",\"x;=1+1\"\r\n");
}

// ---- show ----

TEST_F(ExportTest, ShowsAGameMoveByMove) {
    EXPECT_EQ(show_text(game("1.1.1.1.1.1"), {}, kNames),
              "game 1.1.1.1.1.1: stage 1, round 1, pairing 1, position 1, attempt 1, leg 1\n"
              "began 2023-11-14 22:13:20 UTC\n"
              "p1 Ann, seed 1, CPU time 0.001 ms\n"
              "p2 Bob, seed 9007199254740991, CPU time 0.002 ms\n"
              "\n"
              "     nim:3,4,5\n"
              "   1 p1 1=0, 0.000 ms\n"
              "     nim:0,4,5\n"
              "   2 p2 2=0, 0.127 ms\n"
              "     nim:0,0,5\n"
              "   3 p1 3=0, 3600000.000 ms\n"
              "     nim:0,0,0\n"
              "\n"
              "Ann beat Bob: p2 has no move and loses (no-moves)\n");
}

TEST_F(ExportTest, ShowsMistakes) {
    const GameRecord stored = game("1.1.1.1.1.1");
    const GameAnalysis analysis = analyse_game(stored, *engine::make_analyst(), {});
    const std::string text = show_text(stored, analysis, kNames);
    EXPECT_THAT(text,
                HasSubstr("   1 p1 1=0, 0.000 ms  mistake: gives the win away, 1=1 keeps it\n"
                          "     nim:0,4,5\n"
                          "   2 p2 2=0, 0.127 ms  mistake: gives the win away, 3=4 keeps it\n"
                          "     nim:0,0,5\n"
                          "   3 p1 3=0, 3600000.000 ms\n"));
}

TEST_F(ExportTest, ShowsFaultsAndStrikes) {
    GameRecord stored = game("1.1.1.1.1.2");
    stored.strikes[1] = {{2, Reason::IllegalMove, "9=9"}};
    GameAnalysis analysis;
    analysis.plies = {{}, {engine::Outcome::N, Finding::Yes, Finding::Yes, "3=4"}};
    const std::string text = show_text(stored, analysis, kNames);
    EXPECT_THAT(text, HasSubstr("p1 Bob, seed 1, CPU time 0.001 ms, 0.005 ms of it off turn\n"
                                "    ann --fast\n"
                                "    Ann 1.0\n"
                                "    abc  /ann\n"
                                "    def  /ann.py\n"
                                "p2 Ann, seed"));
    EXPECT_THAT(text, HasSubstr("   2 p2 2=0, 0.127 ms (by the arena: illegal-move, read '9=9')"
                                "\n"));
    EXPECT_THAT(text, EndsWith("\n"
                               "Bob beat Ann: its process was ended by SIGSEGV (disconnected)\n"
                               "the fault of Ann\n"
                               "    received: '\\x1b[31m\xEF\xBF\xBD'\n"
                               "    expected: bestmove MOVE\n"
                               "last on the stderr of Ann:\n"
                               "    Traceback:\n"
                               "      \\x07line 3\n"));
}

// ---- command lines ----

TEST(ExportOptions, AreRead) {
    const auto command = parse_export_options({"a.db", "--format", "csv", "-o", "b.csv"});
    const auto& options = std::get<ExportOptions>(command);
    EXPECT_EQ(options.record, "a.db");
    EXPECT_EQ(options.format, ExportFormat::CrossTable);
    EXPECT_EQ(options.output, "b.csv");
    EXPECT_EQ(std::get<ExportOptions>(parse_export_options({"--format=pgn", "a.db"})).output,
              "-");
    EXPECT_TRUE(std::holds_alternative<HelpText>(parse_export_options({"-h"})));
}

TEST(ExportOptions, AreRefusedWithWords) {
    const auto refusal = [](const Words& words) {
        return usage_error(parse_export_options(words), "nim-arena export");
    };
    EXPECT_EQ(refusal({}), "read no record, expected its file");
    EXPECT_EQ(refusal({"a.db"}),
              "read no --format, expected pgn, jsonl, csv, grades or starts");
    EXPECT_EQ(refusal({"a.db", "--format", "xml"}),
              "--format: read 'xml', expected pgn, jsonl, csv, grades or starts");
    EXPECT_EQ(refusal({"a.db", "pgn"}), "read 'pgn' after the record 'a.db', expected options");
    EXPECT_EQ(refusal({"a.db", "--outptu", "x"}),
              "unknown option '--outptu', did you mean --output?");
    EXPECT_EQ(refusal({"a.db", "-o", "x", "--output", "y"}), "--output is given twice");
    EXPECT_EQ(refusal({"a.db", "--format", "csv", "-o", "./a.db-wal"}),
              "the record (its -wal) and --output: expected two different files, read "
              "'./a.db-wal' for both");
}

TEST(ShowOptions, AreReadOrRefusedWithWords) {
    const auto command = parse_show_options({"a.db", "1.2.3.4.5.2"});
    EXPECT_EQ(std::get<ShowOptions>(command).words[0], "a.db");
    EXPECT_EQ(to_string(std::get<ShowOptions>(command).game), "1.2.3.4.5.2");
    EXPECT_TRUE(std::holds_alternative<HelpText>(parse_show_options({"--help"})));
    EXPECT_EQ(usage_error(parse_show_options({"a.db"}), "nim-arena show"),
              "read 1 argument, expected 2: the record's file and a game, such as "
              "1.1.1.1.1.1 of nim-arena games FILE.db");
    EXPECT_THAT(usage_error(parse_show_options({"a.db", "1-2"}), "nim-arena show"),
                StartsWith("read '1-2', expected a game's key"));
}

}  // namespace arena::export_test

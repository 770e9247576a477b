// Dialogues with nim-engine, without a process around it.
#include "engine/commands/engine_bot.hpp"

#include "engine/base/memory.hpp"
#include "protocol/line_buffer.hpp"
#include "tests/agreement/known_rulesets.hpp"
#include "tests/agreement/positions.hpp"
#include "tests/engine/commands/printed.hpp"

namespace engine::test::engine_bot_test {

using namespace testing;

const std::string kGo = "go movetime 100000000";  // its answer is complete

// The answers without `info` lines.
Lines answers_to(const Lines& lines) {
    Lines answers = talk(lines);
    std::erase_if(answers, [](const std::string& line) { return line.starts_with("info "); });
    return answers;
}

Lines queries_of(const std::string& position, const Lines& topics) {
    Lines lines{"position " + position};
    for (const std::string& topic : topics) lines.push_back("query " + topic);
    return answers_to(lines);
}

const Lines kStanding{"gameover", "p1turn", "p2turn", "result", "fen"};

TEST(EngineBot, IntroducesItself) {
    EXPECT_THAT(
        talk({"ugi"}),
        ElementsAre(
            "id name nim-engine", "id author the Nimarena authors",
            "option name Seed type spin default 0 min 0 max "
            "9223372036854775807",
            "option name Choice type combo default random var first var random",
            "option name Losing type combo default random var random var longest var trap",
            "option name Hash type spin default 512 min 1 max 1048576",
            "option name QueryTime type spin default 2000 min 1 max 3600000", "ugiok"));
}

TEST(EngineBot, AnswersAboutTheCurrentPosition) {
    EXPECT_THAT(queries_of("startpos", kStanding),
                ElementsAre("response false", "response true", "response false",
                            "response none", "response nim:1,3,5,7"));
    EXPECT_THAT(queries_of("fen 03,4 normal moves 1=1", kStanding),
                ElementsAre("response false", "response false", "response true",
                            "response none", "response nim:1,4"));
    EXPECT_THAT(queries_of("fen nim:1,1 moves 1=0 2=0", kStanding),
                ElementsAre("response true", "response true", "response false",
                            "response p2win", "response nim:0,0"));
    EXPECT_THAT(queries_of("fen nim:1,1 misere moves 1=0 2=0", kStanding),
                ElementsAre("response true", "response true", "response false",
                            "response p1win", "response nim:0,0 misere"));
    EXPECT_THAT(queries_of("fen take{3}:2", kStanding),
                ElementsAre("response true", "response true", "response false",
                            "response p2win", "response take{3}:2"));
}

TEST(EngineBot, BeginsWithTheStartPosition) {
    EXPECT_THAT(answers_to({"query fen", "query outcome"}),
                ElementsAre("response nim:1,3,5,7", "response P"));
}

TEST(EngineBot, AnswersAboutMoves) {
    EXPECT_THAT(
        queries_of("fen nim:3+take{1,3}:4",
                   {"islegal 1=2", "islegal 2=1", "islegal 2=2", "islegal 3=0", "islegal x",
                    "islegal", "islegal  1=2 ", "islegal 1=2 1=1"}),
        ElementsAre("response true", "response true", "response false", "response false",
                    "response false", "response false", "response true", "response false"));
    EXPECT_THAT(queries_of("fen nim:2+take{1,3}:4", {"legalmoves"}),
                ElementsAre("response 1=0 1=1 2=3 2=1"));
    EXPECT_THAT(queries_of("fen nim:3,4,5", {"bestmoves"}), ElementsAre("response 1=1"));
    EXPECT_THAT(queries_of("fen nim:4,4", {"bestmoves"}), ElementsAre("response"));
    EXPECT_THAT(queries_of("fen nim:0", {"bestmoves", "legalmoves"}),
                ElementsAre("response", "response"));
}

TEST(EngineBot, AnswersAboutValues) {
    const Lines topics{"nimber", "outcome"};
    EXPECT_THAT(queries_of("fen nim:3,4,5", topics), ElementsAre("response 2", "response N"));
    EXPECT_THAT(queries_of("fen nim:3,4,5 misere", topics),
                ElementsAre("response none", "response N"));
    EXPECT_THAT(queries_of("fen nim:1,1,1 misere", topics),
                ElementsAre("response none", "response P"));
    EXPECT_THAT(queries_of("fen nim:0 misere", topics),
                ElementsAre("response none", "response N"));
    EXPECT_THAT(queries_of("fen nim:(w^2+3),4", topics),
                ElementsAre("response (w^2+7)", "response N"));
    EXPECT_THAT(queries_of("fen take{1,3,4}:1000000000000", topics),
                ElementsAre("response 1", "response N"));
}

TEST(EngineBot, SaysWhatItDoesNotKnow) {
    EXPECT_THAT(queries_of("fen take{3,5,1000000000000}:5000000000000",
                           {"nimber", "outcome", "bestmoves", "legalmoves"}),
                ElementsAre("response unknown", "response unknown", "response unknown",
                            "response 1=4999999999997 1=4999999999995 1=4000000000000"));
}

TEST(EngineBot, KnowsWhoWinsATransfiniteSum) {
    EXPECT_THAT(
        queries_of("fen nim:(w)+take{3,5,1000000000000}:5000000000000", {"nimber", "outcome"}),
        ElementsAre("response unknown", "response N"));
    EXPECT_THAT(queries_of("fen nim:(w)+take{3,5,1000000000000}:5000000000000,6000000000000",
                           {"nimber", "outcome"}),
                ElementsAre("response unknown", "response N"));
}

TEST(EngineBot, RefusesAPositionWhoseCanonicalTextFitsNoLine) {
    std::string line = "position fen 1";
    while (line.size() + 2 <= protocol::kMaxLine) line += ",1";
    EXPECT_THAT(talk({line, "query fen"}),
                ElementsAre("info string error the canonical position has 1048567 bytes, "
                            "expected at most 1048563, which fit a line",
                            "response nim:1,3,5,7"));
    line.resize(line.size() - 4);
    EXPECT_EQ(talk({line, "query p1turn"}), Lines{"response true"});
}

TEST(EngineBot, WritesNoLineBeyondTheLimit) {
    std::string ordinal = "(w^99999";
    for (int i = 99998; ordinal.size() < 600000; --i) ordinal += "+w^" + std::to_string(i);
    ordinal += ')';
    const Lines answers = talk({"position fen nim:" + ordinal + ",(w^100000)", kGo});
    ASSERT_EQ(answers.size(), 2u);
    EXPECT_LE(answers[0].size(), protocol::kMaxLine);
    EXPECT_THAT(answers[0], HasSubstr(" outcome N nimber (w^100000+w^99999+"));
    EXPECT_EQ(answers[0].find(" pv "), std::string::npos);
    EXPECT_TRUE(answers[1] == "bestmove 2=" + ordinal);
}

TEST(EngineBot, IgnoresNoQueryInSilence) {
    EXPECT_THAT(
        talk({"query colour"}),
        ElementsAre("info string error query 'colour' is not known", "response unknown"));
}

TEST(EngineBot, CutsLists) {
    const auto moves_in = [](const std::string& answer) {
        return std::ranges::count(answer, '=');
    };
    const Lines exact = queries_of("fen nim:10000", {"legalmoves"});
    EXPECT_EQ(moves_in(exact.front()), 10000);
    EXPECT_TRUE(exact.front().ends_with(" 1=9999"));
    const Lines more = queries_of("fen nim:10001", {"legalmoves"});
    EXPECT_EQ(moves_in(more.front()), 10000);
    EXPECT_TRUE(more.front().ends_with(" 1=9999 ..."));

    // Each move of this sum is 250 bytes, so that 10,000 do not fit a line.
    std::string ordinal;
    for (int exponent = 40; exponent > 0; --exponent) {
        ordinal += "w^" + std::to_string(exponent) + "*9+";
    }
    std::string position = "fen nim:(w^99),(w^99+" + ordinal + "1)";
    for (int i = 0; i < 9999; ++i) position += ",(w^99)";
    const Lines long_moves = queries_of(position, {"bestmoves"});
    EXPECT_LE(long_moves.front().size(), protocol::kMaxLine);
    EXPECT_TRUE(long_moves.front().ends_with(" ..."));
    EXPECT_GT(moves_in(long_moves.front()), 1000);
}

TEST(EngineBot, NamesWhoMadeAnIllegalMove) {
    EXPECT_THAT(queries_of("startpos moves 1=0 1=0", kStanding),
                ElementsAre("response true", "response true", "response false",
                            "response p1win", "response nim:1,3,5,7"));
    EXPECT_THAT(queries_of("startpos moves 9=0", {"gameover", "result"}),
                ElementsAre("response true", "response p2win"));
    EXPECT_THAT(queries_of("startpos moves 1=0 hello", {"gameover", "result"}),
                ElementsAre("response true", "response p1win"));
    EXPECT_THAT(talk({"position startpos moves 1=0 1=0"}),
                ElementsAre("info string error move '1=0': column 3: heap 1 is '0' and has no "
                            "move under 'nim'"));
}

TEST(EngineBot, ForgetsAnIllegalMoveWithTheNextValidPosition) {
    const Lines foul{"position fen nim:3,4 moves 1=2", "position fen nim:5 moves 1=9"};
    const auto then = [&](const Lines& more) {
        Lines lines = foul;
        lines.insert(lines.end(), more.begin(), more.end());
        lines.insert(lines.end(), {"query gameover", "query result", "query fen"});
        return answers_to(lines);
    };
    EXPECT_THAT(then({}), ElementsAre("response true", "response p2win", "response nim:2,4"));
    EXPECT_THAT(then({"position fen nonsense"}),
                ElementsAre("response true", "response p2win", "response nim:2,4"));
    EXPECT_THAT(then({"position fen take{0}:3"}),
                ElementsAre("response true", "response p2win", "response nim:2,4"));
    EXPECT_THAT(then({"moves 2=3"}),
                ElementsAre("response true", "response p2win", "response nim:2,3"));
    EXPECT_THAT(then({"position fen nim:3,4 moves 1=2"}),
                ElementsAre("response false", "response none", "response nim:2,4"));
    EXPECT_THAT(then({"position fen nim:5"}),
                ElementsAre("response false", "response none", "response nim:5"));
}

TEST(EngineBot, ContinuesByMoves) {
    EXPECT_THAT(answers_to({"position fen nim:3,4", "moves 1=1", "query p1turn", "query fen",
                            "moves 2=1 1=0", "query fen", "query outcome", "moves 1=0",
                            "query result", "query fen"}),
                ElementsAre("response false", "response nim:1,4", "response nim:0,1",
                            "response N", "response p1win", "response nim:0,1"));
}

TEST(EngineBot, TakesTheSamePositionAgain) {
    EXPECT_THAT(
        answers_to({"position startpos moves 1=0", "position startpos moves 1=0 2=2",
                    "position startpos moves 1=0 2=2", "query fen", "position startpos",
                    "query fen", "position startpos moves 4=6", "query fen"}),
        ElementsAre("response nim:0,2,5,7", "response nim:1,3,5,7", "response nim:1,3,5,6"));
}

TEST(EngineBot, PlaysTheWinningMoveAndSaysWhy) {
    EXPECT_THAT(talk({"position fen nim:3,4,5", kGo}),
                ElementsAre(StartsWith("info depth 1 time "), "bestmove 1=1"));
    const auto info = [](const std::string& position) {
        const std::string line = talk({"position fen " + position, kGo}).front();
        return line.substr(line.find("outcome"));
    };
    EXPECT_EQ(info("nim:3,4,5"), "outcome N nimber 2 pv 1=1");
    EXPECT_EQ(info("nim:0,4 misere"), "outcome N nimber none pv 2=1");
    EXPECT_EQ(info("nim:0"), "outcome P nimber 0");
    EXPECT_EQ(info("nim:(w),5"), "outcome N nimber (w+5) pv 1=5");
    EXPECT_THAT(info("take{9,1000000000000,1000000000009}:5000000000001"),
                StartsWith("outcome unknown nimber unknown pv 1="));
}

// A move comes with the claim of a win or a draw only if it keeps it.
TEST(EngineBot, ClaimsNothingByAMoveThatThrowsIt) {
    const auto info = [](const std::string& position, const std::string& searched) {
        const std::string line =
            talk({"position fen " + position, kGo + " searchmoves " + searched}).front();
        return line.substr(line.find("outcome"));
    };
    EXPECT_EQ(info("nim:3,4,5", "2=0 3=3"), "outcome N nimber 2");
    EXPECT_EQ(info("nim:3,4,5", "2=0 1=1"), "outcome N nimber 2 pv 1=1");
    EXPECT_EQ(info("kayles:5,2 misere", "1=4"), "outcome N nimber none");
    EXPECT_EQ(info("graph{a->a,b;b->c}:a", "1=b"), "outcome D nimber inf{1}");
    EXPECT_EQ(info("graph{a->a,b;b->c}:a", "1=a"), "outcome D nimber inf{1} pv 1=a");
    EXPECT_EQ(info("nim:4,4", "1=0"), "outcome P nimber 0 pv 1=0");
}

TEST(EngineBot, AnswersWhereThereIsNoMove) {
    EXPECT_THAT(
        answers_to({"position fen take{5}:4,3", "go", "position fen nim:0 misere", "go"}),
        ElementsAre("bestmove 0000", "bestmove 0000"));
}

TEST(EngineBot, PlaysOneOfTheSearchMoves) {
    EXPECT_THAT(answers_to({"position fen nim:3,4,5", kGo + " searchmoves 2=0 1=1 3=3",
                            kGo + " searchmoves 2=0"}),
                ElementsAre("bestmove 1=1", "bestmove 2=0"));
    // Illegal candidates are ignored; if none is left, any move may be played.
    EXPECT_THAT(answers_to({"position fen nim:3,4,5", kGo + " searchmoves 2=9 3=0 x"}),
                ElementsAre("bestmove 3=0"));
    EXPECT_THAT(
        talk({"position fen nim:3,4,5", kGo + " searchmoves 2=9"}),
        IsSupersetOf({"info string error searchmoves: no legal move among them: heap 2 is "
                      "'4' and cannot become '9' under 'nim'",
                      "bestmove 1=1"}));
}

TEST(EngineBot, ObeysItsOptions) {
    Lines lines{"position fen nim:1,1,1", "setoption name Choice value first"};
    for (int i = 0; i < 10; ++i) lines.push_back(kGo);
    EXPECT_THAT(answers_to(lines), Each("bestmove 1=0"));

    lines[1] = "setoption name Choice value random";
    EXPECT_THAT(answers_to(lines), IsSupersetOf({"bestmove 1=0", "bestmove 2=0"}));

    lines = {"position fen nim:9,9", "setoption name Losing value longest"};
    for (int i = 0; i < 10; ++i) lines.push_back(kGo);
    EXPECT_THAT(answers_to(lines), Each(AnyOf("bestmove 1=8", "bestmove 2=8")));
}

TEST(EngineBot, RefusesOptionsItDoesNotHave) {
    EXPECT_THAT(
        talk({"setoption name Choice value best", "setoption name Losing",
              "setoption name Threads value 16", "setoption name Hash value 0",
              "setoption name QueryTime value fast", "setoption name Seed value x"}),
        ElementsAre("info string error option Choice: read 'best', expected 'first' or "
                    "'random'",
                    "info string error option Losing: read '', expected 'random', "
                    "'longest' or 'trap'",
                    "info string error there is no option 'Threads'",
                    "info string error option Hash: read '0', expected a number from 1 "
                    "to 1048576",
                    "info string error option QueryTime: read 'fast', expected a number "
                    "from 1 to 3600000",
                    "info string error option Seed: column 1: read 'x', expected a "
                    "number"));
}

TEST(EngineBot, DependsOnItsSeedAlone) {
    const auto game = [](const std::string& seed, const Lines& before) {
        Lines lines = before;
        lines.insert(lines.end(), {"setoption name Seed value " + seed, "uginewgame"});
        for (int i = 0; i < 20; ++i) {
            lines.insert(lines.end(), {"position fen nim:50,50,0", kGo});
        }
        Lines answers = answers_to(lines);
        answers.erase(answers.begin(), answers.end() - 20);
        return answers;
    };
    EXPECT_EQ(game("7", {}), game("7", {"go", "go", "go"}));
    EXPECT_NE(game("7", {}), game("8", {}));
}

TEST(EngineBot, KnowsTheNamesOfACatalogue) {
    EXPECT_THAT(talk({"position fen evens:8+nim:1", "query fen", "moves 1=6", "query fen"},
                     "evens = take{2,4}"),
                ElementsAre("response take{2,4}:8+nim:1", "response take{2,4}:6+nim:1"));
}

TEST(EngineBot, PlaysLongPositions) {
    std::string position = "position fen nim:";
    for (int i = 0; i < 100000; ++i) position += std::to_string(i * 7919 % 1000) + ',';
    position += "5";
    Lines lines{position, kGo, "query outcome"};
    const Lines answers = answers_to(lines);
    ASSERT_EQ(answers.size(), 2u);
    EXPECT_EQ(answers[1], "response N");
    // The move wins.
    lines = {position, "moves " + answers[0].substr(9), "query outcome"};
    EXPECT_THAT(answers_to(lines), ElementsAre("response P"));
}

TEST(EngineBot, PlaysGraphsUnderNamesOfACatalogue) {
    EXPECT_THAT(
        talk({"position fen mygraph:a moves 1=b", "query fen", "query legalmoves", "moves 1=c",
              "query fen", "position fen mygraph:1"},
             "mygraph = graph{a->b; b->c}"),
        ElementsAre("response graph{a->b;b->c}:b", "response 1=c",
                    "response graph{a->b;b->c}:c",
                    "info string error position, column 18: read '1', expected a vertex "
                    "of the graph: a, b, c"));
}

TEST(EngineBot, EndsLoopyPlayAtTheThirdOccurrence) {
    const std::string start = "position fen graph{a->b;b->a}:a moves";
    EXPECT_THAT(talk({start + " 1=b 1=a 1=b", "query gameover", "moves 1=a", "query gameover",
                      "query result", "query fen", start + " 1=b 1=a", "query gameover"}),
                ElementsAre("response false", "response true", "response draw",
                            "response graph{a->b;b->a}:a", "response false"));
}

TEST(EngineBot, CountsNoOccurrenceOfARefusedLine) {
    // The first moves of a refused line are taken back, and so are their counts.
    const std::string start = "position fen graph{a->b;b->a}:a+nim:1";
    EXPECT_THAT(talk({start, "moves 1=b 1=a 1=b 1=c", "query fen", start + " moves 1=b 1=a",
                      "query gameover", "moves 1=b 2=0 1=c", "query fen",
                      start + " moves 1=b 1=a 1=b 1=a", "query result"}),
                ElementsAre(StartsWith("info string error move '1=c'"),
                            "response graph{a->b;b->a}:a+nim:1", "response false",
                            StartsWith("info string error move '1=c'"),
                            "response graph{a->b;b->a}:a+nim:1", "response draw"));
}

// In the order of a Gray code no position comes again.
TEST(EngineBot, CountsAsManyPositionsAsItsMemoryAllows) {
    constexpr std::size_t kMost = 1 << 20;
    constexpr std::size_t kLine = 1 << 14;
    std::string text = "graph{a->b;b->a}:a";
    for (int i = 1; i < 21; ++i) text += ",a";
    const auto start = *protocol::parse_position(text + "+nim:1");
    EngineBot bot(nullptr);
    ASSERT_TRUE(bot.advance(start, {}, protocol::Change::Restart, {}));
    const auto word_of = [](std::size_t ply) {
        const bool is_back = (ply >> std::countr_zero(ply) & 2) != 0;
        return std::to_string(1 + std::countr_zero(ply)) + (is_back ? "=a" : "=b");
    };
    const auto play = [&](const Lines& words) {
        const std::vector<std::string_view> moves(words.begin(), words.end());
        return bot.advance(start, moves, protocol::Change::Moves, {});
    };
    for (std::size_t ply = 1; ply < kMost;) {
        Lines words;
        do {
            words.push_back(word_of(ply++));
        } while (ply % kLine != 0);
        ASSERT_TRUE(play(words)) << ply;
    }
    const auto refused = play({word_of(kMost)});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().text,
              "the position after move '21=b': more than 1048576 positions since the last "
              "irreversible move, expected such a move or a position line");
    EXPECT_TRUE(play({"22=0", word_of(kMost)}));
}

TEST(EngineBot, RefusesPositionsWithTheColumn) {
    EXPECT_THAT(talk({"position fen nim:3+tak:4", "position fen nim:3,(1,2)", "query fen"}),
                ElementsAre("info string error position, column 7: read 'tak', expected " +
                                a_known_ruleset("; did you mean 'take'?"),
                            "info string error position, column 7: read '(1,2)', expected a "
                            "number or an ordinal such as (w+1): heaps of nim",
                            "response nim:1,3,5,7"));
}

// To judge each move, eight million bindings that are no moves are tested twice; the last move
// is illegal.
TEST(EngineBot, IsReadyWhileItReadsACostlyHistory) {
    const std::string start = "rules{n->n-1:x*y*z=7654321;n->n-1:n>0}:199";
    const std::vector<std::string_view> moves{"1=198", "1=197", "1=196", "1=199"};
    EXPECT_FALSE(EngineBot(nullptr).advances_at_once(*protocol::parse_position(start), moves,
                                                     protocol::Change::Restart));
    Lines lines = talk(
        {"position fen " + start + " moves 1=198 1=197 1=196 1=199", "isready", "query fen"});
    EXPECT_EQ(std::erase(lines, "readyok"), 1U);
    EXPECT_THAT(lines, ElementsAre(StartsWith("info string error move '1=199'"),
                                   "response nim:1,3,5,7"));
}

// Stalks of edges: a heap of more than 63 takes time that grows with its edges.
TEST(EngineBot, IsReadyWhileItReadsAHistoryOfALargePicture) {
    for (const int edges : {63, 64}) {
        std::string graph = "ground->v1";
        for (int i = 1; i < edges; ++i)
            graph += ";v" + std::to_string(i) + "->v" + std::to_string(i + 1);
        const std::string heap = edges == 63 ? "7" : "(7,0)";
        const auto start = *protocol::parse_position("hackenbush{" + graph + "}:" + heap);
        const std::vector<std::string_view> moves =
            edges == 63 ? std::vector<std::string_view>{"1=3", "1=1", "1=0"}
                        : std::vector<std::string_view>{"1=(3,0)", "1=(1,0)", "1=(0,0)"};
        EngineBot bot(nullptr);
        EXPECT_EQ(bot.advances_at_once(start, moves, protocol::Change::Restart), edges == 63);
        ASSERT_TRUE(bot.advance(start, {}, protocol::Change::Restart, {}));
        EXPECT_EQ(bot.advances_at_once(start, moves, protocol::Change::Moves), edges == 63);
        EXPECT_TRUE(bot.advance(start, moves, protocol::Change::Moves, {}));
    }
}

TEST(EngineBot, ReadsNoFurtherOnceItsSessionHasEnded) {
    std::stop_source ended;
    ended.request_stop();
    const std::vector<std::string_view> moves{"1=2"};
    const auto read = EngineBot(nullptr).advance(*protocol::parse_position("nim:3"), moves,
                                                 protocol::Change::Restart, ended.get_token());
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().text, "the session has ended");
}

TEST(EngineBot, IsReadyWhileItJudgesACostlyMove) {
    const std::string position =
        "rules{n->n-1:x*y*z=7654321;n->n-1:w*x*y=7654321;n->n-1:n>0}:199";
    EngineBot bot(nullptr);
    ASSERT_TRUE(
        bot.advance(*protocol::parse_position(position), {}, protocol::Change::Restart, {}));
    EXPECT_FALSE(
        bot.answers_query_at_once({"islegal", "1=199"}, *protocol::parse_position(position)));
    EXPECT_THAT(talk({"position fen " + position, "query islegal 1=199", "isready"}),
                UnorderedElementsAre("readyok", "response false"));
}

// Judging all of them would take an hour.
TEST(EngineBot, JudgesNoMoreSearchMovesOnceItIsStopped) {
    const auto position =
        *protocol::parse_position("rules{n->n-1:x*y*z=7654321;n->n-1:n>0}:199");
    EngineBot bot(nullptr);
    ASSERT_TRUE(bot.advance(position, {}, protocol::Change::Restart, {}));
    std::vector<Move> candidates;
    for (Number left = 198; left < 200'000; ++left) candidates.push_back({1, {Heap(left)}});
    std::stop_source stopped;
    stopped.request_stop();
    const protocol::GoCommand go{};
    const auto ignore = [](std::string_view) {};
    EXPECT_EQ(bot.choose({.position = position,
                          .go = go,
                          .deadline = std::chrono::steady_clock::time_point::max(),
                          .candidates = candidates,
                          .stop = stopped.get_token(),
                          .info = ignore,
                          .info_with_move = ignore}),
              (Move{1, {Heap(Number{198})}}));
}

TEST(EngineBot, AnswersAtOnceUnlessALosingMoveIsSought) {
    EngineBot bot(nullptr);
    const auto position = *protocol::parse_position("nim:3,5");
    ASSERT_TRUE(bot.advance(position, {}, protocol::Change::Restart, {}));
    for (const std::string losing : {"random", "longest", "trap"}) {
        ASSERT_TRUE(bot.set_option("Losing", losing));
        EXPECT_EQ(bot.answers_at_once(position), losing == "random") << losing;
    }
}

// Two sessions of one server, in turns.
class ServedEngine : public ::testing::Test {
  protected:
    struct Client {
        std::string output;
        protocol::Session session{engine_info(MemoryOf::Server),
                                  std::make_unique<EngineBot>(nullptr, MemoryOf::Server),
                                  [this](std::string_view text) {
                                      output += text;
                                      return true;
                                  }};

        std::string says(const Lines& lines) {
            output.clear();
            for (const std::string& line : lines) session.feed(line);
            session.finish();
            return output;
        }
    };

    // The operator's bound, which holds for all sessions.
    struct Bound {
        Bound() { Memory::set_limit(std::size_t{64} << 20); }
        ~Bound() { Memory::set_limit(Memory::kDefaultLimit); }
    };

    const Bound bound;
    Client greedy, other;
};

// The table of this position takes more than a megabyte.
const Lines kLargeQuestion{"setoption name QueryTime value 100000",
                           "position fen wythoff:(900,1000)", "query nimber"};

TEST_F(ServedEngine, LetsNoSessionTakeTheMemoryOfAnother) {
    EXPECT_EQ(greedy.says({"setoption name Hash value 1"}), "");
    EXPECT_EQ(Memory::limit(), std::size_t{64} << 20);
    const std::string answer = other.says(kLargeQuestion);
    EXPECT_EQ(answer.find("unknown"), answer.npos) << answer;
}

TEST_F(ServedEngine, GivesASessionWhatItAskedFor) {
    EXPECT_EQ(greedy.says({"setoption name Hash value 1"}), "");
    EXPECT_EQ(greedy.says({"setoption name QueryTime value 100000",
                           "position fen wythoff:(1900,2000)", "query nimber"}),
              "response unknown\n");
}

TEST_F(ServedEngine, KeepsTheBoundOfItsOperator) {
    EXPECT_EQ(
        greedy.says({"setoption name Hash value 1048576"}),
        "info string error option Hash: read '1048576', expected a number from 1 to 64\n");
    EXPECT_EQ(Memory::limit(), std::size_t{64} << 20);
    EXPECT_THAT(greedy.says({"ugi"}),
                HasSubstr("option name Hash type spin default 64 min 1 max 64\n"));
    EXPECT_EQ(greedy.says({"setoption name Hash value 64"}), "");
}

}  // namespace engine::test::engine_bot_test

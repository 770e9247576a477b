// The bots as a user runs them: programs that read and write lines.

#include "engine/rules/game.hpp"
#include "tests/harness/child_process.hpp"
#include "tests/harness/temporary_file.hpp"

namespace bots::programs_test {

using protocol::test::ChildProcess;
using namespace testing;

using Command = std::vector<std::string>;

const std::string kSource = SOURCE_FOLDER;
const Command kRandom{NIM_RANDOM};
const Command kGreedy{NIM_GREEDY};
const Command kPythonRandom{kSource + "/bots/python/random_bot.py"};
const Command kPythonNim{kSource + "/bots/python/nim_bot.py"};

// The answers of a program to `input` and the end of input.
std::vector<std::string> answers(const Command& command, const std::string& input) {
    ChildProcess bot(command);
    bot.write(input);
    bot.close_input();
    auto lines = bot.read_lines();
    EXPECT_EQ(bot.wait(), 0);
    return lines;
}

// The text of the fenced block number `index` (from 0) of a language in a file.
std::string fenced_block(const std::string& path, const std::string& language, int index) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    const std::string fence = "```" + language + "\n";
    std::size_t begin = all.find(fence);
    for (int i = 0; i < index; ++i) begin = all.find(fence, begin + 1);
    EXPECT_NE(begin, all.npos) << path << " has no such block";
    begin += fence.size();
    return all.substr(begin, all.find("```", begin) - begin);
}

// ---- what every bot must do ----

class EveryBot : public testing::TestWithParam<Command> {};

TEST_P(EveryBot, ShakesHandsAndEnds) {
    ChildProcess bot(GetParam());
    bot.write("ugi\n");
    std::vector<std::string> lines;
    while (lines.empty() || lines.back() != "ugiok") {
        const auto line = bot.read_line();
        ASSERT_TRUE(line);
        lines.push_back(*line);
    }
    for (const std::string& line : lines) {
        EXPECT_THAT(line, AnyOf(StartsWith("id name "), StartsWith("id author "),
                                StartsWith("option name "), "ugiok"));
    }
    bot.write("isready\n");
    EXPECT_EQ(bot.read_line(), "readyok");
    bot.write("quit\n");
    EXPECT_EQ(bot.wait(), 0);
}

TEST_P(EveryBot, EndsAtTheEndOfInput) { EXPECT_THAT(answers(GetParam(), ""), IsEmpty()); }

TEST_P(EveryBot, ReadsCrLfBlanksAndWhatItDoesNotKnow) {
    EXPECT_THAT(
        answers(GetParam(), "\r\n \n\xff\xfe\nhello world\nstop\n isready \r\n\tisready"),
        ElementsAre("readyok", "readyok"));
}

TEST_P(EveryBot, SaysThatThereIsNoMove) {
    EXPECT_THAT(answers(GetParam(), "position fen nim:0,0\ngo movetime 100\n"),
                ElementsAre("bestmove 0000"));
}

// Plays both sides of a game and returns the number of plies.
int play_out(ChildProcess& bot, const std::string& start) {
    auto position = engine::Game::start(*protocol::parse_position(start));
    EXPECT_TRUE(position);
    engine::Game game = *position;
    std::string moves;
    int plies = 0;
    for (; game.has_move(); ++plies) {
        std::string lines = "position fen " + start + (moves.empty() ? "" : " moves" + moves);
        lines += "\ngo movetime 100 searchmoves";
        for (const auto& move : game.moves(10'000)) lines += " " + to_string(move);
        bot.write(lines + "\n");
        const std::string answer = bot.read_line().value_or("no answer");
        EXPECT_THAT(answer, StartsWith("bestmove "));
        const auto move =
            game.read_move(std::string_view(answer).substr(answer.rfind(' ') + 1));
        EXPECT_TRUE(move) << answer << " in " << to_string(game.position());
        if (!move) return plies;
        game.play(*move);
        moves += " " + to_string(*move);
    }
    return plies;
}

TEST_P(EveryBot, PlaysLegalGames) {
    ChildProcess bot(GetParam());
    std::mt19937_64 random(3);
    for (int i = 0; i < 20; ++i) {
        std::string start = "nim:" + std::to_string(random() % 20 + 1);
        for (std::size_t heaps = random() % 4; heaps > 0; --heaps) {
            start += (heaps == 2 ? "+nim:" : ",") + std::to_string(random() % 12);
        }
        if (i % 2 == 1) start += " misere";
        bot.write("uginewgame\nisready\n");
        EXPECT_EQ(bot.read_line(), "readyok");
        EXPECT_GT(play_out(bot, start), 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, EveryBot,
                         testing::Values(kRandom, kGreedy, kPythonRandom, kPythonNim),
                         [](const auto& test) {
                             auto name = std::filesystem::path(test.param[0]).stem().string();
                             std::erase_if(name, [](char c) { return c == '-' || c == '_'; });
                             return name;
                         });

// ---- each of them ----

TEST(RandomPrograms, RepeatTheirMovesForTheSameSeed) {
    for (const Command& command : {kRandom, kPythonRandom}) {
        const auto game = [&](const std::string& seed) {
            std::string lines = "setoption name Seed value " + seed + "\n";
            for (int i = 0; i < 20; ++i)
                lines += "go searchmoves 1=0 2=0 2=1 2=2 3=0 3=1 3=2\n";
            return answers(command, lines);
        };
        EXPECT_EQ(game("7").size(), 20u);
        EXPECT_EQ(game("7"), game("7"));
        EXPECT_NE(game("7"), game("8"));
    }
}

TEST(RandomPrograms, PlayUnknownRulesets) {
    for (const Command& command : {kRandom, kGreedy, kPythonRandom}) {
        EXPECT_THAT(answers(command,
                            "position fen new{x}:(3,4),5 moves 1=(3,3)\n"
                            "go movetime 100 searchmoves 1=2,(1,1)\n"),
                    ElementsAre("bestmove 1=2,(1,1)"));
    }
}

TEST(RandomPrograms, AskForTheLegalMovesInPython) {
    EXPECT_THAT(answers(kPythonRandom, "ugi\n"),
                Contains("option name LegalMoves type check default true"));
}

// The refusal comes at once, and the earlier position stays.
TEST(RulesPrograms, RefuseAPositionThatTheyCannotRead) {
    for (const Command& command : {kRandom, kGreedy}) {
        for (const std::string unreadable :
             {"nim:3,", "nim:(1,2)", "wythoff:3", "take{0}:3", "octal:3", "graph{a->b}:c",
              "kayles:(1,2)", "new:3+nim:(1,2)", "nim:3 mis"}) {
            EXPECT_THAT(answers(command, "position fen nim:2,1 moves 1=1\nposition fen " +
                                             unreadable + "\nquery fen\ngo movetime 100\n"),
                        ElementsAre(StartsWith("info string error "), "response nim:1,1",
                                    AnyOf("bestmove 1=0", "bestmove 2=0")))
                << unreadable;
        }
    }
}

TEST(RulesPrograms, SayWhyTheyHaveNoMove) {
    for (const Command& command : {kRandom, kGreedy}) {
        EXPECT_THAT(
            answers(command, "position fen new:3\ngo\n"),
            ElementsAre(StartsWith("info string error column 1: read 'new'"), "bestmove 0000"));
    }
}

TEST(RulesPrograms, SayThatTheirOutputCannotBeWritten) {
    for (const Command& command : {kRandom, kGreedy}) {
        for (const std::string words :
             {"--help", "--version", "--help-format man", "--listen 127.0.0.1:0"}) {
            SCOPED_TRACE(command.front() + ' ' + words);
            ChildProcess bot(
                {"sh", "-c", "exec '" + command.front() + "' " + words + " 2>&1 >/dev/full"});
            EXPECT_THAT(
                bot.read_lines(),
                ElementsAre(EndsWith(": cannot write the output: No space left on device")));
            EXPECT_EQ(bot.wait(), 1);
        }
    }
}

// Asks as a referee without rules does (github.com/kz04px/cutegames).
TEST(RulesPrograms, AnswerARefereeThatKnowsNoRules) {
    const std::string asked =
        "query gameover\nquery p1turn\nquery p2turn\nquery result\nquery fen\n";
    for (const Command& command : {kRandom, kGreedy}) {
        EXPECT_THAT(
            answers(command, "position fen 03,4 moves 1=1\n" + asked +
                                 "query islegal 2=0\nquery islegal 2=4\n"),
            ElementsAre("response false", "response false", "response true", "response none",
                        "response nim:1,4", "response true", "response false"));
        EXPECT_THAT(
            answers(command, "position fen nim:1,1 misere moves 1=0\nmoves 2=0\n" + asked),
            ElementsAre("response true", "response true", "response false", "response p1win",
                        "response nim:0,0 misere"));
        EXPECT_THAT(answers(command,
                            "position fen graph{a->b;b->a}:a moves 1=b 1=a 1=b 1=a\n"
                            "query gameover\nquery result\n"),
                    ElementsAre("response true", "response draw"));
    }
}

TEST(RulesPrograms, JudgeAnIllegalMoveAndKeepThePosition) {
    for (const Command& command : {kRandom, kGreedy}) {
        EXPECT_THAT(answers(command,
                            "position fen nim:3 moves 1=1 1=2\n"
                            "query gameover\nquery result\nquery fen\n"
                            "position fen nim:2\nquery gameover\n"),
                    ElementsAre(StartsWith("info string error move '1=2'"), "response true",
                                "response p1win", "response nim:1,3,5,7", "response false"));
    }
}

TEST(RulesPrograms, DoNotJudgeRulesetsThatTheyDoNotKnow) {
    for (const Command& command : {kRandom, kGreedy}) {
        EXPECT_THAT(answers(command,
                            "position fen new:3 moves 1=2\nmoves 1=1\nquery fen\nquery p1turn\n"
                            "query gameover\nposition fen nim:0\nquery gameover\n"),
                    ElementsAre("response new:1", "response true",
                                "info string error query 'gameover' is not known",
                                "response unknown", "response true"));
    }
}

TEST(Greedy, AnswersForHugeHeaps) {
    EXPECT_THAT(answers(kGreedy, "position fen nim:5+take{1-9}:9223372036854775807\ngo\n"),
                ElementsAre("bestmove 2=9223372036854775798"));
}

TEST(NimBot, FollowsPositionsAndMoves) {
    EXPECT_THAT(answers(kPythonNim,
                        "position fen 03+nim:9 moves 2=7\ngo\n"
                        "moves 2=3 1=0\ngo\n"
                        "position startpos moves 1=0 2=0 3=0\ngo\n"
                        "position fen nim:5 misere\ngo\n"),
                ElementsAre("bestmove 2=3", "bestmove 2=0", "bestmove 4=0", "bestmove 1=1"));
}

TEST(NimBot, KeepsThePositionBeforeAnError) {
    EXPECT_THAT(
        answers(kPythonNim,
                "position fen nim:5\nposition fen kayles:3\nposition fen nim:3,x\n"
                "position fen nim:3 backwards\nposition fen nim:3 moves 1=3\n"
                "moves 1=2 7=1\nposition somewhere\ngo\n"),
        ElementsAre("info string error I play nim only, read 'kayles:3'",
                    "info string error expected a number, read 'x'",
                    "info string error expected a position such as nim:3,4,5 or nim:3,4,5 "
                    "misere, read 'nim:3 backwards'",
                    "info string error illegal move '1=3' in nim:3",
                    "info string error illegal move '7=1' in nim:2",
                    "info string error expected position startpos or position fen",
                    "bestmove 1=0"));
}

// ---- the documents ----

TEST(Readme, ItsTenLineBotPlays) {
    const std::string code = fenced_block(kSource + "/protocol/README.md", "python", 0);
    EXPECT_EQ(std::ranges::count(code, '\n'), 10);
    const ::test::TemporaryFile file(code);
    const Command command{"python3", file.path()};
    // In a finished position the arena lists no moves after `searchmoves`.
    EXPECT_THAT(answers(command,
                        "ugi\r\nisready\r\n\ngo searchmoves 1=0 2=1\ngo\nhello\n"
                        "position fen nim:0\ngo movetime 100 searchmoves\n"),
                ElementsAre("option name LegalMoves type check default true", "ugiok",
                            "readyok", "bestmove 2=1", "bestmove 0000", "bestmove 0000"));
    ChildProcess bot(command);
    EXPECT_GT(play_out(bot, "nim:3,4,5+take{1,3,4}:9 misere"), 0);
    bot.write("quit\n");
    EXPECT_EQ(bot.wait(), 0);
}

TEST(Readme, ItsDialogueIsTrue) {
    const std::string readme = kSource + "/protocol/README.md";
    std::string command = fenced_block(readme, "sh", 0);
    const std::string program = "build/release/bin/nim-greedy";
    ASSERT_NE(command.find(program), command.npos);
    command.replace(command.find(program), program.size(), kGreedy[0]);

    std::string output;
    for (const std::string& line : answers({"sh", "-c", command}, "")) output += line + "\n";
    EXPECT_EQ(output, fenced_block(readme, "text", 0));
}

TEST(Readme, ItsFirstIdeaPlays) {
    std::ifstream file(kPythonNim[0]);
    std::stringstream text;
    text << file.rdbuf();
    std::string bot = text.str();
    const std::size_t begin = bot.find("def choose_move(");
    const std::size_t end = bot.find("\n\n\n", begin);
    ASSERT_NE(end, bot.npos);
    bot.replace(begin, end - begin, fenced_block(kSource + "/bots/README.md", "python", 0));
    const ::test::TemporaryFile copy(bot);
    EXPECT_THAT(answers({"python3", copy.path()}, "position fen nim:0,4,5\ngo\n"),
                ElementsAre("bestmove 2=0"));
}

}  // namespace bots::programs_test

#include "arena/players/diagnosis.hpp"

namespace arena::diagnosis_test {

using namespace std::chrono_literals;
using namespace testing;

ExitStatus code(int number) { return {number, std::nullopt}; }
ExitStatus signal_of(int number) { return {std::nullopt, number}; }

Diagnosis told(ExitStatus exit, std::string_view said, std::size_t last_line = 40) {
    return diagnose({exit, said, last_line});
}

TEST(Diagnosis, NamesTheExceptionInTheLanguagesOfBots) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"Traceback (most recent call last):\n  File \"b.py\", line 3, in <module>\n"
         "IndexError: list index out of range\n",
         "IndexError: list index out of range"},
        {"Traceback (most recent call last):\n  File \"b.py\", line 3\n    assert x\n"
         "AssertionError\n",
         "AssertionError"},
        {"  File \"b.py\", line 3\n    if x\n        ^\nSyntaxError: expected ':'\n",
         "SyntaxError: expected ':'"},
        {"Exception in thread \"main\" java.lang.NumberFormatException: For input string: "
         "\"x\"\n"
         "\tat java.base/java.lang.Integer.parseInt(Integer.java:652)\n\tat "
         "Bot.main(Bot.java:9)\n",
         "Exception in thread \"main\" java.lang.NumberFormatException: For input string: "
         "\"x\""},
        {"/b.js:2\nfoo();\n^\n\nReferenceError: foo is not defined\n    at Object.<anonymous> "
         "(/b.js:2:1)\n\nNode.js v18.19.0\n",
         "ReferenceError: foo is not defined"},
        {"panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 "
         "[running]:\n"
         "main.main()\n\t/b.go:7 +0x1d\nexit status 2\n",
         "panic: runtime error: index out of range [3] with length 3"},
        {"thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds\n"
         "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
         "thread 'main' panicked at src/main.rs:2:5:"},
        {"terminate called after throwing an instance of 'std::out_of_range'\n"
         "  what():  vector::_M_range_check\n",
         "what():  vector::_M_range_check"},
        {"I am thinking\n", ""},
        {"", ""},
    };
    for (const auto& [said, line] : cases) EXPECT_EQ(exception_line(said), line) << said;
    EXPECT_EQ(told(code(1), cases[0].first).detail,
              "its process ended with exit status 1: IndexError: list index out of range");
}

TEST(Diagnosis, KnowsWhatASubmissionMayNotDo) {
    const auto remedy = [](std::string_view said) { return told(code(1), said).remedy; };
    EXPECT_EQ(remedy("OSError: [Errno 30] Read-only file system: 'log.txt'\n"),
              "a submission may not write files: use stderr");
    EXPECT_EQ(remedy("ModuleNotFoundError: No module named 'numpy'\n"),
              "only the standard library can be imported where bots are graded, and files that "
              "are handed in with the bot");
}

TEST(Diagnosis, KnowsProgramsThatSpeakAnotherProtocol) {
    for (const char* line :
         {"uciok", " UCIOK ", "Unknown command: ugi", "unknown command 'ugi'.",
          "Unknown command: \"ugi\"", "ugi: invalid command"}) {
        EXPECT_EQ(foreign_advice(line), kForeignAdvice) << line;
    }
    for (const char* line :
         {"", "ugiok", "unknown plugin", "id name ugi", "ugi", "Unknown: uci"}) {
        EXPECT_EQ(foreign_advice(line), "") << line;
    }
}

TEST(Diagnosis, HasARemedyForEachKindOfDeath) {
    struct Case {
        ExitStatus exit;
        const char* said;
        std::size_t last_line;
        const char* remedy;  // a part of it; empty: none
    };
    const Case cases[]{
        {code(127), "env: 'python3\\r': No such file or directory\n", 40, "LF alone"},
        {code(2), "python3: can't open file '/b.py': [Errno 2] No such file or directory\n", 0,
         "dir="},
        {code(1), "MemoryError\n", 40, "ran out of memory"},
        {signal_of(SIGABRT),
         "terminate called after throwing an instance of 'std::bad_alloc'\n", 40,
         "ran out of memory"},
        {code(1), "SyntaxError: expected ':'\n", 0,
         "cannot be parsed: mend the line that stderr names"},
        {code(1), "IndexError: list index out of range\n", 40, ""},
        {code(1), "no book.txt: No such file or directory\nKeyError: 3\n", 40, ""},
        {code(1), "' panicked at b.rs:2:5:\nNo such file or directory\n", 40, "name files as"},
        {code(1), "no licence found\n", 40, ""},
        {code(1), "", 40, "let it say there why"},
        {signal_of(SIGSEGV), "", 67842, "a line of 67842 bytes: is its line buffer too small?"},
        {code(0), "", 67842, "a line of 67842 bytes: is its line buffer too small?"},
        {code(1), "bufio.Scanner: token too long\n", 67842, "Scanner.Buffer"},
        {code(0), "", 40, "it ended by itself"},
        {signal_of(SIGKILL), "", 40, "memory runs out"},
        {signal_of(SIGXCPU), "", 40, "stop computing"},
        {signal_of(SIGXFSZ), "", 40, "write less to files"},
        {signal_of(SIGSEGV), "", 40, "debugger"},
        {signal_of(SIGFPE), "", 40, "division by zero"},
        {signal_of(SIGUSR1), "", 40, ""},
    };
    for (const Case& one : cases) {
        const std::string remedy = told(one.exit, one.said, one.last_line).remedy;
        if (*one.remedy == '\0')
            EXPECT_EQ(remedy, "") << one.said;
        else
            EXPECT_THAT(remedy, HasSubstr(one.remedy)) << one.said;
    }
}

// What is added to how it ended, and to the remedy.
std::pair<std::string, std::string> lacks(const Death& death,
                                          std::string_view environment = "PATH alone") {
    std::pair<std::string, std::string> said{"it ended", "mend it"};
    explain_environment(death, environment, said.first, said.second);
    return said;
}

const std::pair<std::string, std::string> kLacksNothing{"it ended", "mend it"};

TEST(Diagnosis, SuspectsTheEnvironmentOnlyOfAProgramThatRan) {
    for (const char* said :
         {"", "no licence found\n", "KeyError: 'PYTHONPATH'\n",
          "ModuleNotFoundError: No module named 'numpy'\n",
          "FileNotFoundError: [Errno 2] No such file or directory: '/x'\n"}) {
        EXPECT_THAT(lacks({code(1), said}), Pair("it ended", "mend it; PATH alone")) << said;
        EXPECT_EQ(lacks({code(1), said}, ""), kLacksNothing) << "it has all the arena has";
    }
    for (const char* said :
         {"python3: can't open file '/b.py': [Errno 2] No such file or directory\n",
          "Error: Cannot find module '/b.js'\n", "Error: Unable to access jarfile b.jar\n",
          "SyntaxError: expected ':'\n", "IndentationError: unexpected indent\n",
          "env: 'python3\\r': No such file or directory\n", "MemoryError\n"}) {
        EXPECT_EQ(lacks({code(1), said}), kLacksNothing) << said;
    }
    EXPECT_EQ(lacks({std::nullopt, ""}), kLacksNothing) << "it did not run, or runs";
    EXPECT_EQ(lacks({code(0), ""}), kLacksNothing);
    EXPECT_EQ(lacks({signal_of(SIGSEGV), ""}), kLacksNothing);
}

TEST(Diagnosis, ShowsWhatTheSandboxItselfSays) {
    EXPECT_THAT(
        lacks({code(1), "bwrap: execvp ./b: No such file or directory\nmore\n"}),
        Pair("it ended; bwrap: execvp ./b: No such file or directory", "mend it; PATH alone"));
}

TEST(Diagnosis, ReadsTheExitStatusOfAShell) {
    EXPECT_EQ(words_of(code(139)),
              "ended with exit status 139 (128 + SIGSEGV: as a shell tells it)");
    for (const int other : {0, 1, 127, 128, 192, 255})
        EXPECT_EQ(words_of(code(other)), "ended with exit status " + std::to_string(other));
}

TEST(Diagnosis, SaysWhichLimitOfTheArenaEndedIt) {
    EXPECT_EQ(told(signal_of(SIGXCPU), "").detail,
              "its process was ended by SIGXCPU: it used more than twice the CPU time that its "
              "moves may take");
    const ExitStatus killed{{}, SIGKILL, true};
    EXPECT_EQ(words_of(killed),
              "was ended by SIGKILL: it used up the memory that the sandbox has for it")
        << "also where no remedy is told";
    const Diagnosis memory = diagnose({killed, ""});
    EXPECT_EQ(
        memory.detail,
        "its process was ended by SIGKILL: it used up the memory that the sandbox has for "
        "it");
    EXPECT_THAT(memory.remedy, HasSubstr("--sandbox-memory"));
    EXPECT_THAT(diagnose({killed, "", 40, "1G (--sandbox-memory)"}).detail,
                EndsWith("the memory that the sandbox has for it, 1G (--sandbox-memory)"));
    const std::string limit = "1G for each of its processes (data=)";
    EXPECT_EQ(diagnose({code(1), "MemoryError\n", 40, limit}).remedy,
              "it ran out of memory, of which it has 1G for each of its processes (data=): let "
              "it keep less, or allow more");
    EXPECT_EQ(diagnose({code(1), "MemoryError\n", 40}).remedy,
              "it ran out of memory: let it keep less");
    EXPECT_EQ(diagnose({std::nullopt, "", 40}).detail, "") << "a peer over TCP";
}

TEST(Diagnosis, DistinguishesASearchFromAWaitForInput) {
    const auto words = [](Milliseconds used, Milliseconds waited, Milliseconds queued = 0ms) {
        return cpu_words({waited, used, queued});
    };
    EXPECT_EQ(words(1050ms, 1050ms), "it used 1.05 s of CPU: an endless loop or a long search");
    EXPECT_EQ(words(2ms, 1050ms),
              "it used no CPU: is it waiting for input or a disk, or sleeping?");
    EXPECT_EQ(words(310ms, 1000ms),
              "it used 0.31 s of CPU in 1.00 s: an endless loop or a long search");
    EXPECT_EQ(words(110ms, 1000ms), "it used 0.11 s of CPU in 1.00 s");
}

TEST(Diagnosis, CountsTheTimeWithoutACoreAsComputing) {
    EXPECT_EQ(
        cpu_words({1000ms, 300ms, 650ms}),
        "it used 0.30 s of CPU in 1.00 s, and waited 0.65 s for a core: an endless loop or "
        "a long search");
    EXPECT_EQ(
        cpu_words({1000ms, 15ms, 900ms}),
        "it used 0.01 s of CPU in 1.00 s, and waited 0.90 s for a core: the machine is too "
        "busy to tell whether it would have answered");
    EXPECT_EQ(cpu_words({1000ms, 50ms, 120ms}),
              "it used 0.05 s of CPU in 1.00 s, and waited 0.12 s for a core");
    EXPECT_EQ(cpu_words({1000ms, 5ms, 10ms}),
              "it used no CPU: is it waiting for input or a disk, or sleeping?");
    EXPECT_EQ(cpu_words({1000ms, 5ms, std::nullopt}), "it used no CPU")
        << "it may have waited for a core";
    EXPECT_EQ(cpu_words({1000ms, 50ms, std::nullopt}), "it used 0.05 s of CPU in 1.00 s");
    EXPECT_TRUE(was_busy({1000ms, 15ms, 900ms}));
    EXPECT_FALSE(was_busy({1000ms, 50ms, 120ms}));
    EXPECT_FALSE(was_busy({1000ms, 50ms, std::nullopt}));
}

TEST(Diagnosis, ExcusesWhoeverGotNoCore) {
    EXPECT_TRUE(was_starved({10'000ms, 20ms, 9'000ms}));
    EXPECT_FALSE(was_starved({10'000ms, 20ms, 4'000ms})) << "it slept for longer";
    EXPECT_FALSE(was_starved({10'000ms, 20ms, 0ms})) << "it slept";
    EXPECT_FALSE(was_starved({10'000ms, 3'000ms, 7'000ms})) << "it computed";
    EXPECT_FALSE(was_starved({10'000ms, 20ms, std::nullopt})) << "not known";
}

TEST(Diagnosis, SeesAnAnswerAfterAPrompt) {
    const char* const advice =
        "'bestmove' must begin its line: prompts and debug text belong on stderr";
    EXPECT_EQ(word_advice("> bestmove 1=0", "bestmove"), advice);
    EXPECT_EQ(word_advice("move?bestmove 1=0", "bestmove"), advice);
    for (const char* line : {"", "bestmove 1=0", "info string no bestmove yet", "thinking"}) {
        EXPECT_EQ(word_advice(line, "bestmove"), "") << line;
    }
}

TEST(Diagnosis, SeesAnAnswerInOtherWords) {
    EXPECT_EQ(word_advice("bestMove 1=0", "bestmove"),
              "'bestMove' is written 'bestmove', in lower case");
    EXPECT_EQ(word_advice("UGIOK", "ugiok"), "'UGIOK' is written 'ugiok', in lower case");
    EXPECT_EQ(word_advice("id name writes no ugiok", "ugiok"), "");
    EXPECT_EQ(word_advice("uciok", "ugiok"),
              "the protocol is UGI, not UCI: `ugi` is answered by 'ugiok'");
    EXPECT_EQ(word_advice("1=0", "bestmove"),
              "a move comes after the word bestmove: 'bestmove 1=0'");
    EXPECT_EQ(word_advice("12:0", "bestmove"),
              "a move comes after the word bestmove: 'bestmove 12:0'");
    EXPECT_EQ(word_advice("bestmove: 1=0", "bestmove"),
              "'bestmove:' is written 'bestmove', without the colon");
    EXPECT_EQ(word_advice("readyok:", "readyok"),
              "'readyok:' is written 'readyok', without the colon");
    for (const char* line : {"best move 1=0", "bestmov 1=0", "move 1=0", "move: 1=2,4"}) {
        const std::string move = std::string(line).substr(std::string(line).rfind(' ') + 1);
        EXPECT_EQ(word_advice(line, "bestmove"),
                  "write 'bestmove " + move + "' instead of '" + line + "'");
    }
    for (const char* line : {"=", "12:30 thinking", "depth 3", "thinking about heap 1 1=0"}) {
        EXPECT_EQ(word_advice(line, "bestmove"), "") << line;
    }
}

}  // namespace arena::diagnosis_test

// nim-engine as a process: its command line.
#include "engine/commands/command.hpp"
#include "tests/harness/child_process.hpp"
#include "tests/harness/temporary_file.hpp"

namespace engine::test::program_test {

using namespace testing;
using protocol::test::ChildProcess;

struct Ended {
    int status;
    std::string output;  // of both streams
};

Ended run_shell(const std::string& command) {
    ChildProcess shell({"sh", "-c", command});
    std::string output;
    for (const std::string& line : shell.read_lines()) output += line + '\n';
    return {shell.wait(), output};
}

Ended run(const std::string& arguments, const std::string& input = "") {
    return run_shell("printf '" + input + "' | '" NIM_ENGINE "' " + arguments);
}

TEST(NimEngine, SpeaksTheProtocol) {
    const Ended played = run("", "position fen nim:3,4,5\\nquery fen\\ngo\\n");
    EXPECT_EQ(played.status, 0);
    EXPECT_THAT(played.output, AllOf(HasSubstr("response nim:3,4,5\n"),
                                     HasSubstr("outcome N nimber 2 pv 1=1\nbestmove 1=1\n")));
}

TEST(NimEngine, EvaluatesQuotedAndUnquotedPositions) {
    const Ended quoted = run("eval 'nim:1,2 misere'");
    EXPECT_EQ(quoted.status, 0);
    EXPECT_THAT(quoted.output, HasSubstr("winning moves (1): 2=0\n"));
    EXPECT_EQ(run("eval nim:1,2 misere").output, quoted.output);
    EXPECT_THAT(run("eval --json nim:1,2 misere").output, HasSubstr("\"outcome\":\"N\""));
}

TEST(NimEngine, SaysThatItsOutputCannotBeWritten) {
    for (const std::string words :
         {"eval nim:1,2", "--help", "--version", "--help-format man", "--listen 127.0.0.1:0"}) {
        const Ended full = run_shell("exec '" NIM_ENGINE "' " + words + " 2>&1 >/dev/full");
        EXPECT_EQ(full.status, 1) << words;
        EXPECT_EQ(full.output,
                  "nim-engine: cannot write the output: No space left on device\n");
    }
}

TEST(NimEngine, ReadsNoCatalogueWithoutAnEnd) {
    const Ended endless = run("--rulesets /dev/zero rulesets");
    EXPECT_EQ(endless.status, 2);
    EXPECT_THAT(endless.output,
                HasSubstr("the catalogue file '/dev/zero' has more than 16 MiB"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which map terabytes
TEST(NimEngine, SaysThatTheSystemGivesNoMemory) {
    const ::test::TemporaryFile graph("a->b;\n");
    std::filesystem::resize_file(graph.path(), 900 << 20);
    const Ended ended = run_shell("(ulimit -v 500000; exec '" NIM_ENGINE "' eval 'graph{@" +
                                  graph.path() + "}:a')");
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.output, "nim-engine: the system gave no more memory\n");
}
#endif

TEST(NimEngine, ReadsPositionsWithBlanksOnItsCommandLine) {
    const Ended plain = run("eval 'take{1,2,3}:5,6'");
    EXPECT_EQ(plain.status, 0);
    EXPECT_EQ(run("eval 'take{1, 2, 3}: 5, 6'").output, plain.output);
    EXPECT_EQ(run("eval 'take{1, 2, 3}:' 5, 6").output, plain.output);
    EXPECT_EQ(run("perft 'nim: 3, 4' 2").output, run("perft nim:3,4 2").output);
    EXPECT_EQ(run("values 'take{1, 2, 3}' 0-9").output, run("values 'take{1,2,3}' 0-9").output);
    // The protocol is strict.
    EXPECT_THAT(run("", "position fen nim:3, 4\n").output,
                HasSubstr("info string error column 20: read ' ', expected a heap"));
}

TEST(NimEngine, ReadsCodesAsTheLiteratureWritesThem) {
    EXPECT_THAT(run("eval 0.77:5").output, HasSubstr("octal{0.77}:5\n"));
    EXPECT_EQ(run("values .137 0-20").output, run("values dawson-chess 0-20").output);
    EXPECT_EQ(run("values '4.[3]' 0-20").output, run("values lasker 0-20").output);
    EXPECT_THAT(run("period 4.3").output, HasSubstr("octal{4.3}: periodic, period 2"));
    EXPECT_THAT(run("period '0.[37]' --limit 200").output, HasSubstr("octal{0.[37]}: "));
    EXPECT_EQ(run("", "position fen .77:5,2 moves 1=1,2\\nquery fen\\n").output,
              "response octal{.77}:1,2,2\n");
}

TEST(NimEngine, ReadsGraphsFromFiles) {
    const ::test::TemporaryFile file("a -> b, c; # and\nb -> c\n");
    const std::string text = "graph{@" + file.path() + "}";
    const Ended played =
        run("", "position fen " + text + ":a,b\\nquery fen\\nquery legalmoves\\n");
    EXPECT_EQ(played.output, "response " + text + ":a,b\nresponse 1=b 1=c 2=c\n");
    EXPECT_EQ(run("perft '" + text + ":a' 2").output, "1\n");
    // Not for strangers.
    const Ended refused = run("--connect 127.0.0.1:1 --rulesets /dev/stdin", "x = " + text);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.output, HasSubstr("only nim-engine reads one from a file"));
}

TEST(NimEngine, EndsWithTwoWhereItCannotRead) {
    struct Case {
        const char* arguments;
        const char* output;
    };
    const Case cases[] = {
        {"eval nim:3,x",
         "nim-engine eval: column 7: read 'x', expected a heap such as 5, (3,5) or (w+1)\n"
         "nim:3,x\n"
         "      ^\n"},
        {"evla nim:3",
         "nim-engine: read 'evla', expected an option or a command; did you mean 'eval'? Try "
         "--help\n"},
        {"help evaluate",
         "nim-engine: read 'evaluate', expected a command or a term that they print; did you "
         "mean 'eval'? Try --help\n"},
        {"help help",
         "nim-engine: read 'help', expected a command or a term that they print; try --help\n"},
        {"nim:3,4",
         "nim-engine: read 'nim:3,4', expected an option or a command; did you mean 'eval "
         "nim:3,4'? Try --help\n"},
        {"play", "nim-engine: read 'play', expected an option or a command; try --help\n"},
        {"--lisen localhost:1",
         "nim-engine: unrecognised option '--lisen', did you mean '--listen'? Try --help\n"},
        {"eval '0.8F: 5'",
         "nim-engine eval: column 3: read '8F', expected a digit 0-7; with more "
         "it is a hex{CODE}\n"
         "0.8F:5\n"
         "  ^\n"},
        {"--rulesets", "nim-engine: read the end, expected a file after --rulesets\n"},
        {"--foo", "nim-engine: unrecognised option '--foo'; try --help\n"},
        {"eval nim:3 --hash",
         "nim-engine: read the end, expected a number of MB after --hash\n"},
        {"eval nim:3 --hash 0", "nim-engine: read '--hash 0', expected 1 to 1048576 MB\n"},
        {"eval nim:3 --hash 4 --hash=8", "nim-engine: read '--hash=8', expected --hash once\n"},
        {"--rulesets a eval nim:3 --rulesets b",
         "nim-engine: read '--rulesets', expected --rulesets once\n"},
        {"--hash=9",
         "nim-engine: read '--hash 9', expected a command or --listen with it; a single "
         "session has the option Hash\n"},
        {"--listen 127.0.0.1:0 --hash 0",
         "nim-engine: read '--hash 0', expected 1 to 1048576 MB\n"},
        {"--rulesets /no/such eval nim:3",
         "nim-engine: cannot read the catalogue file '/no/such': No such file or "
         "directory\n"},
    };
    for (const auto& [arguments, output] : cases) {
        const Ended failed = run(arguments);
        EXPECT_EQ(failed.status, 2) << arguments;
        EXPECT_EQ(failed.output, output);
    }
    EXPECT_EQ(run("--colour").status, 2);
}

TEST(NimEngine, NamesItsCommandsInItsHelp) {
    for (const char* arguments : {"--help", "--help eval", "help", "-h"}) {
        const Ended help = run(arguments);
        EXPECT_EQ(help.status, 0);
        EXPECT_THAT(help.output, AllOf(HasSubstr("Usage: nim-engine [COMMAND] [options]\n"),
                                       HasSubstr("--listen HOST:PORT"), HasSubstr("--rulesets"),
                                       HasSubstr("\n  eval      who wins")));
    }
}

TEST(NimEngine, ExplainsACommandInItsHelp) {
    for (const char* arguments :
         {"eval --help", "eval nim:3 --help", "eval --help --colour", "eval -h", "help eval"}) {
        const Ended help = run(arguments);
        EXPECT_EQ(help.status, 0);
        EXPECT_THAT(help.output, AllOf(HasSubstr("usage: nim-engine eval POSITION [OPTION]..."),
                                       HasSubstr("\n  --time MS  ")));
    }
}

TEST(NimEngine, ExplainsEachTermInItsHelp) {
    for (const char* word :
         {"mex", "nimber", "P-position", "N-position", "saltus", "purely periodic", "tame",
          "firm", "fickle", "genus", "misere quotient", "Misère-Quotient", "remoteness", "cold",
          "ordinal"}) {
        const Ended help = run(std::string("help ") + word);
        EXPECT_EQ(help.status, 0) << word;
        EXPECT_THAT(help.output, HasSubstr("\nTry: nim-engine ")) << word;
    }
    EXPECT_THAT(run("help mex").output,
                HasSubstr("mex\nThe least number 0, 1, 2, … that is not "
                          "in a set: mex {0,1,3} = 2, mex {} = 0.\n"));
    EXPECT_THAT(run("help genus").output, AllOf(HasSubstr("usage: nim-engine genus"),
                                                HasSubstr("\ngenus\nA symbol such as 4^{146}")))
        << "a command and a term";
    EXPECT_THAT(run("help").output, HasSubstr("  option, mex, nimber, XOR,"));
    EXPECT_EQ(
        run("help nimbre").output,
        "nim-engine: read 'nimbre', expected a command or a term that they print; did you "
        "mean 'nimber'? Try --help\n");
    for (const Term& term : all_terms()) {
        const Ended example = run(std::string(term.example));
        EXPECT_EQ(example.status, 0) << term.example << '\n' << example.output;
    }
    EXPECT_THAT(run(std::string(find_term("remoteness")->example)).output,
                HasSubstr("the end can be forced in 3 moves"));
    EXPECT_THAT(run(std::string(find_term("draw")->example)).output, HasSubstr("outcome: D"));
    EXPECT_THAT(run(std::string(find_term("loopy")->example)).output, HasSubstr("inf{1}"));
}

TEST(NimEngine, KeepsToTheMemoryOfACommand) {
    EXPECT_THAT(run("--hash 1 quotient dawson-kayles --heaps 60").output,
                HasSubstr("not found within the 1 MB of memory there are"));
    EXPECT_EQ(run("values kayles 7 --hash=2").output, run("values kayles 7").output);
}

TEST(NimEngine, ReadsACatalogue) {
    const ::test::TemporaryFile file("odd = take{1,3}\n");
    const std::string option = "--rulesets " + file.path();
    EXPECT_THAT(run(option + " eval odd:5").output, HasSubstr("take{1,3}:5\n"));
    EXPECT_THAT(run("eval odd:5 --rulesets=" + file.path()).output, HasSubstr("take{1,3}:5\n"));
    EXPECT_EQ(run(option, "position fen odd:5\\nquery fen\\n").output,
              "response take{1,3}:5\n");
}

}  // namespace engine::test::program_test

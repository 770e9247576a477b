#include <regex>

#include "tests/engine/commands/printed.hpp"

namespace engine::test::explain_test {

using namespace testing;

std::string explain(const std::string& position) {
    const Printed said = printed(kExplain, {position});
    EXPECT_EQ(said.status, 0) << said.errors;
    return said.out;
}

TEST(Explain, ShowsHowOptionsAndXorGiveTheNimber) {
    EXPECT_EQ(
        explain("kayles:3,3+nim:1"),
        "kayles:3,3+nim:1\n"
        "outcome: N, the next player (to move) wins\n"
        "nimber: 1\n"
        "winning moves (3): 1=2 2=2 3=0\n"
        "why: the XOR is not 0: the winning moves make it 0\n"
        "\n"
        "  heap  ruleset  size  nimber  binary\n"
        "     1  kayles      3       3  11\n"
        "     2  kayles      3       3  11\n"
        "     3  nim         1       1  01\n"
        "   XOR                      1  01\n"
        "\n"
        "options of heap 1 and their nimbers\n"
        "  1=2    2\n"
        "  1=1    1\n"
        "  1=1,1  1 XOR 1 = 0\n"
        "  mex of {0,1,2} is 3: the least number that is not among them\n"
        "\n"
        "options of heap 3 and their nimbers\n"
        "  3=0  0\n"
        "  mex of {0} is 1: the least number that is not among them\n"
        "\n"
        "3 XOR 3 XOR 1 = 1: a binary digit of it is 1 where an odd number of the heaps has "
        "a 1\n");
}

TEST(Explain, GivesTheMexOfAllOptions) {
    const std::regex sentence("mex of \\{(.*)\\} is ([0-9]+)");
    for (const std::string position :
         {"nim:100", "kayles:40", "grundy:50", "wythoff:(5,9)", "cram:oooo_oooo_ooxo",
          "take{1,3,4}:99", "lasker:8", "welter:(0,3,7)", "chomp:(3,2,2)",
          "notakto:ooo_oxo_ooo", "graph{a->b;b->a,c;d->a,c;e->d,b}:e",
          "rules{n->n-k:k>=1&3*k<=n}:50", "nim:0"}) {
        const std::string text = explain(position);
        std::smatch found;
        if (position == "nim:0") {
            EXPECT_THAT(text, HasSubstr("heap 1 has no options: mex of {} is 0\n"));
            continue;
        }
        ASSERT_TRUE(std::regex_search(text, found, sentence)) << text;
        std::set<unsigned long> numbers;
        std::istringstream runs(found[1]);
        for (std::string run; std::getline(runs, run, ',');) {
            const auto dots = run.find("..");
            const auto last = std::stoul(dots == run.npos ? run : run.substr(dots + 2));
            for (auto i = std::stoul(run); i <= last; ++i) numbers.insert(i);
        }
        unsigned long mex = 0;
        while (numbers.contains(mex)) ++mex;
        EXPECT_EQ(mex, std::stoul(found[2])) << position;
    }
}

TEST(Explain, SaysWhatLoopyOptionsMean) {
    EXPECT_THAT(
        explain("graph{a->b;b->c;c->d;d->a,e;e->f}:d"),
        HasSubstr("  1=a  inf{}\n  1=e  1\n"
                  "  inf{1}: play can go on for ever; in the braces are the numbers among "
                  "these\n"));
    EXPECT_THAT(
        explain("graph{a->b;b->c;c->d;d->a,e;e->f;x->d,f}:x"),
        HasSubstr("  mex of {0} is 1: the least number that is not among them; from each "
                  "of the others a move leads back to it\n"));
}

TEST(Explain, LeavesOutWhatDoesNotHelp) {
    EXPECT_THAT(explain("nim:(w)"), HasSubstr("\nheap 1 has too many options to list\n"));
    EXPECT_THAT(explain("kayles:5 misere"), Not(HasSubstr("options")));
    const std::string two = printed(kEval, {"nim:3,4"}).out;
    EXPECT_THAT(two, Not(HasSubstr("options"))) << "eval explains a single heap only";
    EXPECT_THAT(printed(kEval, {"nim:3"}).out, HasSubstr("  mex of {0,1,2} is 3"));
    EXPECT_THAT(printed(kEval, {"nim:3", "--json"}).out, Not(HasSubstr("mex")));
}

}  // namespace engine::test::explain_test

#include "engine/commands/command.hpp"
#include "tests/engine/commands/printed.hpp"

#include <iterator>

#include "tests/harness/temporary_file.hpp"

namespace engine::test::values_command_test {

Printed values(const std::vector<std::string>& words, const std::string& catalogue = "") {
    return printed(kValues, words, catalogue);
}

TEST(Values, PrintsRows) {
    EXPECT_EQ(values({"take{1,3,4}", "3-21"}).out,
              "      0    1    2    3    4    5    6    7    8    9\n"
              " 0                   1    2    3    2    0    1    0\n"
              "10    1    2    3    2    0    1    0    1    2    3\n"
              "20    2    0\n");
    EXPECT_EQ(values({"take{1,3,4}", "0-13", "--columns", "7"}).out,
              "      0    1    2    3    4    5    6\n"
              " 0    0    1    0    1    2    3    2\n"
              " 7    0    1    0    1    2    3    2\n");
    EXPECT_EQ(values({"nim", "100000-100001", "--columns=2"}).out,
              "            0      1\n"
              "100000 100000 100001\n");
    EXPECT_EQ(values({"rules{(a,b)->(b,a):a!=b}", "2x2"}).out,
              "         0        1\n"
              "0        0    inf{}\n"
              "1    inf{}        0\n");
}

TEST(Values, WritesJson) {
    EXPECT_EQ(values({"take{1,3,4}", "2-6", "--json"}).out,
              R"({"ruleset":"take{1,3,4}","from":2,"values":[0,1,2,3,2]})"
              "\n");
    EXPECT_EQ(values({"nim", "9223372036854775807", "--json"}).out,
              R"({"ruleset":"nim","from":9223372036854775807,"values":[9223372036854775807]})"
              "\n");
    EXPECT_EQ(values({"odd", "0-3", "--json", "--outcomes"}, "odd = take{1,3}").out,
              R"({"ruleset":"take{1,3}","from":0,"outcomes":["P","N","P","N"]})"
              "\n");
}

TEST(Values, SaysWhatIsNotKnown) {
    EXPECT_EQ(values({"take{7,9,3000000000000}", "6-8", "--time", "0", "--json"}).out,
              R"({"ruleset":"take{7,9,3000000000000}","from":6,"values":[0,null,null]})"
              "\n");
    EXPECT_EQ(values({"take{7,9,4000000000000}", "6-8", "--time", "0", "--outcomes"}).out,
              "     0    1    2    3    4    5    6    7    8    9\n"
              "0                                  P    ?    ?\n");
}

TEST(Values, ListsTheVerticesOfAGraph) {
    EXPECT_EQ(values({"graph{a->b,c;b->a;c->d}"}).out, "a  inf{1}\nb  inf{}\nc  1\nd  0\n");
    EXPECT_EQ(values({"graph{a->b,c;b->a;c->d}", "--json"}).out,
              R"({"ruleset":"graph{a->b,c;b->a;c->d}",)"
              R"("values":{"a":"inf{1}","b":"inf{}","c":1,"d":0}})"
              "\n");
    EXPECT_EQ(values({"graph{a->b,c;b->a;b->d}", "--outcomes"}).out,
              "a  N\nb  N\nc  P\nd  P\n");
    EXPECT_EQ(values({"graph{a->b;b->a,c;c->d}", "--outcomes"}).out,
              "a  D\nb  D\nc  N\nd  P\n");
}

TEST(Values, ListsEmptyBoardsUpToASize) {
    EXPECT_EQ(values({"cram", "3x4"}).out,
              "   1  2  3  4\n"
              "1  0  1  1  2\n"
              "2  1  0  1  0\n"
              "3  1  1  0  1\n");
    EXPECT_EQ(values({"cram", "2x2", "--json"}).out,
              R"({"ruleset":"cram","rows":2,"columns":2,"values":[[0,1],[1,0]]})"
              "\n");
}

TEST(Values, SaysWhatItCannotRead) {
    expect_refused(
        kValues,
        {
            {{}, "read the end, expected a ruleset"},
            {{".137"}, "read no range after the ruleset, expected one such as 0-99"},
            {{"wythoff"}, "read no range after the ruleset, expected one such as 8x8"},
            {{"nim", "5-3"}, "column 3: read '3', expected a range that ascends\n5-3\n  ^"},
            {{"nim", "3x"},
             "column 3: read the end, expected a range such as 0-99, 7, 8x8 or 4x5x6\n3x\n  ^"},
            {{"wythoff", "0x3"}, "column 1: read '0x3', expected sizes from 1\n0x3\n^"},
            {{"nim", "0-9999999999999"},
             "column 1: read '0-9999999999999', expected 1000000000 heaps at "
             "most\n0-9999999999999\n^"},
            {{"wythoff", "4294967296x4294967296"},
             "column 1: read '4294967296x4294967296', expected 1000000000 heaps at "
             "most\n4294967296x4294967296\n^"},
            {{"wythoff", "0-3"},
             "read '0-3', expected sizes such as 8x8: heaps of the ruleset are pairs"},
            {{"kayles", "8x8"},
             "read '8x8', expected a range such as 0-99: heaps of the ruleset are numbers"},
            {{"graph{a->b}", "0-3"},
             "read '0-3', expected no range: all vertices of a graph are listed"},
            {{"nim", "0-3", "--columns", "0"}, "read '0', expected 1 to 1000 after --columns"},
            {{"graph{a->b}", "a"},
             "read 'a', expected no range: all vertices of a graph are listed"},
            {{"cram"}, "read no range after the ruleset, expected one such as 4x6"},
            {{"cram", "0-9"},
             "read '0-9', expected sizes such as 4x6: heaps of the ruleset are boards"},
            {{"cram", "1x1000000000"},
             "column 1: read '1x1000000000', expected 1024 heaps at most\n1x1000000000\n^"},
            {{"notakto", "3x3"},
             "read 'notakto', expected a ruleset whose heaps are numbers, pairs, triples, "
             "vertices, or boards of any size"},
            {{"take2", "0-3", "take5"},
             "read 'take5', expected the end: quote a text with braces"},
            {{"nim", "0-3", "--plot"}, "read the end, expected --svg FILE with --plot"},
            {{"nim", "0-3", "--svg", "x.svg", "--json"},
             "read --json and --svg, expected one of them"},
            {{"wythoff", "8x8", "--plot", "--svg", "x.svg"},
             "read 'wythoff', expected a ruleset whose heaps are numbers, for a plot"},
            {{"nim", "0-3", "4"}, "read '4', expected the end"},
        });
}

TEST(Values, WritesAPicture) {
    const ::test::TemporaryFile file;
    EXPECT_EQ(values({"kayles", "0-99", "--svg", file.path()}).out,
              "Nimbers of kayles 0-99, 12 in a row: " + file.path() + "\n");
    std::ifstream written(file.path());
    const std::string svg{std::istreambuf_iterator<char>(written), {}};
    EXPECT_NE(svg.find("data-heap=\"99\" data-value=\"8\""), std::string::npos);
    const Printed failed = values({"kayles", "0-9", "--svg", "/nowhere/x.svg"});
    EXPECT_EQ(failed.status, 1);
    EXPECT_EQ(failed.errors,
              "nim-engine values: cannot write '/nowhere/x.svg': No such file or directory\n");
}

TEST(Values, MarksWhatIsNoHeap) {
    EXPECT_EQ(values({"node-kayles{a->b}", "0-5", "--columns", "6"}).out,
              "     0    1    2    3    4    5\n"
              "0    0    1    1    1    -    -\n");
    EXPECT_EQ(values({"hackenbush{ground->a;a->b}", "0-3", "--json"}).out,
              "{\"ruleset\":\"hackenbush{ground->a;a->b}\",\"from\":0,"
              "\"values\":[0,1,null,2]}\n");
    EXPECT_EQ(values({"welter", "3x3"}).out,
              "   0  1  2\n"
              "0  -  0  1\n"
              "1  0  -  2\n"
              "2  1  2  -\n");
}

}  // namespace engine::test::values_command_test

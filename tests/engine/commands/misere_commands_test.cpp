#include <boost/json.hpp>

#include "engine/commands/command.hpp"
#include "tests/engine/commands/printed.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::test::misere_commands_test {

using namespace testing;

Printed genus(const std::vector<std::string>& words) { return printed(kGenus, words); }

Printed quotient(const std::vector<std::string>& words) { return printed(kQuotient, words); }

TEST(GenusCommand, PrintsSymbols) {
    EXPECT_EQ(genus({"kayles", "3-6"}).out,
              "heap  genus\n"
              "   3  3^{31}\n"
              "   4  1^{031}\n"
              "   5  4^{146}          wild\n"
              "   6  3^{31}\n");
    // The genus of a nim heap, but moves to heaps that are wild.
    EXPECT_EQ(genus({"kayles", "7-8"}).out,
              "heap  genus\n"
              "   7  2^{20}           leads to wild\n"
              "   8  1^{13}\n");
    EXPECT_EQ(genus({"take{1-4}", "1000000000003"}).out,
              "         heap  genus\n"
              "1000000000003  3^{31}\n");
}

TEST(GenusCommand, WritesJson) {
    EXPECT_EQ(genus({"octal{0.77}", "4-5", "--json"}).out,
              R"({"ruleset":"octal{0.77}","from":4,"genus":["1^{031}","4^{146}"],)"
              R"("tame":[true,false],"reason":null})"
              "\n");
}

TEST(GenusCommand, SaysWhatIsNotKnown) {
    EXPECT_EQ(genus({"octal{0.77}", "4000000000000", "--json", "--time", "0"}).out,
              R"({"ruleset":"octal{0.77}","from":4000000000000,"genus":[null],"tame":[null],)"
              R"json("reason":"not found within 0 ms (see --time)"})json"
              "\n");
}

TEST(GenusCommand, NamesTheMemoryAsALimit) {
    const LittleMemory memory(1 << 20);
    const Printed printed = genus({"octal{0.77}", "39-45", "--time", "60000"});
    EXPECT_THAT(printed.out, HasSubstr("\n  45  unknown\nunknown: its canonical form does not "
                                       "fit the "));
    EXPECT_THAT(printed.out, HasSubstr(" MB of memory there are (see --hash)\n"));
    EXPECT_THAT(
        genus({"octal{0.77}", "100000-100001", "--time", "60000"}).out,
        HasSubstr("unknown: its moves, or those that follow, are too many for half of "));
    EXPECT_EQ(genus({"octal{0.77}", "4000000000000", "--time", "60000"}).out,
              "         heap  genus\n"
              "4000000000000  unknown\n"
              "unknown: it, or a heap it leads to, has more than 1000000 moves, the most that "
              "are examined\n");
}

TEST(GenusCommand, NamesALimitThatNoOptionRaises) {
    EXPECT_THAT(genus({"rules{n->n-1}", "200000", "--time", "60000"}).out,
                HasSubstr("unknown: play from it lasts 100000 moves or more, the most that is "
                          "followed\n"));
}

TEST(QuotientCommand, PrintsTheMonoid) {
    EXPECT_THAT(
        quotient({"octal{0.123}", "--heaps", "30", "--time", "60000"}).out,
        StartsWith("octal{0.123}, heaps 0 to 30\n"
                   "misere quotient: order 20, 5 of them P-positions\n"
                   "period of the pretending function: 5 from heap 5 on, proven for all "
                   "heaps\n"
                   "generators: a = heap 1, b = heap 3, c = heap 8, d = heap 9\n"
                   "relations: a^2=1 c^2=1 cd=bd"));
}

TEST(QuotientCommand, NamesTheOptionThatMayProveAPeriod) {
    EXPECT_THAT(
        quotient({"kayles", "0-12"}).out,
        HasSubstr("period of the pretending function: none proven by these heaps; more by "
                  "--heaps\n"));
}

TEST(QuotientCommand, WritesJson) {
    const auto printed = quotient({"kayles", "--heaps", "168", "--json", "--time", "60000"});
    const auto object = boost::json::parse(printed.out).as_object();
    EXPECT_EQ(object.at("order"), 40);
    EXPECT_EQ(object.at("p_count"), 9);
    EXPECT_EQ(object.at("preperiod"), 71);
    EXPECT_EQ(object.at("period"), 12);
    EXPECT_EQ(object.at("generators").as_array().size(), 7U);
    EXPECT_EQ(object.at("p_positions").as_array().size(), 9U);
    EXPECT_EQ(object.at("phi").as_array().size(), 169U);
    EXPECT_EQ(object.at("phi").at(0), "1");
    EXPECT_EQ(object.at("phi").at(1), "a");
    EXPECT_EQ(object.at("relations").at(0), boost::json::array({"a^2", "1"}));

    EXPECT_EQ(quotient({"nim", "--heaps", "2", "--json"}).out,
              R"({"ruleset":"nim","heaps":2,"order":6,"p_count":2,"preperiod":null,)"
              R"("period":null,"generators":[{"name":"a","heap":1},{"name":"b","heap":2}],)"
              R"("relations":[["a^2","1"],["b^3","b"]],"p_positions":["a","b^2"],)"
              R"("phi":["1","a","b"]})"
              "\n");
}

TEST(QuotientCommand, SaysThatNothingWasFound) {
    EXPECT_THAT(
        quotient({"kayles", "--order", "39"}).out,
        HasSubstr("misere quotient: it has more than 39 elements, or infinitely many (see "
                  "--order; --heaps of fewer may be finite)\n"));
    EXPECT_EQ(quotient({"grundy", "--heaps", "3999", "--json", "--time", "0"}).out,
              R"({"ruleset":"grundy","heaps":3999,"order":null,)"
              R"json("reason":"not found within 0 ms (see --time)"})json"
              "\n");
}

TEST(MisereCommands, RefuseWhatTheyCannotRead) {
    const auto refused = [](const Printed& printed) {
        EXPECT_EQ(printed.status, 2);
        EXPECT_EQ(printed.out, "");
        return printed.errors;
    };
    EXPECT_EQ(refused(genus({})), "nim-engine genus: read the end, expected a ruleset\n");
    EXPECT_EQ(refused(genus({"kayles"})),
              "nim-engine genus: read no range after the ruleset, expected one: nim-engine "
              "genus 'kayles' 0-40\n");
    EXPECT_EQ(refused(genus({"kayles", "9-x"})),
              "nim-engine genus: column 3: read 'x', expected a range such as 0-40, or 7\n"
              "9-x\n"
              "  ^\n");
    EXPECT_THAT(refused(genus({"kayles", "9-3"})), HasSubstr("expected a range that ascends"));
    EXPECT_THAT(refused(genus({"wythoff", "0-3"})), HasSubstr("wythoff"));
    EXPECT_THAT(refused(genus({"graph{a->a}", "0-3"})),
                HasSubstr("expected a ruleset without loops whose heaps are numbers"));
    EXPECT_EQ(refused(quotient({"kayles", "--heaps", "99999"})),
              "nim-engine quotient: read '99999', expected 0 to 4096 after --heaps\n");
    EXPECT_EQ(
        refused(quotient({"kayles", "3-8"})),
        "nim-engine quotient: read '3-8', expected 0-N or N, of 4096 at most: the quotient "
        "is that of heaps 0 to N\n");
    EXPECT_THAT(refused(quotient({"kayles", "8x8"})), HasSubstr("a range such as 0-40, or 7"));
    EXPECT_EQ(refused(quotient({"kayles", "8", "--heaps", "8"})),
              "nim-engine quotient: read '8', expected the end\n");
    EXPECT_EQ(refused(quotient({"kayles", "--order", "0"})),
              "nim-engine quotient: read '0', expected 1 to 60000 after --order\n");
    EXPECT_THAT(refused(quotient({"octal{0.99}"})), HasSubstr("column 9"));
}

}  // namespace engine::test::misere_commands_test

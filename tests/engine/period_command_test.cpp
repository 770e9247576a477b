#include "engine/analysis/period_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "engine/analysis/certificate.hpp"

namespace engine::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Printed {
    int status;
    std::string out, errors;
};

Printed period(const std::vector<std::string>& words, const std::string& catalogue = "") {
    std::ostringstream out, errors;
    const int status = run_period(words, *RulesetNames::parse(catalogue), out, errors);
    return {status, out.str(), errors.str()};
}

TEST(Period, TellsWhatIsProven) {
    EXPECT_EQ(
        period({"take{2,4,7}"}).out,
        "take{2,4,7}: periodic, period 3, from heap 8 on\n"
        "proven: a window as long as the largest member comes back, within heaps 0 to 1023\n"
        "exceptions (4): 1 3 5 7\n"
        "nimbers from heap 8 on: 1 0 2\n");
    EXPECT_EQ(
        period({"take{!2,3,5,7}"}).out,
        "take{!2,3,5,7}: arithmetic periodic, period 10, saltus 3, from heap 2 on\n"
        "proven: the state that all later nimbers come from comes back, within heaps 0 to "
        "1023\n"
        "exceptions (1): 1\n"
        "nimbers from heap 2 on: 0 1 2 0 1 0 1 2 3 2\n");
    EXPECT_EQ(period({"nim"}).out,
              "nim: arithmetic periodic, period 1, saltus 1, purely\n"
              "proven: by a formula\n"
              "nimbers from heap 0 on: 0\n");
}

TEST(Period, KnowsThePublishedPeriods) {
    struct Case {
        const char* ruleset;
        const char* law;
    };
    const Case cases[] = {
        {"kayles", "periodic, period 12, from heap 71 on\n"},
        {"dawson-kayles", "periodic, period 34, from heap 53 on\n"},
        {"dawson-chess", "periodic, period 34, from heap 52 on\n"},
        {"take{1,3,4}", "periodic, period 7, purely\n"},
        {"take{1,9,10}", "periodic, period 19, purely\n"},
        {"take{!1,2,5,6,7}", "from heap 5 on\n"},
        {"lasker", "arithmetic periodic, period 4, saltus 4, from heap 1 on\n"},
    };
    for (const auto& [ruleset, law] : cases) {
        const std::string text = period({ruleset}).out;
        EXPECT_THAT(text, AllOf(HasSubstr(law), HasSubstr("\nproven: "))) << ruleset;
    }
    EXPECT_THAT(period({"kayles"}).out,
                HasSubstr("exceptions (14): 0 3 6 9 11 15 18 21 22 28 34 39 57 70\n"
                          "nimbers from heap 71 on: "));
}

// No law of Grundy's game is known, nor of Officers.
TEST(Period, SaysThatNoLawIsKnown) {
    EXPECT_EQ(period({"grundy", "--limit", "3000"}).out,
              "grundy: no law known, from 3000 heaps\n");
    EXPECT_EQ(period({"officers", "--limit", "3000"}).out,
              "officers: no law known, from 3000 heaps\n");
}

TEST(Period, WritesJson) {
    EXPECT_EQ(
        period({"--json", "take{2,4,7}"}).out,
        R"({"ruleset":"take{2,4,7}","kind":"periodic","preperiod":8,"period":3,"saltus":0,)"
        R"("proven":true,"theorem":"window","checked_to":1023,"exceptions":[1,3,5,7],)"
        R"("rising":null})"
        "\n");
    EXPECT_EQ(period({"take{1-1000000000000}", "--json"}).out,
              R"({"ruleset":"take{1-1000000000000}","kind":"periodic","preperiod":0,)"
              R"("period":1000000000001,"saltus":0,"proven":true,"theorem":"formula",)"
              R"("checked_to":null,"exceptions":null,"rising":null})"
              "\n");
    EXPECT_EQ(period({"--sequence", "0 1 2 3 2 5 2 7 2 9", "--json"}).out,
              R"({"ruleset":null,"kind":"sapp","preperiod":1,"period":2,"saltus":2,)"
              R"("proven":false,"theorem":null,"checked_to":9,"exceptions":[0],"rising":[1]})"
              "\n");
    EXPECT_EQ(period({"--sequence", "3,1,4,1,5,9,2", "--json"}).out,
              R"({"ruleset":null,"kind":"unknown","preperiod":null,"period":null,)"
              R"("saltus":null,"proven":false,"theorem":null,"checked_to":6,)"
              R"("exceptions":null,"rising":null})"
              "\n");
}

// The window of the last member is never seen.
TEST(Period, DoesNotProveWhatItSees) {
    EXPECT_EQ(period({"take{3,5,1000000000000}", "--limit", "1000"}).out,
              "take{3,5,1000000000000}: periodic, period 8, purely\n"
              "not proven: seen in heaps 0 to 999\n"
              "nimbers from heap 0 on: 0 0 0 1 1 1 2 2\n");
    EXPECT_EQ(period({"take{1,30,1000000000000}", "--limit", "40"}).out,
              "take{1,30,1000000000000}: no law known, from 40 heaps\n");
    EXPECT_EQ(period({"take{3,5,2000000000000}", "--time", "0"}).out,
              "take{3,5,2000000000000}: no law known, from 3 heaps\n");
}

TEST(Period, DescribesSequences) {
    EXPECT_EQ(period({"--sequence", "1 2 3 1 4 5 1 6 7 1"}).out,
              "the sequence: sapp regular, period 3, saltus 2, purely\n"
              "residues modulo 3 that carry the saltus (2): 1 2\n"
              "not proven: seen in heaps 0 to 9\n"
              "nimbers from heap 0 on: 1 2 3\n");
    EXPECT_EQ(period({"--sequence=3 1 4 1 5"}).out,
              "the sequence: no law known, from 5 heaps\n");
}

TEST(Period, SaysWhatItCannotRead) {
    struct Case {
        std::vector<std::string> words;
        const char* errors;
    };
    const Case cases[] = {
        {{}, "nim-engine period: read the end, expected a ruleset or --sequence\n"},
        {{"wythoff"},
         "nim-engine period: read 'wythoff', expected a ruleset whose heaps are numbers\n"},
        {{"take{1,,2}"},
         "nim-engine period: column 8: read ',', expected a number from 1 or a range such as "
         "2-5 or 4-\n"
         "take{1,,2}\n"
         "       ^\n"},
        {{"nim", "--limit", "0"},
         "nim-engine period: read '0', expected 1 to 4294967296 heaps behind --limit\n"},
        {{"nim", "--time", "x"},
         "nim-engine period: read 'x', expected a number behind --time\n"},
        {{"--sequence", "0 1 x"},
         "nim-engine period: column 5: read 'x', expected numbers with blanks or commas "
         "between "
         "them\n"
         "0 1 x\n"
         "    ^\n"},
        {{"--sequence", " "}, "nim-engine period: read the end, expected numbers\n"},
        {{"nim", "--sequence", "1"},
         "nim-engine period: read more beside --sequence, expected --json or the end\n"},
    };
    for (const auto& [words, errors] : cases) {
        const Printed printed = period(words);
        EXPECT_EQ(printed.status, 2);
        EXPECT_EQ(printed.out, "");
        EXPECT_EQ(printed.errors, errors);
    }
}

TEST(Period, ExpandsNames) {
    EXPECT_THAT(period({"odd"}, "odd = take{1,3}").out,
                HasSubstr("take{1,3}: periodic, period 2, purely\n"));
}

TEST(Certificate, HashesAsDocumented) {
    EXPECT_EQ(hash_of({}), 14695981039346656037ULL);
    EXPECT_EQ(hash_of(std::vector<Number>{1, 2, 300}), 6560470016157032549ULL);
}

TEST(Certificate, SaysWhyThereIsNone) {
    const Printed printed = period({"take{1-1000000000000}", "--certificate", "/no/such/file"});
    EXPECT_EQ(printed.status, 1);
    EXPECT_EQ(printed.errors,
              "nim-engine period: no certificate: the proof is a formula, which nimbers cannot "
              "replay\n");
    EXPECT_EQ(period({"take{1,3,4}", "--certificate", "/no/such/file"}).errors,
              "nim-engine period: cannot write the certificate to '/no/such/file'\n");
}

}  // namespace
}  // namespace engine::test

#include "engine/commands/command.hpp"

#include <boost/json.hpp>

#include "engine/commands/find_period.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "tests/engine/commands/printed.hpp"

namespace engine::test::period_command_test {

using namespace testing;

Printed period(const std::vector<std::string>& words, const std::string& catalogue = "") {
    return printed(kPeriod, words, catalogue);
}

TEST(Period, PrintsTheProvenLaw) {
    EXPECT_EQ(period({"take{2,4,7}"}).out,
              "take{2,4,7}: periodic, period 3, from heap 8 on\n"
              "G(n+3) = G(n) for all n >= 8\n"
              "proven: a window as long as the largest member repeats, within heaps 0 to 1023\n"
              "exceptions (4):\n"
              "  G(1) = 0, the law says 2\n"
              "  G(3) = 1, the law says 0\n"
              "  G(5) = 2, the law says 1\n"
              "  G(7) = 3, the law says 2\n"
              "nimbers from heap 8 on: 1 0 2\n");
    EXPECT_EQ(period({"take{!2,3,5,7}"}).out,
              "take{!2,3,5,7}: arithmetic periodic, period 10, saltus 3, from heap 2 on\n"
              "G(n+10) = G(n) + 3 for all n >= 2\n"
              "proven: the state that determines all later nimbers repeats, within heaps 0 to "
              "1023\n"
              "exceptions (1):\n  G(1) = 1, the law would need -1\n"
              "nimbers from heap 2 on: 0 1 2 0 1 0 1 2 3 2\n");
    EXPECT_EQ(period({"nim"}).out,
              "nim: arithmetic periodic, period 1, saltus 1, purely\n"
              "G(n) = n for all n\n"
              "proven: by a formula\n"
              "nimbers from heap 0 on: 0\n");
}

TEST(Period, TellsTheLawOfTheOutcomes) {
    EXPECT_EQ(period({"take{2,4,7}", "--outcomes"}).out,
              "take{2,4,7}: periodic, period 3, from heap 4 on\n"
              "proven: a window as long as the largest member repeats, within heaps 0 to 1023\n"
              "exceptions (2):\n  heap 1 is P, the law says N\n  heap 3 is N, the law says P\n"
              "outcomes from heap 4 on: N N P\n");
    // Nimbers of period 12 and 34.
    EXPECT_THAT(
        period({"kayles", "--outcomes"}).out,
        AllOf(HasSubstr("kayles: periodic, period 1, from heap 1 on\nproven: the octal"),
              HasSubstr("outcomes from heap 1 on: N\n")));
    EXPECT_THAT(period({"dawson-kayles", "--outcomes"}).out,
                AllOf(HasSubstr("periodic, period 34, from heap 36 on\nproven: the octal"),
                      HasSubstr("exceptions (4):\n  heap 0 is P, the law says N\n")));
    // Nimbers that grow are not 0 for ever.
    EXPECT_EQ(period({"nim", "--outcomes"}).out,
              "nim: periodic, period 1, from heap 1 on\n"
              "proven: by a formula\nexceptions (1):\n  heap 0 is P, the law says N\n"
              "outcomes from heap 1 on: N\n");
    EXPECT_THAT(period({"take{!2,3,5,7}", "--outcomes"}).out,
                HasSubstr("outcomes from heap 8 on: N\n"));
    // Nothing is proven about games other than subtraction and octal games.
    EXPECT_THAT(
        period({"rules{n->n-k:k>=1&k<3}", "--outcomes", "--limit", "300"}).out,
        AllOf(HasSubstr("periodic, period 3, purely\nnot proven: seen in heaps 0 to 299"),
              HasSubstr("outcomes from heap 0 on: P N N\n")));
    EXPECT_THAT(period({"grundy", "--outcomes", "--limit", "2000"}).out,
                HasSubstr("grundy: no law known from the first 2000 heaps"));
    EXPECT_THAT(period({"rules{n->n-1:n%3!=1;n->n:n%3=1}", "--outcomes", "--limit", "90"}).out,
                HasSubstr("outcomes from heap"));
}

// Knows nimbers, but no law of them.
class Lawless : public EnumeratingSolver {
  public:
    Lawless(std::shared_ptr<const Ruleset> rules, const char* text)
        : EnumeratingSolver(rules), real_(find_solver({text}, rules)) {}
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        return real_->nimber(heap, budget);
    }

  private:
    std::shared_ptr<const HeapSolver> real_;
};

// Period 3 from heap 4 on; 7 is the largest member.
TEST(Period, ProvesTheLawOfOutcomesByTheirOwnWindow) {
    const auto find = [](const char* text, Number limit) {
        const auto rules = *find_ruleset({text});
        return find_period(Lawless(rules, text), *rules, Values::Outcomes, limit, {},
                           [](Number) {});
    };
    const Law expected{4, 3, 0};
    for (const Number limit : {14, 15, 100, 1000}) {
        const PeriodFinding found = find("take{2,4,7}", limit);
        EXPECT_EQ(found.law, expected);
        EXPECT_EQ(found.theorem, "window");
    }
    const PeriodFinding seen = find("take{2,4,7}", 13);
    EXPECT_EQ(seen.law, expected);
    EXPECT_EQ(seen.theorem, std::nullopt);
    EXPECT_EQ(find("take{!1,4}", 1000).theorem, std::nullopt);
    EXPECT_EQ(find("kayles", 1000).theorem, std::nullopt);
}

// Compares the proven law with outcomes far beyond.
TEST(Period, LawsOfOutcomesHold) {
    for (const char* ruleset : {"take{1,3,4}", "take{2,5,7}", "take{4,9}", "take{!1,4}",
                                "take{!3}", "kayles", "lasker", "dawson-kayles", "octal{0.07}",
                                "octal{0.35}", "take{3-6}", "take{3-6,11}"}) {
        SCOPED_TRACE(ruleset);
        const auto found =
            boost::json::parse(period({ruleset, "--outcomes", "--json"}).out).as_object();
        ASSERT_TRUE(found.at("proven").as_bool());
        ASSERT_EQ(found.at("kind"), "periodic");
        const auto preperiod = found.at("preperiod").to_number<Number>();
        const auto step = found.at("period").to_number<Number>();
        std::ostringstream out, errors;
        run_command(kValues, {ruleset, "0-3000", "--outcomes", "--json"}, {}, out, errors);
        const auto outcomes = boost::json::parse(out.str()).at("outcomes").as_array();
        for (Number heap = preperiod; heap + step < outcomes.size(); ++heap) {
            ASSERT_EQ(outcomes[heap], outcomes[heap + step]) << heap;
        }
        if (preperiod > 0) {
            EXPECT_NE(outcomes[preperiod - 1], outcomes[preperiod - 1 + step]);
        }
        for (Number less = 1; less < step; ++less) {
            Number same = preperiod;
            while (same < preperiod + step && outcomes[same] == outcomes[same + less]) ++same;
            EXPECT_LT(same, preperiod + step) << less;
        }
    }
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
                AllOf(HasSubstr("exceptions (14):\n  G(0) = 0, the law says 4\n"
                                "  G(3) = 3, the law says 8\n"),
                      HasSubstr("\n  G(70) = 6, the law says 2\nnimbers from heap 71 on: ")));
}

TEST(Period, ListsOnlyTheFirstOfManyExceptions) {
    std::string sequence;
    for (int heap = 0; heap < 100; ++heap) sequence += "1 ";
    for (int heap = 0; heap < 200; ++heap) sequence += "2 ";
    EXPECT_THAT(period({"--sequence", sequence}).out,
                AllOf(HasSubstr("exceptions (100):\n  G(0) = 1, the law says 2\n"),
                      HasSubstr("\n  G(59) = 1, the law says 2\n  and 40 more\nnimbers")));
}

// No law of Grundy's game is known, nor of Officers.
TEST(Period, SaysThatNoLawIsKnown) {
    EXPECT_EQ(period({"grundy", "--limit", "3000"}).out,
              "grundy: no law known from the first 3000 heaps\n");
    EXPECT_EQ(period({"officers", "--limit", "3000"}).out,
              "officers: no law known from the first 3000 heaps\n");
    EXPECT_EQ(
        printed(kPeriod, {"rules{n->n-1;n->n+1}", "--time", "100"}).out,
        "rules{n->n-1;n->n+1}: no law known: no nimber of heap 0 was found; where play can "
        "go on for ever there may be none\n");
}

// Without a proven law, the heaps are read a second time.
TEST(Period, TellsOfProgressThatNeverFalls) {
    for (const char* ruleset : {"officers", "rules{n->n-k:k>=1&n%k=0}"}) {
        const RulesetNames names;
        const auto rules = find_ruleset({ruleset});
        const auto solver = find_solver({ruleset}, *rules);
        for (const auto kind : {Values::Nimbers, Values::Outcomes}) {
            std::vector<Number> told;
            const auto tell = [&](Number heaps) { told.push_back(heaps); };
            find_period(*solver, **rules, kind, 3000, {}, tell);
            EXPECT_TRUE(std::ranges::is_sorted(told)) << ruleset << ' ' << int(kind);
            ASSERT_GT(told.size(), 2U);
            EXPECT_LT(told.back(), 3000U);
        }
    }
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
              "G(n+8) = G(n) for all n seen\n"
              "not proven: seen in heaps 0 to 999\n"
              "nimbers from heap 0 on: 0 0 0 1 1 1 2 2\n");
    EXPECT_EQ(period({"take{1,30,1000000000000}", "--limit", "40"}).out,
              "take{1,30,1000000000000}: no law known from the first 40 heaps\n");
    EXPECT_EQ(period({"take{3,5,2000000000000}", "--time", "0"}).out,
              "take{3,5,2000000000000}: no law known from the first 3 heaps\n");
}

TEST(Period, DescribesSequences) {
    EXPECT_EQ(period({"--sequence", "1 2 3 1 4 5 1 6 7 1"}).out,
              "the sequence: sapp regular, period 3, saltus 2, purely\n"
              "residues modulo 3 that carry the saltus (2): 1 2\n"
              "G(n+3) = G(n) + 2 for n of these residues, else G(n+3) = G(n), for all n seen\n"
              "not proven: seen in heaps 0 to 9\n"
              "nimbers from heap 0 on: 1 2 3\n");
    EXPECT_EQ(period({"--sequence=7"}).out, "the sequence: no law known from the first heap\n");
    EXPECT_EQ(period({"--sequence=3 1 4 1 5"}).out,
              "the sequence: no law known from the first 5 heaps\n");
}

TEST(Period, SaysWhatItCannotRead) {
    expect_refused(
        kPeriod,
        {
            {{}, "read the end, expected a ruleset or --sequence"},
            {{"wythoff"}, "read 'wythoff', expected a ruleset whose heaps are numbers"},
            {{"take{1,,2}"},
             "column 8: read ',', expected a number from 1 or a range such as 2-5 or "
             "4-\ntake{1,,2}\n       ^"},
            {{"nim", "--limit", "0"}, "read '0', expected 1 to 4294967296 after --limit"},
            {{"nim", "--time", "x"}, "read 'x', expected a number after --time"},
            {{"--sequence", "0 1 x"},
             "column 5: read 'x', expected numbers up to 9223372036854775807 with blanks or "
             "commas between them\n0 1 x\n    ^"},
            {{"--sequence", " "}, "read the end, expected numbers"},
            {{"--sequence", "1", "--outcomes"},
             "read more than --sequence, expected --json or the end"},
        });
}

TEST(Period, TakesASequenceOfSeveralWords) {
    const std::string law = "the sequence: periodic, period 2, purely\n";
    EXPECT_THAT(period({"--sequence", "0", "1", "0", "1", "0", "1"}).out, HasSubstr(law));
    EXPECT_THAT(period({"--sequence=0,1,0", "1,0,1"}).out, HasSubstr(law));
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
    const std::pair<std::string, std::string> reasons[] = {
        {"/no/such/file", "No such file or directory"},
        {"/dev/full", "No space left on device"}};
    for (const auto& [path, why] : reasons) {
        EXPECT_EQ(
            period({"take{1,3,4}", "--certificate", path}).errors,
            "nim-engine period: cannot write the certificate to '" + path + "': " + why + "\n");
    }
}

}  // namespace engine::test::period_command_test

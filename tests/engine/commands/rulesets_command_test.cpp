#include <boost/json.hpp>

#include "engine/rules/literature.hpp"
#include "tests/agreement/known_rulesets.hpp"
#include "tests/engine/commands/printed.hpp"

namespace engine::test::rulesets_command_test {

using namespace testing;

Printed rulesets(const std::vector<std::string>& words, const std::string& catalogue = "") {
    return printed(kRulesets, words, catalogue);
}

TEST(Rulesets, AreListedWithTheirSources) {
    const Printed all = rulesets({});
    EXPECT_EQ(all.status, 0);
    EXPECT_THAT(all.out,
                AllOf(HasSubstr("grundy\n"
                                "  Grundy's game. Split a heap into two heaps of different "
                                "sizes.\n"
                                "  example: grundy:9,12\n"
                                "  source: Grundy: Mathematics and games, Eureka 2, 1939\n\n"),
                      HasSubstr("example: take{1,3,4}:7,9\n")));
    for (const RulesetGuide& guide : ruleset_guides()) {
        EXPECT_THAT(all.out, HasSubstr(std::string(guide.name) + "\n  "));
    }
    EXPECT_THAT(all.out, HasSubstr("\n  guiles                    Guiles\n"));
    EXPECT_THAT(rulesets({}, "odd = take{1,3}").out, HasSubstr("\nodd\n  take{1,3}\n"));
}

TEST(Rulesets, TellMoreOfOne) {
    EXPECT_EQ(rulesets({"treblecross"}).out,
              "treblecross\n"
              "  Treblecross. Take three stones that stand next to each other. A strip of n "
              "squares, on which three X in a row win, is heap n + 2.\n"
              "  example: treblecross:11,8\n"
              "  source: Berlekamp, Conway and Guy: Winning Ways for Your Mathematical Plays, "
              "2nd edition, 2001\n"
              "  moves of the example (8): 1=8 1=1,7 1=2,6 1=3,5 1=4,4 2=5 2=1,4 2=2,3\n\n"
              "Who wins, and why: nim-engine eval 'treblecross:11,8'\n");
    for (const char* word : {"take", "take{1,2}", "odd"}) {
        EXPECT_THAT(rulesets({word}, "odd = take{1,3}").out, HasSubstr("take\n  Subtraction"));
    }
    EXPECT_THAT(rulesets({"guiles"}).out, AllOf(HasSubstr("guiles\n  Guiles. Take a heap"),
                                                HasSubstr("example: octal{0.15}:9,12\n")));
    EXPECT_THAT(rulesets({"guiles"}, "guiles = nim").out, HasSubstr("nim\n  Nim."));
    EXPECT_THAT(rulesets({"0.77"}).out, HasSubstr("octal\n  Octal game."));
    EXPECT_THAT(rulesets({"take{1,2}"}).out,
                HasSubstr("\n  take{1,2}: Take 1 or 2 from a heap.\n  moves of the example ("));
}

TEST(Rulesets, AreListedForPrograms) {
    const auto all =
        boost::json::parse(rulesets({"--json"}, "odd = take{1,3}").out).as_object();
    EXPECT_EQ(all.at("rulesets").as_array().size(), ruleset_guides().size());
    const auto& games = all.at("literature").as_array();
    EXPECT_EQ(games.front().at("example"), "nim:1,3,5,6");
    EXPECT_EQ(games.size(), static_cast<std::size_t>(std::ranges::count_if(
                                literature(), &LiteratureGame::has_name_of_its_own)));
    EXPECT_EQ(all.at("names"), (boost::json::object{{"odd", "take{1,3}"}}));
    const auto one = boost::json::parse(rulesets({"wythoff", "--json"}).out).as_object();
    EXPECT_EQ(one.at("name"), "wythoff");
    EXPECT_EQ(one.at("title"), "Wythoff's game");
    EXPECT_EQ(one.at("example"), "wythoff:(4,7)");
    EXPECT_EQ(one.at("moves").as_array().size(), 15u);
    EXPECT_EQ(one.size(), 6u);
}

TEST(Rulesets, SayWhichOneIsMeant) {
    const Printed unknown = rulesets({"dawsonkayles"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_EQ(unknown.errors, "nim-engine rulesets: column 1: read 'dawsonkayles', expected " +
                                  a_known_ruleset("; did you mean 'dawson-kayles'?") +
                                  "\ndawsonkayles\n^\n");
    EXPECT_THAT(rulesets({"Nim"}).errors, HasSubstr("a name in lower case, such as 'nim'"));
    EXPECT_EQ(rulesets({"nim", "take"}).status, 2);
}

}  // namespace engine::test::rulesets_command_test

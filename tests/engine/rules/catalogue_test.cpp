#include "engine/rules/catalogue.hpp"

#include "tests/agreement/known_rulesets.hpp"
#include "tests/engine/follower_listing.hpp"
#include "tests/harness/temporary_file.hpp"

namespace engine::test::catalogue_test {

TEST(Catalogue, NamesWhatItKnows) {
    expect_refused({
        {"nin", 1, "read 'nin', expected " + a_known_ruleset("; did you mean 'nim'?")},
        {"takes{1}", 1, "read 'takes', expected " + a_known_ruleset("; did you mean 'take'?")},
        {"dawson", 1,
         "read 'dawson', expected " +
             a_known_ruleset("; did you mean 'dawson-kayles' or 'dawson-chess'?")},
        {"chess", 1,
         "read 'chess', expected " + a_known_ruleset("; did you mean 'dawson-chess'?")},
        {"laskers-nim", 1,
         "read 'laskers-nim', expected " + a_known_ruleset("; did you mean 'lasker'?")},
        {"subtraction{1,2}", 1,
         "read 'subtraction', expected " + a_known_ruleset("; did you mean 'take'?")},
        {"Kayles", 1, "read 'Kayles', expected a name in lower case, such as 'kayles'"},
        {"guiles", 1,
         "read 'guiles', expected " + a_known_ruleset("; did you mean 'octal{0.15}'?")},
        {"silver", 1,
         "read 'silver', expected " +
             a_known_ruleset("; did you mean 'silver-dollar' or 'silver-dollar-with-dollar'?")},
        {"sprouts", 1, "read 'sprouts', expected " + a_known_ruleset()},
        {"nim{1}", 4, "read '{', expected nim without parameters"},
        {"nim{}", 4, "read '{', expected nim without parameters"},
        {"take{1", 7, "read the end, expected '}' (no blanks and no braces inside)"},
        {"kayles:5", 7, "read ':', expected a ruleset alone"},
        {"", 1, "read the end, expected the name of a ruleset"},
    });
}

TEST(Catalogue, KeepsRulesetsByTheirText) {
    const auto first = *find_ruleset({"take{5,6,7}"});
    EXPECT_EQ(*find_ruleset({"take{5,6,7}"}), first);
    EXPECT_NE(*find_ruleset({"take{5-7}"}), first);
}

TEST(Catalogue, ForgetsRatherThanGrows) {
    const auto first = *find_ruleset({"take{5,6,7}"});
    for (int i = 1; i <= 3000; ++i) {
        ASSERT_TRUE(find_ruleset({"take{" + std::to_string(i) + "}"}));
    }
    EXPECT_NE(*find_ruleset({"take{5,6,7}"}), first);
    EXPECT_TRUE(first->has_move(Heap(Number{5})));  // still alive while a pointer holds it
}

TEST(Catalogue, IsSharedByThreads) {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([] {
            for (int i = 1; i < 2000; ++i) {
                const auto text = "take{" + std::to_string(i % 1100 + 1) + "}";
                EXPECT_TRUE(find_ruleset({text}));
            }
        });
    }
}

std::string expanded(const RulesetNames& names, std::string_view position) {
    return to_string(*names.read_position(position));
}

TEST(RulesetNames, StandForRulesets) {
    const auto names = RulesetNames::parse(
        "# a catalogue\n"
        "evens = take{2, 4,\t# these\n"
        "             6 }   # and no more\n"
        "\r\n"
        "  same=evens\r\n"
        "plain = nim\n"
        "last-one2 = take{1}");
    ASSERT_TRUE(names) << names.error().text;
    EXPECT_EQ(expanded(*names, "evens:7,8+nim:3+same:2 misere"),
              "take{2,4,6}:7,8+nim:3+take{2,4,6}:2 misere");
    EXPECT_EQ(expanded(*names, "plain:1+last-one2:4+other:5"), "nim:1+take{1}:4+other:5");
}

TEST(RulesetNames, KnowTheLiterature) {
    const auto names = *RulesetNames::parse("mine = guiles\nguiles = take{2}\nprim = nim");
    EXPECT_EQ(expanded(names, "dawsons-kayles:12+mine:5+guiles:3+prim:4"),
              "dawson-kayles:12+octal{0.15}:5+take{2}:3+nim:4");
    EXPECT_EQ(names.all().size(), 3U);
    EXPECT_EQ(suggested_rulesets("subtract-a-sqare"), "; did you mean 'subtract-a-square'?");
    EXPECT_EQ(suggested_rulesets("prime-subtraction"), "; did you mean 'subtract-a-prime'?");
    EXPECT_EQ(suggested_rulesets("pass-nim"), "; did you mean 'nim-with-a-pass'?");
    EXPECT_EQ(suggested_rulesets("dollars-and-silver"),
              "; did you mean 'silver-dollar' or 'silver-dollar-with-dollar'?");
}

TEST(Catalogue, DescribesEachRuleset) {
    for (const RulesetGuide& guide : ruleset_guides()) {
        SCOPED_TRACE(guide.name);
        EXPECT_FALSE(guide.title.empty());
        EXPECT_TRUE(guide.rules.ends_with('.')) << guide.rules;
        EXPECT_FALSE(guide.source.empty());
        const auto game =
            read_game(std::string(guide.example) + ':' + std::string(guide.heaps));
        ASSERT_TRUE(game) << describe(game.error());
        EXPECT_TRUE(game->has_move());
        const auto syntax = protocol::heap_syntax(guide.name);
        EXPECT_EQ(guide.form == HeapForm::Board, syntax == protocol::HeapSyntax::Board);
        EXPECT_EQ(guide.form == HeapForm::Vertex, syntax == protocol::HeapSyntax::Vertex);
    }
}

TEST(RulesetNames, MayStandForCodesAlone) {
    const auto names = RulesetNames::parse("a = 0.77\nb = 4.[3]\nc = b\n");
    ASSERT_TRUE(names) << names.error().text;
    EXPECT_EQ(expanded(*names, "a:5+c:6+.137:7"), "octal{0.77}:5+octal{4.[3]}:6+octal{.137}:7");
    EXPECT_EQ(names->expand({"0.6"}).text, "octal{0.6}");
    EXPECT_EQ(RulesetNames::parse("a = 0.78").error().text,
              "line 1, column 8: read '8', expected a digit 0-7; with more it is a hex{CODE}");
}

TEST(RulesetNames, MayStandForGraphs) {
    const auto names = RulesetNames::parse(
        "ring = graph{ a -> b ; # first\n  b -> c;\n c->a }\nloop = ring\nodd = take{1,3}");
    ASSERT_TRUE(names) << names.error().text;
    EXPECT_EQ(expanded(*names, "ring:a,c+loop:b+odd:007 misere"),
              "graph{a->b;b->c;c->a}:a,c+graph{a->b;b->c;c->a}:b+take{1,3}:7 misere");
    EXPECT_EQ(names->read_position("odd:a").error().text,
              "read 'a', expected a heap such as 5, (3,5) or (w+1)");
    EXPECT_EQ(names->read_position("ring:(1,2)").error().text,
              "read '(', expected a vertex: letters, digits and '_'");
    EXPECT_EQ(read_game("odd:3+ring:a,z", *names).error().column, 14u);
    // A name takes no braces; other words keep their own syntax.
    EXPECT_FALSE(names->read_position("ring{x}:a"));
    EXPECT_TRUE(names->read_position("graph{z}:z+nim:3"));
}

TEST(RulesetNames, MayHaveWhiteSpaceInTheirRules) {
    const auto names = RulesetNames::parse("a = rules{n ->\n n - k # a heap\n: k >= 1}\nb = a");
    ASSERT_TRUE(names) << names.error().text;
    EXPECT_EQ(expanded(*names, "b:3"), "rules{n->n-k:k>=1}:3");
}

TEST(RulesetNames, SayWhichPlaceIsWrong) {
    struct Case {
        const char* file;
        std::string text;
    };
    const Case cases[] = {
        {"nim = take{1}", "line 1, column 1: read 'nim', expected a name that is not built in"},
        {"\nkayles = take{1}",
         "line 2, column 1: read 'kayles', expected a name that is not built in"},
        {"rules = nim", "line 1, column 1: read 'rules', expected a name that is not built in"},
        {"a = nim\nb = nim\na = nim",
         "line 3, column 1: read 'a', expected a name that is not defined above"},
        {"a = b\nb = nim", "line 1, column 5: read 'b', expected " + a_known_ruleset()},
        {"a = take{1\n,0}", "line 2, column 2: read '0', expected a number from 1"},
        {"\n\na = take{1", "line 3, column 11: read the end, expected '}'"},
        {"a = rules{\n  n -> n - k : # any\n  k >= 1 & k ? 3\n}",
         "line 3, column 14: read '?', expected an operator or a comparison: = != < <= > >="},
        {"a = rules{\n  n -> n - k ;\n", "line 3, column 1: read the end, expected '}'"},
        {"a = octal{\n0.79}",
         "line 2, column 4: read '9', expected a digit 0-7; with more it is a hex{CODE}"},
        {"a nim", "line 1, column 3: read 'nim', expected '='"},
        {"a =", "line 1, column 4: read the end, expected a ruleset or a name defined above"},
        {"a =\nnim",
         "line 1, column 4: read '\\n', expected a ruleset or a name defined above"},
        {"a = nim x", "line 1, column 9: read 'x', expected the end of the line"},
        {"A = nim", "line 1, column 1: read 'A', expected a name"},
        {"a = nim:3", "line 1, column 8: read ':', expected the end of the line"},
        {"a = nim # b = nim\nc = a{1}",
         "line 2, column 5: read 'a', expected " + a_known_ruleset()},
    };
    for (const auto& [file, text] : cases) {
        const auto names = RulesetNames::parse(file);
        ASSERT_FALSE(names) << file;
        EXPECT_EQ(names.error().text, text) << file;
    }
}

TEST(RulesetNames, AreLoadedFromAFile) {
    const ::test::TemporaryFile file("odd = take{1,3}\n");
    const std::string& path = file.path();
    EXPECT_EQ(expanded(*RulesetNames::load(path), "odd:5"), "take{1,3}:5");
    std::ofstream(path) << "odd = take{1,3}\nodd = nim\n";
    EXPECT_EQ(RulesetNames::load(path).error().text,
              "'" + path +
                  "', line 2, column 1: read 'odd', expected a name that is not defined above");
    std::ofstream(path, std::ios::trunc).close();
    EXPECT_TRUE(RulesetNames::load(path));
    EXPECT_EQ(RulesetNames::load("/no/such").error().text,
              "cannot read the catalogue file '/no/such': No such file or directory");
    EXPECT_EQ(RulesetNames::load("/tmp").error().text,
              "cannot read the catalogue file '/tmp': Is a directory");
}

}  // namespace engine::test::catalogue_test

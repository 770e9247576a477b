#include "arena/game/suite.hpp"

#include "tests/arena/stand_in_analyst.hpp"

namespace arena::suite_test {

using engine::Outcome;

Suite suite(const std::string& text) {
    auto parsed = parse_suite(text);
    if (!parsed) ADD_FAILURE() << describe(parsed.error());
    return parsed ? *std::move(parsed) : Suite{};
}

std::string refusal(const std::string& text) {
    const auto parsed = parse_suite(text);
    return parsed ? "" : describe(parsed.error());
}

// Says that every game is won, under any ruleset.
class Optimist : public StandInAnalyst {
    Outcome outcome(const engine::Game&, const engine::Budget&) const override {
        return Outcome::N;
    }
};

TEST(Suite, HasDefaultsForAllButTheRulesets) {
    const Suite given = suite("nim");
    ASSERT_EQ(given.mix.size(), 1u);
    ASSERT_EQ(given.mix[0].size(), 1u);
    EXPECT_EQ(given.mix[0][0].text.text, "nim");
    EXPECT_EQ(given.heaps, (Range{2, 4}));
    EXPECT_EQ(given.size, (Range{5, 25}));
    EXPECT_EQ(given.n, 50u);
    EXPECT_EQ(given.winning, std::nullopt);
    EXPECT_EQ(given.misere, Suite::Misere::Off);
}

TEST(Suite, TakesEveryKeyInAnyOrder) {
    const Suite given = suite(
        " nim , take{1,3,4}+rules{n->n-k:k>=1;stop:n=2} ; heaps = 3; winning=1..2;size=large; "
        "n=70%;misere=mixed;");
    ASSERT_EQ(given.mix.size(), 2u);
    ASSERT_EQ(given.mix[1].size(), 2u);
    EXPECT_EQ(given.mix[1][0].text.text, "take{1,3,4}");
    EXPECT_EQ(given.mix[1][1].text.text, "rules{n->n-k:k>=1;stop:n=2}");
    EXPECT_EQ(given.heaps, (Range{3, 3})) << "heaps= counts, wherever it stands";
    EXPECT_EQ(given.size, (Range{20, 120}));
    EXPECT_EQ(given.n, 70u);
    EXPECT_EQ(given.winning, (Range{1, 2}));
    EXPECT_EQ(given.misere, Suite::Misere::Mixed);
    EXPECT_EQ(suite("nim;n=any").n, std::nullopt);
    EXPECT_EQ(suite("nim;size=7").size, (Range{7, 7}));
}

TEST(Suite, ExpandsTheNamesOfACatalogue) {
    const auto names = engine::RulesetNames::parse("evens = take{2,4,6}\n");
    ASSERT_TRUE(names);
    const auto given = parse_suite("evens+nim", *names);
    ASSERT_TRUE(given);
    EXPECT_EQ(given->mix[0][0].text.text, "take{2,4,6}");
}

TEST(Suite, SaysWhatItCannotRead) {
    EXPECT_EQ(refusal(""),
              "column 1: read '', expected rulesets first, such as nim,take{1,3,4}");
    EXPECT_EQ(refusal("nim;sise=3"),
              "column 5: read 'sise', expected one of size, heaps, n, winning, misere, with "
              "=VALUE after it, did you mean 'size'?");
    EXPECT_EQ(refusal("nim;size=huge"),
              "column 10: read 'huge', expected small, medium, large or a range of sizes such "
              "as 5..20");
    EXPECT_EQ(refusal("nim;heaps=0"),
              "column 11: read '0', expected a number or a range such as 2..5 within 1..1000");
    EXPECT_EQ(refusal("nim;winning=3..1"),
              "column 13: read '3..1', expected a number or a range such as 2..5 within "
              "1..1000000");
    EXPECT_EQ(refusal("nim;n=101%"),
              "column 7: read '101%', expected a share from 0% to 100%, or any");
    EXPECT_EQ(refusal("nim;misere=yes"), "column 12: read 'yes', expected off, on or mixed");
    EXPECT_EQ(refusal("nim;n=1%;n=2%"), "column 10: read 'n' a second time");
    EXPECT_THAT(refusal("nim,take{0}"), testing::StartsWith("column 10: "));
    EXPECT_THAT(refusal("nim,kayle"), testing::StartsWith("column 5: "));
    EXPECT_THAT(refusal("nim,"), testing::StartsWith("column 5: "));
    EXPECT_THAT(refusal("nim;n"), testing::StartsWith("column 6: read '', expected a share"));
}

TEST(Suite, IsReadBackFromItsText) {
    const auto names = engine::RulesetNames::parse("evens = take{2,4,6}\n");
    ASSERT_TRUE(names);
    for (const auto& [given, text] : std::map<std::string, std::string>{
             {"nim", "nim;size=5..25;heaps=2..4;n=50%;misere=off"},
             {"evens+nim, kayles ;misere=mixed;winning=2;size=small;n=any",
              "take{2,4,6}+nim,kayles;size=1..9;heaps=1..3;n=any;winning=2..2;misere=mixed"}}) {
        const auto parsed = parse_suite(given, *names);
        ASSERT_TRUE(parsed);
        EXPECT_EQ(to_string(*parsed), text);
        EXPECT_EQ(to_string(suite(text)), text);
    }
}

TEST(Suite, TriesEveryOutcomeThatIsWanted) {
    const StandInAnalyst analyst;
    EXPECT_TRUE(try_to_draw(suite("nim"), 1, analyst));
    EXPECT_TRUE(try_to_draw(suite("nim;heaps=1;n=100%"), 1, analyst));
    EXPECT_FALSE(try_to_draw(suite("nim;heaps=1;n=99%"), 1, analyst))
        << "one in a hundred is P";
    EXPECT_TRUE(try_to_draw(suite("nim;heaps=1;n=any"), 1, analyst));
}

TEST(Suite, DrawsTheSharesThatAreAskedFor) {
    const StandInAnalyst analyst;
    for (const unsigned share : {0u, 1u, 30u, 50u, 99u, 100u}) {
        const Suite given = suite("nim;n=" + std::to_string(share) + "%");
        unsigned won = 0;
        for (std::uint64_t index = 201; index <= 300; ++index) {
            const auto drawn = draw(given, index, 7, analyst);
            ASSERT_TRUE(drawn) << drawn.error().text;
            const auto game = engine::Game::start(drawn->position);
            ASSERT_TRUE(game);
            EXPECT_EQ(analyst.outcome(*game, {}), drawn->outcome);
            if (drawn->outcome == Outcome::N) ++won;
        }
        EXPECT_EQ(won, share);
    }
}

TEST(Suite, DrawsTheSameWhateverWasDrawnBefore) {
    const StandInAnalyst analyst;
    const Suite given = suite("nim;misere=mixed");
    std::vector<std::string> texts;
    std::set<protocol::Convention> conventions;
    for (std::uint64_t index = 1; index <= 50; ++index) {
        const auto drawn = draw(given, index, 7, analyst);
        ASSERT_TRUE(drawn);
        texts.push_back(to_string(drawn->position));
        conventions.insert(drawn->position.convention);
    }
    EXPECT_EQ(conventions.size(), 2u);
    EXPECT_GT(std::set<std::string>(texts.begin(), texts.end()).size(), 40u);
    for (std::uint64_t index = 50; index >= 1; --index) {
        EXPECT_EQ(to_string(draw(suite("nim;misere=mixed"), index, 7, analyst)->position),
                  texts[index - 1]);
    }
    EXPECT_NE(to_string(draw(given, 1, 8, analyst)->position), texts[0]);
}

TEST(Suite, KeepsToSizesAndNumbersOfWinningMoves) {
    const StandInAnalyst analyst;
    const Suite given = suite("nim;heaps=3..5;size=4..9;winning=2..3;n=100%");
    std::set<std::size_t> heap_counts;
    std::set<std::size_t> winning_counts;
    for (std::uint64_t index = 1; index <= 100; ++index) {
        const auto drawn = draw(given, index, 1, analyst);
        ASSERT_TRUE(drawn);
        const auto& heaps = drawn->position.components.at(0).heaps;
        heap_counts.insert(heaps.size());
        for (const auto& heap : heaps) {
            EXPECT_GE(std::get<protocol::Number>(heap), 4u);
            EXPECT_LE(std::get<protocol::Number>(heap), 9u);
        }
        winning_counts.insert(
            analyst.best_moves(*engine::Game::start(drawn->position), 100, {})->moves.size());
    }
    EXPECT_EQ(heap_counts, (std::set<std::size_t>{3, 4, 5}));
    EXPECT_EQ(winning_counts, (std::set<std::size_t>{3})) << "nim has an odd number of them";
}

TEST(Suite, DrawsHeapsOfEveryForm) {
    const Optimist analyst;
    const std::vector<std::string> rulesets{"nim",
                                            "take{1,3,4}",
                                            "octal{0.77}",
                                            "kayles",
                                            "lasker",
                                            "grundy",
                                            "wythoff",
                                            "cookie",
                                            "pass{0.77}",
                                            "moore{2}",
                                            "welter",
                                            "chomp",
                                            "cram",
                                            "notakto",
                                            "node-kayles{a->b;b->c;c->d;d->a,e}",
                                            "arc-kayles{a->b;b->c;c->d;d->a,e}",
                                            "hackenbush{ground->a;a->b,c;b->c,d}",
                                            "graph{a->b,c;b->c}",
                                            "rules{n->n-k:k>=1}",
                                            "rules{(a,b)->(a-k,b):k>=1}",
                                            "rules{(a,b,c)->(a-1,b,c)}"};
    for (const std::string& ruleset : rulesets) {
        const auto drawn = draw(suite(ruleset + ";n=100%"), 1, 1, analyst);
        ASSERT_TRUE(drawn) << drawn.error().text;
        EXPECT_EQ(drawn->position.components.at(0).ruleset.text, ruleset);
    }
    std::string all;
    for (const std::string& ruleset : rulesets) all += (all.empty() ? "" : "+") + ruleset;
    const auto sum = draw(suite(all + ";n=100%;heaps=1"), 1, 1, analyst);
    ASSERT_TRUE(sum);
    EXPECT_EQ(sum->position.components.size(), rulesets.size());
    EXPECT_EQ(sum->position.heap_count(), rulesets.size()) << "one heap of each at least";
}

TEST(Suite, MixesAllItsRulesets) {
    const Optimist analyst;
    const Suite given = suite("nim,kayles,nim+kayles;n=any");
    std::map<std::string, int> seen;
    for (std::uint64_t index = 1; index <= 60; ++index) {
        const auto drawn = draw(given, index, 1, analyst);
        ASSERT_TRUE(drawn);
        std::string names;
        for (const auto& component : drawn->position.components) {
            names += component.ruleset.text + " ";
        }
        ++seen[names];
    }
    EXPECT_EQ(seen.size(), 3u);
    for (const auto& [names, count] : seen) EXPECT_GT(count, 8) << names;
}

TEST(Suite, DrawsRulesetsAsOftenWhereWhatFitsIsRare) {
    const StandInAnalyst analyst;
    // Two equal heaps are lost; those of take{20-} need 20 for a move.
    const Suite given = suite("nim,take{20-};n=0%;heaps=2");
    int nim = 0;
    for (std::uint64_t index = 1; index <= 200; ++index) {
        const auto drawn = draw(given, index, 1, analyst);
        ASSERT_TRUE(drawn);
        if (drawn->position.components.at(0).ruleset.text == "nim") ++nim;
    }
    EXPECT_GT(nim, 70);
    EXPECT_LT(nim, 130);
}

TEST(Suite, TakesTheOtherRulesetsWhereOneHasNoneThatFits) {
    const StandInAnalyst analyst;
    for (std::uint64_t index = 1; index <= 10; ++index) {
        const auto drawn = draw(suite("take{26-},nim"), index, 1, analyst);
        ASSERT_TRUE(drawn);
        EXPECT_EQ(drawn->position.components.at(0).ruleset.text, "nim");
    }
}

TEST(Suite, GivesUpWithClearWords) {
    StandInAnalyst analyst;
    const auto lost = draw(suite("nim;heaps=1;n=0%"), 1, 1, analyst);
    ASSERT_FALSE(lost);
    EXPECT_EQ(
        lost.error().text,
        "the suite 'nim;heaps=1;n=0%': found no position of outcome P in 10000 draws; ask "
        "for other sizes, or for less");
    const auto many = draw(suite("nim;heaps=2;winning=5..9"), 1, 1, analyst);
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().text,
              "the suite 'nim;heaps=2;winning=5..9': found no position of outcome N with 5..9 "
              "winning moves in 10000 draws; ask for other sizes, or for less");
    analyst.knows = false;
    const auto unknown = draw(suite("nim"), 1, 1, analyst);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().text,
              "the suite 'nim': found no position of outcome N in 10 draws, 10 of which could "
              "not be solved in time; ask for other sizes, or for less");
}

}  // namespace arena::suite_test

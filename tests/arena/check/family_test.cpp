#include "arena/check/family.hpp"

namespace arena::family_test {

using namespace testing;

Family family(const std::string& text) {
    auto read = Family::parse(text);
    if (!read) ADD_FAILURE() << text << ": " << describe(read.error());
    return *std::move(read);
}

std::vector<std::string> all(const Family& family) {
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < family.size(); ++i) {
        texts.push_back(to_string(family.position(i)));
    }
    return texts;
}

TEST(Families, AreAllPositionsOfAKind) {
    EXPECT_THAT(all(family("nim;heaps=1..2;size=0..1")),
                ElementsAre("nim:0", "nim:1", "nim:0,0", "nim:0,1", "nim:1,0", "nim:1,1"));
    EXPECT_THAT(all(family("nim;heaps=2;size=1..3;sorted")),
                ElementsAre("nim:1,1", "nim:1,2", "nim:1,3", "nim:2,2", "nim:2,3", "nim:3,3"));
    EXPECT_THAT(all(family("kayles;heaps=1;size=4;misere=on")), ElementsAre("kayles:4 misere"));
    EXPECT_THAT(all(family("nim;heaps=1;size=2;misere=mixed")),
                ElementsAre("nim:2", "nim:2 misere"));
    EXPECT_THAT(all(family("nim,kayles;heaps=1;size=1..2")),
                ElementsAre("nim:1", "nim:2", "kayles:1", "kayles:2"));
}

TEST(Families, OfSumsHaveAHeapInEachPart) {
    EXPECT_THAT(all(family("nim+kayles;heaps=1..3;size=1")),
                ElementsAre("nim:1+kayles:1", "nim:1+kayles:1,1", "nim:1,1+kayles:1"));
    EXPECT_THAT(all(family("nim+kayles+take{1};heaps=4;size=1..2;sorted")),
                AllOf(SizeIs(3 * 12), Contains("nim:1,2+kayles:2+take{1}:1")));
    EXPECT_EQ(family("nim+take{1,3};heaps=4;size=0..5;sorted").size(),
              6 * 56 + 21 * 21 + 56 * 6u);
}

TEST(Families, TakeHeapsThatTheRulesTake) {
    EXPECT_THAT(
        all(family("wythoff;heaps=1;size=1..2")),
        ElementsAre("wythoff:(1,1)", "wythoff:(1,2)", "wythoff:(2,1)", "wythoff:(2,2)"));
    EXPECT_THAT(all(family("graph{a->b;b->c};heaps=1;size=0..9")),
                ElementsAre("graph{a->b;b->c}:a", "graph{a->b;b->c}:b", "graph{a->b;b->c}:c"));
    // Boards of two cells, upright and lying.
    EXPECT_THAT(all(family("cram;heaps=1;size=2")), IsSupersetOf({"cram:oo", "cram:o_o"}));
    EXPECT_EQ(family("cookie;heaps=1;size=0..1").size(), 4 + 8 + 16 + 32u);
}

TEST(Families, AreReadFromTheWordsOfASuite) {
    EXPECT_EQ(family("nim;heaps=1..2;size=0..3;misere=mixed").size(), 2 * (4 + 16u));
    EXPECT_EQ(family("nim;size=small;heaps=1").text(), "nim;heaps=1;size=1..9");
    EXPECT_EQ(family("nim;sorted ; size=0..3;heaps=2").text(), "nim;heaps=2;size=0..3;sorted");
}

TEST(Families, HaveACanonicalTextThatReadsTheSame) {
    for (const std::string text :
         {"nim;heaps=1..4;size=0..7", "nim;heaps=3;size=5;misere=on;sorted",
          "nim;heaps=1;size=2..9;misere=mixed", "nim+kayles,take{1,3,4};heaps=2..3;size=0..5",
          "rules{n->n-k:k>=1&n%k=0&k<n};heaps=1..2;size=1..12"}) {
        EXPECT_EQ(family(text).text(), text);
        EXPECT_EQ(all(family(family(text).text())), all(family(text)));
    }
    EXPECT_EQ(family(".77;heaps=1..2;size=0..3").text(), "octal{.77};heaps=1..2;size=0..3");
}

TEST(Families, AreCompleteAndWithoutRepeats) {
    for (const std::string text :
         {"nim+kayles;heaps=2..4;size=0..4", "nim;heaps=1..4;size=0..7;sorted",
          "nim,wythoff;heaps=1..2;size=0..3;misere=mixed"}) {
        const auto texts = all(family(text));
        EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size());
    }
}

TEST(Families, HaveASumThatIsNamedTwiceOnce) {
    EXPECT_EQ(family("nim,kayles,nim;heaps=1;size=1..2").text(),
              "nim,kayles;heaps=1;size=1..2");
    EXPECT_THAT(all(family("nim,nim;heaps=1;size=1..2")), ElementsAre("nim:1", "nim:2"));
    EXPECT_EQ(family("nim+kayles,kayles+nim;heaps=2;size=1").size(), 2u);
}

TEST(Families, ErrorsSayWhatWasReadAndWhatWasExpected) {
    const struct {
        std::string text;
        std::string error;
    } cases[] = {
        {"nim", "column 1: read 'nim', expected a family such as "},
        {"nim:3,4,5", "column 1: read 'nim:3,4,5', expected a family such as "},
        {"nim:1-4 heaps of 0-7", "expected a family such as 'nim;heaps=1..4;size=0..7'"},
        {"nim;sorted", "column 1: read 'nim;sorted', expected a family such as "},
        {"nim;heaps=4..1;size=0..7", "column 11: read '4..1', expected a number or a range"},
        {"nim;heaps=1;size=1;sortedly", "column 20: read 'sortedly', expected "},
        {"nim;heaps=101;size=0", "read 101 heaps, expected at most 100"},
        {"nim;sorted;size=x", "column 17: read 'x', expected small, medium, large or a range"},
        {"nom;heaps=1;size=1", "column 1: "},
        {"nim;n=100%;size=1..2", "expected neither: a family is every position"},
        {"nim;winning=1;size=1..2", "expected neither"},
        {"wythoff+nim;heaps=1;size=1",
         "has no position: a sum has a heap in each of its parts"},
        {"nim;heaps=1..7;size=0..9",
         "the family 'nim;heaps=1..7;size=0..9' has more than 1000000 positions: ask for "
         "fewer or smaller heaps, or for sorted heaps"},
        {"nim;heaps=90;size=0..9", "has more than 1000000 positions"},
        {"nim+nim+nim+nim+nim;heaps=1..100;size=1", "has more than 1000000 positions"},
        {"nim;heaps=1;size=0..9223372036854775807", "too many heaps have that size"},
        {"wythoff;heaps=1;size=0..99999", "too many heaps have that size"},
        {"cram;heaps=1;size=36", "too many heaps have that size"},
    };
    for (const auto& [text, error] : cases) {
        const auto read = Family::parse(text);
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(describe(read.error()), HasSubstr(error)) << text;
    }
}

TEST(PositionSets, CountEachPositionOnce) {
    std::vector<Family> families;
    families.push_back(family("nim;heaps=1..2;size=0..3"));
    families.push_back(family("nim;heaps=2;size=2..4"));
    auto extra = *protocol::parse_position("nim:9");
    auto known = *protocol::parse_position("nim:3");
    const auto set = PositionSet::make(std::move(families), {extra, known});
    ASSERT_TRUE(set);
    EXPECT_EQ(set->size(), 4 + 16 + 5 + 1u);
    std::set<std::string> texts;
    for (std::size_t i = 0; i < set->size(); ++i) texts.insert(to_string(set->position(i)));
    EXPECT_EQ(texts.size(), set->size());
    EXPECT_TRUE(texts.contains("nim:9") && texts.contains("nim:4,4"));
}

TEST(PositionSets, HaveALimit) {
    std::vector<Family> families;
    families.push_back(family("nim;heaps=6;size=0..8"));
    families.push_back(family("nim;heaps=6;size=0..8;misere=on"));
    const auto set = PositionSet::make(std::move(families), {});
    ASSERT_FALSE(set);
    EXPECT_THAT(set.error().text, HasSubstr("all together has more than 1000000 positions"));
}

}  // namespace arena::family_test

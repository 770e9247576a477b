#include "arena/check/family.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace arena::family_test {

using testing::ElementsAre;
using testing::HasSubstr;

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
    EXPECT_THAT(all(family("nim:1-2 heaps of 0-1")),
                ElementsAre("nim:0", "nim:1", "nim:0,0", "nim:0,1", "nim:1,0", "nim:1,1"));
    EXPECT_THAT(all(family("nim:2 sorted heaps of 1-3")),
                ElementsAre("nim:1,1", "nim:1,2", "nim:1,3", "nim:2,2", "nim:2,3", "nim:3,3"));
    EXPECT_THAT(all(family("kayles:1 heap of 4 misere")), ElementsAre("kayles:4 misere"));
    EXPECT_THAT(all(family("nim:1 heap of 2 both")), ElementsAre("nim:2", "nim:2 misere"));
    EXPECT_THAT(all(family("nim,kayles:1 heap of 1-2")),
                ElementsAre("nim:1", "nim:2", "kayles:1", "kayles:2"));
}

TEST(Families, OfSumsHaveAHeapInEachPart) {
    EXPECT_THAT(all(family("nim+kayles:1-3 heaps of 1")),
                ElementsAre("nim:1+kayles:1", "nim:1+kayles:1,1", "nim:1,1+kayles:1"));
    EXPECT_EQ(family("nim+take{1,3}:4 sorted heaps of 0-5").size(), 6 * 56 + 21 * 21 + 56 * 6u);
}

TEST(Families, TakeHeapsThatTheRulesTake) {
    EXPECT_THAT(
        all(family("wythoff:1 heap of 1-2")),
        ElementsAre("wythoff:(1,1)", "wythoff:(1,2)", "wythoff:(2,1)", "wythoff:(2,2)"));
    EXPECT_THAT(all(family("graph{a->b;b->c}:1 heap of 0-9")),
                ElementsAre("graph{a->b;b->c}:a", "graph{a->b;b->c}:b", "graph{a->b;b->c}:c"));
    // Boards of two cells, upright and lying.
    EXPECT_THAT(all(family("cram:1 heap of 2")),
                testing::IsSupersetOf({"cram:oo", "cram:o_o"}));
    EXPECT_EQ(family("cookie:1 heap of 0-1").size(), 4 + 8 + 16 + 32u);
}

TEST(Families, AreReadFromTheWordsOfASuite) {
    const Family words = family("nim;heaps=1..2;size=0..3;misere=mixed");
    EXPECT_EQ(words.text(), "nim:1-2 heaps of 0-3 both");
    EXPECT_EQ(words.size(), 2 * (4 + 16u));
    EXPECT_EQ(family("nim;size=small;heaps=1").text(), "nim:1 heap of 1-9");
}

TEST(Families, HaveACanonicalTextThatReadsTheSame) {
    for (const std::string text :
         {"nim:1-4 heaps of 0-7", "nim:3 sorted heaps of 5 misere", "nim:1 heap of 2-9 both",
          "nim+kayles,take{1,3,4}:2-3 heaps of 0-5",
          "rules{n->n-k:k>=1&n%k=0&k<n}:1-2 heaps of 1-12"}) {
        EXPECT_EQ(family(text).text(), text);
        EXPECT_EQ(all(family(family(text).text())), all(family(text)));
    }
    EXPECT_EQ(family(".77:1..2  heaps of 0..3 normal").text(), "octal{.77}:1-2 heaps of 0-3");
}

TEST(Families, AreCompleteAndWithoutRepeats) {
    for (const std::string text : {"nim+kayles:2-4 heaps of 0-4", "nim:1-4 sorted heaps of 0-7",
                                   "nim,wythoff:1-2 heaps of 0-3 both"}) {
        const auto texts = all(family(text));
        EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size());
    }
}

TEST(Families, HaveASumThatIsNamedTwiceOnce) {
    EXPECT_EQ(family("nim,kayles,nim:1 heap of 1-2").text(), "nim,kayles:1 heap of 1-2");
    EXPECT_THAT(all(family("nim,nim:1 heap of 1-2")), ElementsAre("nim:1", "nim:2"));
    EXPECT_EQ(family("nim+kayles,kayles+nim:2 heaps of 1").size(), 2u);
}

TEST(Families, ErrorsSayWhatWasReadAndWhatWasExpected) {
    const struct {
        std::string text;
        std::string error;
    } cases[] = {
        {"nim", "column 1: read 'nim', expected a family such as "},
        {"nim:3,4,5", "column 5: read 'nim:3,4,5', expected a family such as "},
        {"nim:1-4 heaps 0-7", "expected a family such as "},
        {"nim:1-4 heaps of", "expected a family such as "},
        {"nim:4-1 heaps of 0-7",
         "column 5: read '4-1', expected a number of heaps such as 3 or 1-4, within 1-100"},
        {"nim:0 heaps of 0-7", "within 1-100"},
        {"nim:1 heap of x", "column 15: read 'x', expected a size of heaps"},
        {"nim:1 heap of 1 misère", "column 17: read 'misère', expected normal, misere or both"},
        {"nom:1 heap of 1", "column 1: "},
        {"nim;n=100%;size=1..2", "expected neither: a family is every position"},
        {"nim;winning=1;size=1..2", "expected neither"},
        {"wythoff+nim:1 heap of 1", "has no position: a sum has a heap in each of its parts"},
        {"nim:1-7 heaps of 0-9",
         "the family 'nim:1-7 heaps of 0-9' has 11111110 positions, expected at most 1000000: "
         "ask for fewer or smaller heaps, or for sorted heaps"},
        {"nim:1-90 heaps of 0-9", "has more than 10^15 positions"},
        // One position for each way: not a part of them instead.
        {"nim+nim+nim+nim+nim:1-100 heaps of 1",
         "spreads heaps over its rulesets in more than 100000 ways: ask for fewer heaps"},
        {"nim:1 heap of 0-9223372036854775807", "too many heaps have that size"},
        {"wythoff:1 heap of 0-99999", "too many heaps have that size"},
        {"cram:1 heap of 36", "too many heaps have that size"},
    };
    for (const auto& [text, error] : cases) {
        const auto read = Family::parse(text);
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(describe(read.error()), HasSubstr(error)) << text;
    }
}

TEST(PositionSets, CountEachPositionOnce) {
    std::vector<Family> families;
    families.push_back(family("nim:1-2 heaps of 0-3"));
    families.push_back(family("nim:2 heaps of 2-4"));
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
    families.push_back(family("nim:6 heaps of 0-8"));
    families.push_back(family("nim:6 heaps of 0-8 misere"));
    const auto set = PositionSet::make(std::move(families), {});
    ASSERT_FALSE(set);
    EXPECT_THAT(set.error().text, HasSubstr("all together has 1062882 positions"));
}

}  // namespace arena::family_test

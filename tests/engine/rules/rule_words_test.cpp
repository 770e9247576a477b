#include "engine/rules/rule_words.hpp"

#include "engine/rules/catalogue.hpp"

namespace engine::rule_words_test {

std::string words(const char* ruleset) { return rule_words({ruleset}); }

TEST(RuleWords, NameTheNumbersToTake) {
    EXPECT_EQ(words("take{1,3,4}"), "Take 1, 3 or 4 from a heap.");
    EXPECT_EQ(words("take{2}"), "Take 2 from a heap.");
    EXPECT_EQ(words("take{1-3,7,9-}"), "Take 1 to 3, 7 or 9 or more from a heap.");
    EXPECT_EQ(words("take{1-}"), "Take any number from a heap.");
    EXPECT_EQ(words("take{1,3,5,7,9,11,13,15,17,19,21,23}"),
              "Take 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, … from a heap.");
}

TEST(RuleWords, SayWhatEachDigitAllows) {
    EXPECT_EQ(words("octal{0.77}"), "Take 1 or 2 and leave nothing, one heap or two heaps.");
    EXPECT_EQ(words("octal{0.137}"),
              "Take 1 and leave nothing. Take 2 and leave nothing or one heap. "
              "Take 3 and leave nothing, one heap or two heaps.");
    EXPECT_EQ(words("octal{4.[3]}"),
              "Split a heap, taking nothing, into two heaps. "
              "Take 1 or more and leave nothing or one heap.");
    EXPECT_EQ(words("octal{0.3[17]}"),
              "Take 1 and leave nothing or one heap. Take 2 and leave nothing. "
              "Take 3 and leave nothing, one heap or two heaps. "
              "The last 2 digits repeat for ever, for larger numbers to take.");
    EXPECT_EQ(words("hex{0.8}"), "Take 1 and leave three heaps.");
    EXPECT_EQ(words("pass{0.07}"),
              "Take 2 and leave nothing, one heap or two heaps. "
              "Or pass; the last number of the heap is the number of passes left.");
}

TEST(RuleWords, ReadTheClausesOfRules) {
    EXPECT_EQ(words("rules{n->n-k:k>=1&2*k<=n}"), "Take at most half of the heap.");
    EXPECT_EQ(words("rules{n->1,[i=1..k]n/k:k>=2}"),
              "A heap n can become 1 and n/k for each i=1..k, where k>=2.");
    EXPECT_EQ(words("rules{(a,b)->(min(a,b),0):a>0;(a,b)->(b,0),(0,a):b>a;stop:a=b}"),
              "A heap (a,b) can become (min(a,b),0), where a>0; "
              "or (b,0) and (0,a), where b>a. There is no move if a=b.");
    EXPECT_EQ(words("rules{stop:n<3;n->n-k:k>=1&3*k<=n;n->n-5:n>=9}"),
              "A heap n can become n-k, where k>=1 and 3*k<=n; or n-5, where n>=9. "
              "There is no move if n<3.");
}

TEST(RuleWords, AreThereForAllRulesets) {
    for (const RulesetGuide& guide : ruleset_guides()) {
        EXPECT_TRUE(words(std::string(guide.example).c_str()).ends_with('.')) << guide.name;
    }
    EXPECT_EQ(
        words("moore{4}"),
        "Take any number from one heap, or from each of several, up to 4 heaps in a move.");
    EXPECT_EQ(words("wythoff"),
              "Take from one of two heaps, or as many from both: a queen moves towards the "
              "corner.");
    EXPECT_EQ(words("kayle"), "");
    EXPECT_EQ(words("take{0}"), "");
}

}  // namespace engine::rule_words_test

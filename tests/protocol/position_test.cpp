#include "protocol/position.hpp"

#include "protocol/text.hpp"
#include "tests/protocol/errors.hpp"

namespace protocol::position_test {

using namespace test;

TEST(PositionText, IsReadAndWrittenCanonically) {
    const std::pair<const char*, const char*> cases[] = {
        {"nim:3,4,5", "nim:3,4,5"},
        {"3,4,5", "nim:3,4,5"},
        {"nim:1,3,5,7 misere", "nim:1,3,5,7 misere"},
        {"nim:1 normal", "nim:1"},
        {"\t nim:1 \t misere  ", "nim:1 misere"},
        {"kayles:10,7+take{1,3,4}:21", "kayles:10,7+take{1,3,4}:21"},
        {"nim:1+2+nim:3", "nim:1+nim:2+nim:3"},
        {"wythoff:(3,5)", "wythoff:(3,5)"},
        {"cookie:(1,02,4)", "cookie:(1,2,4)"},
        {"graph{a->b,c;b->c}:a", "graph{a->b,c;b->c}:a"},
        {"graph{0->007;7}:007,0", "graph{0->007;7}:007,0"},
        {"nim:(w^2+3),4", "nim:(w^2+3),4"},
        {"nim:(5)", "nim:5"},
        {"nim:(w^1*1+0007)", "nim:(w+7)"},
        {"nim:(0)", "nim:0"},
        {"nim:(w^03*02+w+1)", "nim:(w^3*2+w+1)"},
        {"nim:0,0,000", "nim:0,0,0"},
        {"nim:09223372036854775807", "nim:9223372036854775807"},
        {"take{01,2}:3", "take{01,2}:3"},
        {"x-9{}:1", "x-9{}:1"},
        {"0.77:5", "octal{0.77}:5"},
        {".137:09,3", "octal{.137}:9,3"},
        {"3+4.[3]:7,2+4.3:1 misere", "nim:3+octal{4.[3]}:7,2+octal{4.3}:1 misere"},
        {"rules{(a,b)->(a-k,b):k>=1|a=b}:(1,2)", "rules{(a,b)->(a-k,b):k>=1|a=b}:(1,2)"},
    };
    for (const auto& [read, written] : cases) {
        SCOPED_TRACE(read);
        const auto position = parse_position(read);
        ASSERT_TRUE(position) << describe(position.error());
        EXPECT_EQ(to_string(*position), written);
        EXPECT_EQ(parse_position(written).operator*(), *position);
    }
}

constexpr std::string_view kEnding = "'normal', 'misere' or the end";
constexpr std::string_view kSeparator = "',', '+', a blank or the end";
constexpr std::string_view kCommaOrEnd = "',' or ')'";
constexpr std::string_view kHeaps = "':' and heaps after the ruleset";
constexpr std::string_view kBrackets = "digits that repeat in brackets: 0.[3]";
constexpr std::string_view kBraces = "nim:3,4,5 or, with parameters in braces, take{1,3,4}:5";
constexpr std::string_view kSubtractionSet =
    "a name in lower case: a subtraction set is 'take{1,3,4}', in quotes";
constexpr std::string_view kCode = "a code with a full stop, such as 0.77";
constexpr std::string_view kClosingBrace = "'}' (no blanks and no braces inside)";
constexpr std::string_view kFromOne = "a number from 1";
constexpr std::string_view kSmallerExponent =
    "a term with a smaller exponent than the one before";

TEST(PositionError, NamesColumnReadAndExpected) {
    const auto parse = [](std::string_view text) { return parse_position(text); };
    expect_errors(
        parse,
        {
            {"", 1, "the end", kPosition},
            {"  ", 3, "the end", kPosition},
            {"nim", 4, "the end", kHeaps},
            {"nim:", 5, "the end", kHeap},
            {"nim:3,", 7, "the end", kHeap},
            {"nim:3,,4", 7, "','", kHeap},
            {"nim:-3", 5, "'-'", "a heap such as 5; the least is 0"},
            {"wythoff:(-3,5)", 10, "'-'", "a number; the least is 0"},
            {"wythoff:(3;5)", 11, "';'", kCommaOrEnd},
            {"K5+K7", 1, "'K5'", "a ruleset in lower case and its heaps, such as kayles:5,7"},
            {"0.7[:5", 5, "':'", "a digit or ']' after the '['"},
            {".3737...:9", 6, "'...'", kBrackets},
            {"0.(37):9", 3, "'('", kBrackets},
            {"0.77:5+take(1,3):4", 12, "'('", kBraces},
            {"startpos", 1, "'startpos'", "a position: it is nim:1,3,5,7"},
            {"nim:abc", 5, "'abc'", kHeap},
            {"nim:3x", 6, "'x'", kSeparator},
            {"nim:3:4", 6, "':'", kSeparator},
            {"nim:3+", 7, "the end", kHeap},
            {"nim:3 +4", 7, "'+4'", kEnding},
            {"nim:3 Misere", 7, "'Misere'", kEnding},
            {"nim:3 misere x", 14, "'x'", "the end"},
            {"nim:9223372036854775808", 5, "'9223372036854775808'", kSmallNumber},
            {"nim:99999999999999999999999", 5, "'99999999999999999999999'", kSmallNumber},
            {"Nim:3", 1, "'Nim'", "a name in lower case, such as 'nim'"},
            {"3+Dawson-Chess:5", 3, "'Dawson-Chess'",
             "a name in lower case, such as 'dawson-chess'"},
            {"S(2,5):9", 1, "'S'", kSubtractionSet},
            {"S2:9 S5:9", 1, "'S2'", kSubtractionSet},
            {"take(2,5):9", 5, "'('", kBraces},
            {"misere nim:3", 7, "' '", "this word after the position: 'nim:3,4,5 misere'"},
            {"*3+*4", 1, "'*'", "a heap of nim without the star, such as 3"},
            {"nim:3 4 5", 7, "'4'",
             "'normal', 'misere' or the end: heaps are separated by commas"},
            {"take1:5 take2:5", 9, "'take2:5'",
             "'normal', 'misere' or the end: quote a text with braces"},
            {"·77:5", 1, "'·'", kCode},
            {"4·3:5", 1, "'4'", kCode},
            {"0.3\u0307:5", 4, "'\u0307'", kBrackets},
            {"rules{n->n-k:k>0 and k<3}:5", 17, "' '",
             "'}' (no blanks inside; 'and' is &, 'or' is |)"},
            {"12.5:3", 3, "'.'", kSeparator},
            {"0.77", 5, "the end", kHeaps},
            {"take{1,3:5", 11, "the end", kClosingBrace},
            {"take{1, 3}:5", 8, "' '", kClosingBrace},
            {"take{1{2}}:5", 7, "'{'", kClosingBrace},
            {"wythoff:(3,5", 13, "the end", kCommaOrEnd},
            {"wythoff:()", 10, "')'", "a number, or an ordinal such as w^2*3"},
            {"wythoff:(3,w)", 12, "'w'", "a number"},
            {"nim:(w^0)", 8, "'0'", kFromOne},
            {"nim:(w*0)", 8, "'0'", kFromOne},
            {"nim:(w+0)", 8, "'0'", "a term that is not 0"},
            {"nim:(w+w)", 8, "'w'", kSmallerExponent},
            {"nim:(3+w)", 8, "'w'", kSmallerExponent},
            {"nim:(w^2*3^4)", 11, "'^'", "'+' or ')'"},
            {"nim:w^w", 5, "'w'", "an ordinal below w^w in brackets, such as (w^2+1)"},
            {"nim:(w^w)", 8, "'w'", "a number: ordinals stay below w^w"},
            {"graph{a}:(a)", 10, "'('", "a vertex: letters, digits and '_'"},
            {"nim:\x1b[2J", 5, "'\\x1b'", kHeap},
        });
}

TEST(Ruleset, HasNameAndMayHaveBraces) {
    const auto take = parse_ruleset_text("take{1,3-}");
    ASSERT_TRUE(take);
    EXPECT_EQ(take->name(), "take");

    const auto nim = parse_ruleset_text("nim");
    ASSERT_TRUE(nim);
    EXPECT_EQ(nim->name(), "nim");

    EXPECT_EQ(parse_ruleset_text("4.[3]")->text, "octal{4.[3]}");

    EXPECT_FALSE(parse_ruleset_text("nim:3"));
    EXPECT_FALSE(parse_ruleset_text("9nim"));
}

TEST(Position, FindsHeapsAcrossComponents) {
    const auto position = parse_position("nim:3,4+take{2}:5,6");
    ASSERT_TRUE(position);
    EXPECT_EQ(position->heap_count(), 4u);
    EXPECT_EQ(find_heap(*position, 1).heap(), Heap(Number{3}));
    EXPECT_EQ(find_heap(*position, 3).heap(), Heap(Number{5}));
    EXPECT_EQ(find_heap(*position, 4).component->ruleset.name(), "take");
    EXPECT_FALSE(find_heap(*position, 0));
    EXPECT_FALSE(find_heap(*position, 5));
}

TEST(Heap, OrdersOrdinalsAboveNumbersAndByTerms) {
    const auto position = parse_position("nim:5,(w),(w+1),(w*2),(w^2),(w^2+w),(w^2*2)");
    ASSERT_TRUE(position);
    EXPECT_TRUE(std::ranges::is_sorted(position->components.front().heaps));
}

TEST(Error, IsMarkedUnderTheCharacterItNames) {
    EXPECT_EQ(mark_column("nim:3,x", {Fault::BadInput, "", 7}), "nim:3,x\n      ^\n");
    EXPECT_EQ(mark_column("é:3", {Fault::BadInput, "", 3}), "é:3\n ^\n");
    const std::string marked =
        mark_column(std::string(500, '1') + "x", {Fault::BadInput, "", 501});
    EXPECT_EQ(marked, "…" + std::string(60, '1') + "x\n" + std::string(61, ' ') + "^\n");
}

TEST(Position, MayBeTypedWithBlanks) {
    const std::pair<const char*, const char*> cases[] = {
        {"take{1, 2, 3}: 5, 6", "take{1,2,3}:5,6"},
        {"  nim : 3 ,\t4 + kayles :5   misere ", "nim:3,4+kayles:5 misere"},
        {"take {1,2}:3", "take{1,2}:3"},
        {"wythoff:( 3, 5 ) misere", "wythoff:(3,5) misere"},
        {"rules{ n -> n - k :\n k >= 1 }:5", "rules{n->n-k:k>=1}:5"},
        // Two words are never one.
        {"take{1 2}:3", "take{1 2}:3"},
        {"rules{n->n-1:n>1 and n<5}:3", "rules{n->n-1:n>1 and n<5}:3"},
        {"nim:3 4", "nim:3 4"},
        {"nim:3 (4,5)", "nim:3 (4,5)"},
        {"", ""},
        {" \n", ""},
    };
    for (const auto& [typed, text] : cases) EXPECT_EQ(without_blanks(typed), text);
    // The protocol stays as it is.
    EXPECT_FALSE(parse_position("take{1, 2, 3}:5"));
    EXPECT_FALSE(parse_position("take{1,2,3}:5, 6"));
}

TEST(Position, AsksWhatTheHeapsOfARulesetLookLike) {
    const auto syntax_of = [](const RulesetText& ruleset) {
        return ruleset.text == "ring" ? HeapSyntax::Vertex : heap_syntax_by_name(ruleset);
    };
    const auto position = parse_position("ring:a,007+graph{b}:b+3", syntax_of);
    ASSERT_TRUE(position) << position.error().text;
    EXPECT_EQ(to_string(*position), "ring:a,007+graph{b}:b+nim:3");
    EXPECT_FALSE(parse_position("ring:a"));
}

}  // namespace protocol::position_test

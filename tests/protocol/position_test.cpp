#include "protocol/position.hpp"

#include "protocol/text.hpp"

namespace protocol::position_test {

struct Canonical {
    const char* read;
    const char* written;
};

class PositionText : public testing::TestWithParam<Canonical> {};

TEST_P(PositionText, IsReadAndWrittenCanonically) {
    const auto position = parse_position(GetParam().read);
    ASSERT_TRUE(position) << describe(position.error());
    EXPECT_EQ(to_string(*position), GetParam().written);
    const auto again = parse_position(GetParam().written);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *position);
}

INSTANTIATE_TEST_SUITE_P(
    Contract, PositionText,
    testing::Values(
        Canonical{"nim:3,4,5", "nim:3,4,5"}, Canonical{"3,4,5", "nim:3,4,5"},
        Canonical{"nim:1,3,5,7 misere", "nim:1,3,5,7 misere"},
        Canonical{"nim:1 normal", "nim:1"}, Canonical{"\t nim:1 \t misere  ", "nim:1 misere"},
        Canonical{"kayles:10,7+take{1,3,4}:21", "kayles:10,7+take{1,3,4}:21"},
        Canonical{"nim:1+2+nim:3", "nim:1+nim:2+nim:3"},
        Canonical{"wythoff:(3,5)", "wythoff:(3,5)"},
        Canonical{"cookie:(1,02,4)", "cookie:(1,2,4)"},
        Canonical{"graph{a->b,c;b->c}:a", "graph{a->b,c;b->c}:a"},
        Canonical{"graph{0->007;7}:007,0", "graph{0->007;7}:007,0"},
        Canonical{"nim:(w^2+3),4", "nim:(w^2+3),4"}, Canonical{"nim:(5)", "nim:5"},
        Canonical{"nim:(w^1*1+0007)", "nim:(w+7)"}, Canonical{"nim:(0)", "nim:0"},
        Canonical{"nim:(w^03*02+w+1)", "nim:(w^3*2+w+1)"},
        Canonical{"nim:0,0,000", "nim:0,0,0"},
        Canonical{"nim:09223372036854775807", "nim:9223372036854775807"},
        Canonical{"take{01,2}:3", "take{01,2}:3"}, Canonical{"x-9{}:1", "x-9{}:1"},
        Canonical{"0.77:5", "octal{0.77}:5"}, Canonical{".137:09,3", "octal{.137}:9,3"},
        Canonical{"3+4.[3]:7,2+4.3:1 misere", "nim:3+octal{4.[3]}:7,2+octal{4.3}:1 misere"},
        Canonical{"rules{(a,b)->(a-k,b):k>=1|a=b}:(1,2)",
                  "rules{(a,b)->(a-k,b):k>=1|a=b}:(1,2)"}));

struct Malformed {
    const char* read;
    const char* error;
};

class PositionError : public testing::TestWithParam<Malformed> {};

TEST_P(PositionError, NamesColumnReadAndExpected) {
    const auto position = parse_position(GetParam().read);
    ASSERT_FALSE(position) << to_string(*position);
    EXPECT_EQ(describe(position.error()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Contract, PositionError,
    testing::Values(
        Malformed{"", "column 1: read the end, expected a position such as nim:3,4,5"},
        Malformed{"  ", "column 3: read the end, expected a position such as nim:3,4,5"},
        Malformed{"nim", "column 4: read the end, expected ':' and heaps after the ruleset"},
        Malformed{"nim:", "column 5: read the end, expected a heap such as 5, (3,5) or (w+1)"},
        Malformed{"nim:3,",
                  "column 7: read the end, expected a heap such as 5, (3,5) or (w+1)"},
        Malformed{"nim:3,,4", "column 7: read ',', expected a heap such as 5, (3,5) or (w+1)"},
        Malformed{"nim:-3", "column 5: read '-', expected a heap such as 5; the least is 0"},
        Malformed{"wythoff:(-3,5)", "column 10: read '-', expected a number; the least is 0"},
        Malformed{"wythoff:(3;5)", "column 11: read ';', expected ',' or ')'"},
        Malformed{
            "K5+K7",
            "column 1: read 'K5', expected a ruleset in lower case and its heaps, such as "
            "kayles:5,7"},
        Malformed{"0.7[:5", "column 5: read ':', expected a digit or ']' after the '['"},
        Malformed{".3737...:9",
                  "column 6: read '...', expected digits that repeat in brackets: 0.[3]"},
        Malformed{"0.(37):9",
                  "column 3: read '(', expected digits that repeat in brackets: 0.[3]"},
        Malformed{"0.77:5+take(1,3):4",
                  "column 12: read '(', expected nim:3,4,5 or, with parameters in braces, "
                  "take{1,3,4}:5"},
        Malformed{"startpos",
                  "column 1: read 'startpos', expected a position: it is nim:1,3,5,7"},
        Malformed{"nim:abc", "column 5: read 'abc', expected a heap such as 5, (3,5) or (w+1)"},
        Malformed{"nim:3x", "column 6: read 'x', expected ',', '+', a blank or the end"},
        Malformed{"nim:3:4", "column 6: read ':', expected ',', '+', a blank or the end"},
        Malformed{"nim:3+",
                  "column 7: read the end, expected a heap such as 5, (3,5) or (w+1)"},
        Malformed{"nim:3 +4", "column 7: read '+4', expected 'normal', 'misere' or the end"},
        Malformed{"nim:3 Misere",
                  "column 7: read 'Misere', expected 'normal', 'misere' or the end"},
        Malformed{"nim:3 misere x", "column 14: read 'x', expected the end"},
        Malformed{"nim:9223372036854775808",
                  "column 5: read '9223372036854775808', expected a number up to "
                  "9223372036854775807"},
        Malformed{"nim:99999999999999999999999",
                  "column 5: read '99999999999999999999999', expected a number up to "
                  "9223372036854775807"},
        Malformed{"Nim:3",
                  "column 1: read 'Nim', expected a name in lower case, such as 'nim'"},
        Malformed{"3+Dawson-Chess:5",
                  "column 3: read 'Dawson-Chess', expected a name in lower case, such as "
                  "'dawson-chess'"},
        Malformed{"S(2,5):9",
                  "column 1: read 'S', expected a name in lower case: a subtraction set is "
                  "'take{1,3,4}', in quotes"},
        Malformed{"S2:9 S5:9",
                  "column 1: read 'S2', expected a name in lower case: a subtraction set is "
                  "'take{1,3,4}', in quotes"},
        Malformed{"take(2,5):9",
                  "column 5: read '(', expected nim:3,4,5 or, with parameters in braces, "
                  "take{1,3,4}:5"},
        Malformed{"misere nim:3",
                  "column 7: read ' ', expected this word after the position: 'nim:3,4,5 "
                  "misere'"},
        Malformed{"*3+*4",
                  "column 1: read '*', expected a heap of nim without the star, such as 3"},
        Malformed{"nim:3 4 5",
                  "column 7: read '4', expected 'normal', 'misere' or the end: heaps are "
                  "separated by commas"},
        Malformed{"take1:5 take2:5",
                  "column 9: read 'take2:5', expected 'normal', 'misere' or the end: quote a "
                  "text with braces"},
        Malformed{"·77:5",
                  "column 1: read '·', expected a code with a full stop, such as 0.77"},
        Malformed{"4·3:5",
                  "column 1: read '4', expected a code with a full stop, such as 0.77"},
        Malformed{"0.3\u0307:5",
                  "column 4: read '\u0307', expected digits that repeat in brackets: 0.[3]"},
        Malformed{
            "rules{n->n-k:k>0 and k<3}:5",
            "column 17: read ' ', expected '}' (no blanks inside; 'and' is &, 'or' is |)"},
        Malformed{"12.5:3", "column 3: read '.', expected ',', '+', a blank or the end"},
        Malformed{"0.77", "column 5: read the end, expected ':' and heaps after the ruleset"},
        Malformed{"take{1,3:5",
                  "column 11: read the end, expected '}' (no blanks and no braces inside)"},
        Malformed{"take{1, 3}:5",
                  "column 8: read ' ', expected '}' (no blanks and no braces inside)"},
        Malformed{"take{1{2}}:5",
                  "column 7: read '{', expected '}' (no blanks and no braces inside)"},
        Malformed{"wythoff:(3,5", "column 13: read the end, expected ',' or ')'"},
        Malformed{"wythoff:()",
                  "column 10: read ')', expected a number, or an ordinal such as w^2*3"},
        Malformed{"wythoff:(3,w)", "column 12: read 'w', expected a number"},
        Malformed{"nim:(w^0)", "column 8: read '0', expected a number from 1"},
        Malformed{"nim:(w*0)", "column 8: read '0', expected a number from 1"},
        Malformed{"nim:(w+0)", "column 8: read '0', expected a term that is not 0"},
        Malformed{"nim:(w+w)",
                  "column 8: read 'w', expected a term with a smaller exponent than the one "
                  "before"},
        Malformed{"nim:(3+w)",
                  "column 8: read 'w', expected a term with a smaller exponent than the one "
                  "before"},
        Malformed{"nim:(w^2*3^4)", "column 11: read '^', expected '+' or ')'"},
        Malformed{"nim:w^w",
                  "column 5: read 'w', expected an ordinal below w^w in brackets, such as "
                  "(w^2+1)"},
        Malformed{"nim:(w^w)",
                  "column 8: read 'w', expected a number: ordinals stay below w^w"},
        Malformed{"graph{a}:(a)",
                  "column 10: read '(', expected a vertex: letters, digits and '_'"},
        Malformed{"nim:\x1b[2J",
                  "column 5: read '\\x1b', expected a heap such as 5, (3,5) or (w+1)"}));

TEST(Ruleset, HasNameAndMayHaveParameters) {
    const auto take = parse_ruleset_text("take{1,3-}");
    ASSERT_TRUE(take);
    EXPECT_EQ(take->name(), "take");
    EXPECT_TRUE(take->has_parameters());

    const auto nim = parse_ruleset_text("nim");
    ASSERT_TRUE(nim);
    EXPECT_EQ(nim->name(), "nim");
    EXPECT_FALSE(nim->has_parameters());

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

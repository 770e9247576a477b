#include "protocol/move.hpp"

#include "tests/protocol/errors.hpp"

namespace protocol::move_test {

using namespace test;

Position position(const char* text) {
    auto parsed = parse_position(text);
    EXPECT_TRUE(parsed) << text << ": " << describe(parsed.error());
    return *parsed;
}

struct Played {
    const char* before;
    const char* move;
    const char* canonical;
    const char* after;
};

TEST(MoveText, IsReadWrittenCanonicallyAndApplied) {
    const Played cases[] = {
        {"nim:3,4,5", "2=1", "2=1", "nim:3,1,5"},
        {"nim:3,4,5", "2=0", "2=0", "nim:3,0,5"},
        {"nim:3,4,5", "2=007", "2=7", "nim:3,7,5"},
        {"lasker:7,9", "1=2,4", "1=2,4", "lasker:2,4,9"},
        {"lasker:7,9", "1=4,0,2,0", "1=2,4", "lasker:2,4,9"},
        {"lasker:7,9", "1=0,0", "1=0", "lasker:0,9"},
        {"nim:1+lasker:7", "2=4,2", "2=2,4", "nim:1+lasker:2,4"},
        {"wythoff:(5,7)", "1=(2,4)", "1=(2,4)", "wythoff:(2,4)"},
        {"cookie:(1,2,4)", "1=(0,0,3)", "1=(0,0,3)", "cookie:(0,0,3)"},
        {"graph{a->b;b}:a,a", "2=b", "2=b", "graph{a->b;b}:a,b"},
        {"graph{a->007;007}:a", "1=007", "1=007", "graph{a->007;007}:007"},
        {"nim:(w^2)", "1=(w^1*2+1)", "1=(w*2+1)", "nim:(w*2+1)"},
        {"nim:(w)", "1=(5)", "1=5", "nim:5"},
        {"rules{n->x,n-x:0<x}:5", "1=5,0", "1=0,5", "rules{n->x,n-x:0<x}:0,5"},
        {"rules{n->x,n-x:0<x}:5", "1=0", "1=0", "rules{n->x,n-x:0<x}:0"},
        {"wythoff:(9,9)", "1=(3,4),(3,1),(2,8)", "1=(2,8),(3,1),(3,4)",
         "wythoff:(2,8),(3,1),(3,4)"},
    };
    for (const auto& [before, text, canonical, after] : cases) {
        SCOPED_TRACE(text);
        Position board = position(before);
        const auto move = parse_move(text, board);
        ASSERT_TRUE(move) << describe(move.error());
        EXPECT_EQ(to_string(*move), canonical);
        EXPECT_EQ(parse_move(to_string(*move), board).operator*(), *move);
        apply(board, *move);
        EXPECT_EQ(to_string(board), after);
    }
}

constexpr std::string_view kMove = "a move such as 2=1";
constexpr std::string_view kHeapNumber = "the number of a heap, 1..1";
constexpr std::string_view kWholeNumber = "a whole number";

TEST(MoveError, NamesColumnReadAndExpected) {
    const auto in = [](const char* text) {
        return
            [board = position(text)](std::string_view move) { return parse_move(move, board); };
    };
    expect_errors(in("nim:3"),
                  {
                      {"", 1, "the end", kMove},
                      {"0000", 1, "'0000'", kHeapNumber},
                      {"0=1", 1, "'0'", kHeapNumber},
                      {"01=1", 1, "'01'", kHeapNumber},
                      {"18446744073709551616=1", 1, "'18446744073709551616'", kHeapNumber},
                      {"18446744073709551617=1", 1, "'18446744073709551617'", kHeapNumber},
                      {"-1=1", 1, "'-'", kMove},
                      {"hello", 1, "'hello'", kMove},
                      {"1", 2, "the end", "'=' after the number of the heap"},
                      {"1=", 3, "the end", kHeap},
                      {"1=2x", 4, "'x'", "',' or the end"},
                      {"1=0.0", 3, "'0.0'", kWholeNumber},
                      {"1=a", 3, "'a'", kHeap},
                      {"1=9223372036854775808", 3, "'9223372036854775808'", kSmallNumber},
                  });
    expect_errors(in("nim:3,4"), {{"3=1", 1, "'3'", "the number of a heap, 1..2"}});
    expect_errors(in("nim:9"), {{"1=2,3.5", 5, "'3.5'", kWholeNumber}});
    expect_errors(in("graph{a->b;b}:a"), {{"1=a,b", 1, "several vertices", "one"}});
}

}  // namespace protocol::move_test

#include "protocol/move.hpp"

namespace protocol::move_test {

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

class MoveText : public testing::TestWithParam<Played> {};

TEST_P(MoveText, IsReadWrittenCanonicallyAndApplied) {
    Position board = position(GetParam().before);
    const auto move = parse_move(GetParam().move, board);
    ASSERT_TRUE(move) << describe(move.error());
    EXPECT_EQ(to_string(*move), GetParam().canonical);
    EXPECT_EQ(parse_move(to_string(*move), board).operator*(), *move);
    apply(board, *move);
    EXPECT_EQ(to_string(board), GetParam().after);
}

INSTANTIATE_TEST_SUITE_P(
    Contract, MoveText,
    testing::Values(Played{"nim:3,4,5", "2=1", "2=1", "nim:3,1,5"},
                    Played{"nim:3,4,5", "2=0", "2=0", "nim:3,0,5"},
                    Played{"nim:3,4,5", "2=007", "2=7", "nim:3,7,5"},
                    Played{"lasker:7,9", "1=2,4", "1=2,4", "lasker:2,4,9"},
                    Played{"lasker:7,9", "1=4,0,2,0", "1=2,4", "lasker:2,4,9"},
                    Played{"lasker:7,9", "1=0,0", "1=0", "lasker:0,9"},
                    Played{"nim:1+lasker:7", "2=4,2", "2=2,4", "nim:1+lasker:2,4"},
                    Played{"wythoff:(5,7)", "1=(2,4)", "1=(2,4)", "wythoff:(2,4)"},
                    Played{"cookie:(1,2,4)", "1=(0,0,3)", "1=(0,0,3)", "cookie:(0,0,3)"},
                    Played{"graph{a->b;b}:a,a", "2=b", "2=b", "graph{a->b;b}:a,b"},
                    Played{"graph{a->007;007}:a", "1=007", "1=007", "graph{a->007;007}:007"},
                    Played{"nim:(w^2)", "1=(w^1*2+1)", "1=(w*2+1)", "nim:(w*2+1)"},
                    Played{"nim:(w)", "1=(5)", "1=5", "nim:5"},
                    Played{"rules{n->x,n-x:0<x}:5", "1=5,0", "1=0,5",
                           "rules{n->x,n-x:0<x}:0,5"},
                    Played{"rules{n->x,n-x:0<x}:5", "1=0", "1=0", "rules{n->x,n-x:0<x}:0"},
                    Played{"wythoff:(9,9)", "1=(3,4),(3,1),(2,8)", "1=(2,8),(3,1),(3,4)",
                           "wythoff:(2,8),(3,1),(3,4)"}));

struct Malformed {
    const char* position;
    const char* move;
    const char* error;
};

class MoveError : public testing::TestWithParam<Malformed> {};

TEST_P(MoveError, NamesColumnReadAndExpected) {
    const auto move = parse_move(GetParam().move, position(GetParam().position));
    ASSERT_FALSE(move) << to_string(*move);
    EXPECT_EQ(describe(move.error()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Contract, MoveError,
    testing::Values(
        Malformed{"nim:3", "", "column 1: read the end, expected a move such as 2=1"},
        Malformed{"nim:3", "0000",
                  "column 1: read '0000', expected the number of a heap, 1..1"},
        Malformed{"nim:3", "0=1", "column 1: read '0', expected the number of a heap, 1..1"},
        Malformed{"nim:3", "01=1", "column 1: read '01', expected the number of a heap, 1..1"},
        Malformed{"nim:3,4", "3=1", "column 1: read '3', expected the number of a heap, 1..2"},
        Malformed{"nim:3", "18446744073709551616=1",
                  "column 1: read '18446744073709551616', expected the number of a heap, 1..1"},
        Malformed{"nim:3", "18446744073709551617=1",
                  "column 1: read '18446744073709551617', expected the number of a heap, 1..1"},
        Malformed{"nim:3", "-1=1", "column 1: read '-', expected a move such as 2=1"},
        Malformed{"nim:3", "hello", "column 1: read 'hello', expected a move such as 2=1"},
        Malformed{"nim:3", "1",
                  "column 2: read the end, expected '=' after the number of the heap"},
        Malformed{"nim:3",
                  "1=", "column 3: read the end, expected a heap such as 5, (3,5) or (w+1)"},
        Malformed{"nim:3", "1=2x", "column 4: read 'x', expected ',' or the end"},
        Malformed{"nim:3", "1=0.0", "column 3: read '0.0', expected a whole number"},
        Malformed{"nim:9", "1=2,3.5", "column 5: read '3.5', expected a whole number"},
        Malformed{"nim:3", "1=a",
                  "column 3: read 'a', expected a heap such as 5, (3,5) or (w+1)"},
        Malformed{"nim:3", "1=9223372036854775808",
                  "column 3: read '9223372036854775808', expected a number up to "
                  "9223372036854775807"},
        Malformed{"graph{a->b;b}:a", "1=a,b",
                  "column 1: read several vertices, expected one"}));

}  // namespace protocol::move_test

#include "arena/report/move_words.hpp"

namespace arena::pages::move_words_test {

std::string words(const std::string& text, const char* move) {
    const auto position = *protocol::parse_position(text);
    return move_words(position, *protocol::parse_move(move, position));
}

TEST(MoveWords, TellMovesAsTheirGamesDo) {
    EXPECT_EQ(words("nim:3,7", "2=4"), "take 3 from pile 2, leaving 4");
    EXPECT_EQ(words("nim:3,7", "1=0"), "take all of pile 1");
    EXPECT_EQ(words("kayles:10", "1=2,6"), "take 2 from pile 1, leaving 2 and 6");
    EXPECT_EQ(words("hex{0.8F}:9", "1=1,2,5"), "take 1 from pile 1, leaving 1, 2 and 5");
    EXPECT_EQ(words("nim:1+grundy:7", "2=3,4"), "split pile 2 into 3 and 4");
    EXPECT_EQ(words("wythoff:(3,5)", "1=(1,3)"), "move the queen of pile 1 to (1,3)");
    EXPECT_EQ(words("cookie:(1,2,4)", "1=(0,0,3)"), "eat cookie 2 of pile 1");
    EXPECT_EQ(words("cookie:4", "1=0"), "eat cookie 1 of pile 1");
    EXPECT_EQ(words("pass{0.77}:(5,2)", "1=(5,1)"), "pass in pile 1, leaving 1 of its passes");
    EXPECT_EQ(words("pass{0.77}:(5,2)", "1=(3,2)"), "take 2 from pile 1, leaving 3");
    EXPECT_EQ(words("pass{0.77}:(2,2)", "1=(0,2)"), "take all of pile 1");
    EXPECT_EQ(words("pass{0.77}:(5,2)", "1=(1,2,2)"), "take 2 from pile 1, leaving 1 and 2");
    EXPECT_EQ(words("pass{0.77}:(5,4,2)", "1=(5,1,1,2)"),
              "take 2 from the 4 of pile 1, leaving 1 and 1");
    EXPECT_EQ(words("moore{2}:(3,4,5)", "1=(3,2,4)"),
              "take 2 from row 2 and 1 from row 3 of pile 1");
    EXPECT_EQ(words("chomp:(4,4,3)", "1=(4,2,2)"),
              "bite at row 2, column 3 of pile 1, taking 3");
    EXPECT_EQ(words("welter:(1,4,6)", "1=(1,2,6)"), "move the coin of pile 1 from 4 to 2");
    EXPECT_EQ(words("graph{a->b,c;b->c}:a", "1=c"), "move the token of pile 1 to c");
    EXPECT_EQ(words("cram:ooo_ooo", "1=o_o,o_o"),
              "lay a domino on row 1, column 2 and row 2, column 2 of pile 1");
    EXPECT_EQ(words("cram:ooo_ooo", "1=oo_oo"), "lay a domino in pile 1, leaving oo_oo");
    EXPECT_EQ(words("cram:oooooooo_oooooooo_oooooooo_oooooooo_oooooooo", "1=oo,x"),
              "lay a domino in pile 1, leaving oo and x");
    EXPECT_EQ(words("notakto:ooo_oxo_ooo", "1=xoo_oxo_ooo"),
              "write x in row 1, column 1 of pile 1");
    EXPECT_EQ(words("node-kayles{a->b;b->c;c->d}:15", "1=8"), "take a, b and c from pile 1");
    EXPECT_EQ(words("arc-kayles{a->b;b->c;c->d}:15", "1=1,8"), "take b and c from pile 1");
    EXPECT_EQ(words("hackenbush{ground->a;a->b;b->c}:7", "1=1"),
              "cut a–b of pile 1, so that b–c falls");
    EXPECT_EQ(words("hackenbush{ground->a;a->b;b->c}:7", "1=3"), "cut b–c of pile 1");
}

TEST(MoveWords, TellOtherMovesByWhatTheyLeave) {
    EXPECT_EQ(words("nim:(w+1)", "1=5"), "turn pile 1 into 5");
    EXPECT_EQ(words("rules{n->n+1:n<9}:3", "1=4"), "turn pile 1 into 4");
    EXPECT_EQ(words("rules{(a,b)->(b,a):a>b}:(5,3)", "1=(3,5)"), "move pile 1 to (3,5)");
    // A graph with more edges than are drawn: each of 20 vertices joined to each.
    std::string edges;
    for (int from = 0; from < 19; ++from) {
        edges +=
            (from == 0 ? "v" : ";v") + std::to_string(from) + "->v" + std::to_string(from + 1);
        for (int to = from + 2; to < 20; ++to) edges += ",v" + std::to_string(to);
    }
    EXPECT_EQ(words("node-kayles{" + edges + "}:1048575", "1=0"), "turn pile 1 into 0");
}

// Records are not checked: their positions and moves need not be of the game.
TEST(MoveWords, AreFoundForMovesAgainstTheRules) {
    std::string path = "ground->a0";
    for (int i = 0; i < 70; ++i)
        path += ";a" + std::to_string(i) + "->a" + std::to_string(i + 1);
    EXPECT_EQ(words("node-kayles{a->b;b->c;c->d}:15", "1=(1,2)"), "turn pile 1 into (1,2)");
    EXPECT_EQ(words("cram:ooo_oo", "1=oo_ox"), "lay a domino in pile 1, leaving oo_ox");
    for (const std::string name : {"node-kayles", "arc-kayles", "hackenbush"}) {
        EXPECT_EQ(words(name + "{" + path + "}:9223372036854775807", "1=1"),
                  "turn pile 1 into 1");
    }
}

}  // namespace arena::pages::move_words_test

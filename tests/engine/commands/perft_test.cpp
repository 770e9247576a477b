#include "engine/commands/command.hpp"
#include "tests/agreement/positions.hpp"
#include "tests/engine/commands/printed.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::test::perft_test {

Printed perft(const std::vector<std::string>& words) { return printed(kPerft, words); }

// What it counts, or says instead.
std::string counted(const std::string& position, Number length) {
    const Printed told = perft({position, std::to_string(length)});
    return told.out + told.errors;
}

// One move after the other, each listed and played.
Count count_one_by_one(const Game& game, Number length) {
    if (length == 0) return 1;
    Count total = 0;
    for (const Move& move : game.moves(100000)) {
        Game next = game;
        next.play(move);
        total += count_one_by_one(next, length - 1);
    }
    return total;
}

TEST(Perft, CountsWhatIsPlayedOneByOne) {
    const char* positions[] = {
        "nim:4,2,3",
        "nim:0",
        "take{1,3-4}:9,5",
        "take{!2}:7 misere",
        "kayles:7",
        "octal{4.1702}:6,3",
        "hex{8.0D}:9",
        "hex{C.F}:5",
        "lasker:5,2",
        "grundy:12,8",
        "wythoff:(3,2),(1,1)",
        "cookie:(1,1,2,4),(2,2),3",
        "graph{a->b,c;b->c;c->d}:a,a,b",
        "graph{a->b,a;b->a,c}:a,b",
        "nim:2+kayles:4+graph{x->y;y->x,z}:x+wythoff:(1,2)",
    };
    for (const char* text : positions) {
        const Game game = game_of(text);
        for (Number length = 0; length <= 5; ++length) {
            EXPECT_EQ(counted(text, length),
                      std::to_string(count_one_by_one(game, length)) + '\n')
                << text << ' ' << length;
        }
    }
}

TEST(Perft, CountsRandomSums) {
    std::mt19937_64 random(3);
    const char* rulesets[] = {"nim",    "take{2,3}", "kayles",     "officers",
                              "lasker", "grundy",    "octal{4.3}", "hex{8.8}"};
    for (int i = 0; i < 100; ++i) {
        std::string text;
        const std::size_t components = 1 + random() % 3;
        for (std::size_t j = 0; j < components; ++j) {
            text += (j > 0 ? "+" : "") + std::string(rulesets[random() % 8]) + ":" +
                    std::to_string(random() % 7) + "," + std::to_string(random() % 4);
        }
        const Game game = game_of(text);
        for (const Number length : {1, 2, 3, 4}) {
            EXPECT_EQ(counted(text, length),
                      std::to_string(count_one_by_one(game, length)) + '\n')
                << text;
        }
    }
}

TEST(Perft, CountsFarWhereThatIsPossible) {
    const std::string many = "nim-engine perft: there are 2^64-1 sequences or more\n";
    // One heap of nim: any subset of the sizes between is a way.
    EXPECT_EQ(counted("nim:60", 30), "118264581564861424\n");  // 60 over 30
    EXPECT_EQ(counted("nim:60", 61), "0\n");
    // Loops of one move each: 2^60 ways to say which.
    EXPECT_EQ(counted("graph{a->a}:a,a", 60), std::to_string(Count{1} << 60) + '\n');
    EXPECT_EQ(counted("graph{a->a}:a", 1000), "1\n");
    // More than the counter holds in the middle, none at the end.
    EXPECT_EQ(counted("nim:9,9,9,9,9,9,9,9,9,9", 91), "0\n");
    EXPECT_EQ(counted("nim:9,9,9,9,9,9,9,9,9,9", 60), many);
    EXPECT_EQ(counted("nim:9223372036854775807", 1), "9223372036854775807\n");
    EXPECT_EQ(counted("nim:9223372036854775807", 2), many);
    EXPECT_EQ(counted("nim:(w)", 3), many);
}

TEST(Perft, StopsWhereMemoryEnds) {
    const LittleMemory memory(1 << 16);
    EXPECT_EQ(counted("wythoff:(300,300)", 100),
              "nim-engine perft: the heaps that can be reached do not fit the memory\n");
}

// Some 770 counts of heaps of 8 kB, whose texts take a quarter of that.
TEST(Perft, ReservesWhatLongTuplesHold) {
    std::string text = "moore{1}:(1,1,1,1,1,1,1,1";
    for (int i = 0; i < 992; ++i) text += ",0";
    text += ')';
    EXPECT_EQ(counted(text, 8), "40320\n");
    const LittleMemory memory(std::size_t{4} << 20);
    EXPECT_EQ(counted(text, 8),
              "nim-engine perft: the heaps that can be reached do not fit the memory\n");
}

TEST(Perft, NamesAHeapThatTheRulesRefuse) {
    const Printed told = perft({"rules{n->n*n:n>1&k<=1}:5000", "2"});
    EXPECT_EQ(told.status, 1);
    EXPECT_THAT(told.errors,
                testing::StartsWith("nim-engine perft: read '25000000', expected "));
    EXPECT_EQ(perft({"rules{n->n*n:n>1&k<=1}:5000", "1"}).out, "1\n");
}

TEST(Perft, PrintsTheCount) {
    EXPECT_EQ(perft({"nim:3,4", "0"}).out, "1\n");
    EXPECT_EQ(perft({"nim:3,4", "2"}).out, "33\n");
    EXPECT_EQ(perft({"nim:3,4 misere", "2"}).out, "33\n");
    EXPECT_EQ(perft({"nim:3,4", "misere", "2"}).out, "33\n");
    EXPECT_EQ(perft({"kayles:2", "2", "--divide"}).out, "1=0: 0\n1=1: 1\n1\n");
    EXPECT_EQ(perft({"--json", "kayles:2", "2"}).out,
              R"({"position":"kayles:2","depth":2,"sequences":1})"
              "\n");
    EXPECT_EQ(perft({"kayles:2", "2", "--json", "--divide"}).out,
              R"({"position":"kayles:2","depth":2,"sequences":1,)"
              R"("divide":[{"move":"1=0","sequences":0},{"move":"1=1","sequences":1}]})"
              "\n");
    EXPECT_EQ(perft({"nim:1", "0", "--divide"}).out, "1\n");
}

TEST(Perft, SaysWhatIsWrong) {
    expect_refused(
        kPerft,
        {
            {{}, "read the end, expected a position and a depth"},
            {{"nim:3"}, "read the end, expected a position and a depth"},
            {{"nim:3", "x"}, "read 'x', expected a depth 0..1000 after the position"},
            {{"nim:3", "-1"}, "read '-1', expected a depth 0..1000 after the position"},
            {{"nim:3", "1001"}, "read '1001', expected a depth 0..1000 after the position"},
            {{"nim:3,x", "1"},
             "column 7: read 'x', expected a heap such as 5, (3,5) or (w+1)\nnim:3,x\n      ^"},
            {{"nim:3", "4", "1"},
             "column 7: read '4', expected 'normal', 'misere' or the end: heaps are separated "
             "by commas\nnim:3 4\n      ^"},
            {{"nim:10001", "1", "--divide"},
             "--divide lists 10000 moves at most, and there are more",
             1},
        });
}

}  // namespace engine::test::perft_test

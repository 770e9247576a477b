#include "engine/commands/command.hpp"

#include <boost/json.hpp>

#include "tests/agreement/positions.hpp"
#include "tests/engine/commands/printed.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::test::eval_test {

using namespace testing;

Printed eval(const std::vector<std::string>& words, const std::string& catalogue = "") {
    return printed(kEval, words, catalogue);
}

boost::json::object json(const std::string& position) {
    const Printed printed = eval({position, "--json"});
    EXPECT_EQ(printed.status, 0) << printed.errors;
    return boost::json::parse(printed.out).as_object();
}

TEST(Eval, ExplainsAPosition) {
    EXPECT_EQ(eval({"nim:3,4,5"}).out,
              "nim:3,4,5\n"
              "outcome: N, the next player (to move) wins\n"
              "nimber: 2\n"
              "winning moves (1): 1=1\n"
              "why: the XOR is not 0: the winning moves make it 0\n"
              "\n"
              "  heap  ruleset  size  nimber  binary\n"
              "     1  nim         3       3  011\n"
              "     2  nim         4       4  100\n"
              "     3  nim         5       5  101\n"
              "   XOR                      2  010\n");
}

TEST(Eval, GivesOrdinalsAColumnForEachPower) {
    EXPECT_EQ(eval({"nim:(w^2+3),4+take{1,3,4}:8"}).out,
              "nim:(w^2+3),4+take{1,3,4}:8\n"
              "outcome: N, the next player (to move) wins\n"
              "nimber: (w^2+6)\n"
              "winning moves (1): 1=5\n"
              "why: the XOR is not 0: the winning moves make it 0\n"
              "\n"
              "  heap  ruleset         size   nimber  w^2    1\n"
              "     1  nim          (w^2+3)  (w^2+3)    1  011\n"
              "     2  nim                4        4    0  100\n"
              "     3  take{1,3,4}        8        1    0  001\n"
              "   XOR                        (w^2+6)    1  110\n");
}

TEST(Eval, SaysWhichRuleDecides) {
    struct Case {
        const char* position;
        const char* why;
    };
    const Case cases[] = {
        {"nim:0", "why: no move is left, so that the player to move loses\n"},
        {"nim:0 misere",
         "why: no move is left, so that the player to move wins under misere play\n"},
        {"nim:3,3", "why: the XOR is 0: every move makes it something else\n"},
        {"nim:1,1 misere",
         "why: misere with nimbers of 0 and 1 only, and the XOR is 0: the "
         "winning moves make it 1 and keep to such nimbers, as for an odd number of heaps of "
         "one "
         "token, of which the opponent takes the last and loses\n"},
        {"nim:1 misere",
         "why: misere with nimbers of 0 and 1 only, and the XOR is 1, as for an odd "
         "number of heaps of one token: the player to move takes the last and loses\n"},
        {"nim:2,1 misere",
         "why: misere with a nimber of 2 or more, and the XOR is not 0: the "
         "winning moves make it 0, or 1 where they leave nimbers of 0 and 1 "
         "only\n"},
        {"nim:2,2 misere",
         "why: misere with a nimber of 2 or more, and the XOR is 0: every move "
         "makes it something else\n"},
        {"take{3,5,1000000000000}:5000000000000",
         "why: the nimber of a heap could not be found in the time and memory given\n"},
        {"take{3,5,1000000000000-}:5000000000000+nim:1",
         "why: the XOR is not 0, as was found without the nimber of each heap\n"},
        {"take{3,5,1000000000000}:5000000000000+nim:(w)",
         "why: the XOR is not 0, since the nimbers that are not known are finite\n"},
    };
    for (const auto& [position, why] : cases) {
        EXPECT_THAT(eval({position}).out, HasSubstr(why)) << position;
    }
}

TEST(Eval, SaysWhetherMoreTimeHelps) {
    EXPECT_THAT(
        eval({"grundy:200,180 misere", "--time", "1"}).out,
        HasSubstr(
            "\nmost of its 1 ms are spent: --time MS gives more, and --hash MB more memory, "
            "which may find it, unless a heap is beyond all tables"));
    EXPECT_THAT(eval({"take{3,5,1000000000000}:5000000000000", "--time", "1000000"}).out,
                HasSubstr("\nit ended before its time: --hash MB gives more memory"));
}

TEST(Eval, JoinsWordsByBlanks) {
    EXPECT_EQ(eval({"nim:1,2", "misere"}).out, eval({"nim:1,2 misere"}).out);
    EXPECT_EQ(eval({"--json", "nim:1,2", "misere"}).out,
              eval({"nim:1,2 misere", "--json"}).out);
}

TEST(Eval, MarksWhatItCannotRead) {
    const Printed printed = eval({"nim:3+take{1,,2}:3"});
    EXPECT_EQ(printed.status, 2);
    EXPECT_EQ(printed.out, "");
    EXPECT_EQ(
        printed.errors,
        "nim-engine eval: column 14: read ',', expected a number from 1 or a range such as "
        "2-5 or 4-\n"
        "nim:3+take{1,,2}:3\n"
        "             ^\n");
    EXPECT_EQ(eval({}).status, 2);
    EXPECT_EQ(std::ranges::count(eval({}).errors, '\n'), 1) << "no mark below nothing";
    EXPECT_EQ(eval({"nim:3", "--jsn"}).status, 2);
    EXPECT_EQ(
        eval({"nim:3", "--misere"}).errors,
        "nim-engine eval: read '--misere', expected the word misere after the position\n");
    EXPECT_EQ(
        eval({"nim:3", "--jsn"}).errors,
        "nim-engine eval: read '--jsn', expected --time, --json or a position; did you mean "
        "'--json'?\n");
}

TEST(Eval, CutsWhatIsLong) {
    std::string position = "nim:1";
    for (int i = 0; i < 99; ++i) position += ",1";
    const std::string text = eval({position + ",1"}).out;
    EXPECT_THAT(text, HasSubstr("winning moves (101): 1=0 2=0"));
    EXPECT_THAT(text, HasSubstr(" 60=0 …\n"));
    EXPECT_THAT(text, HasSubstr("\n     …  61 more\n"));
    const auto object = json("take{1000000000000-2000000000000}:2000000000000");
    EXPECT_EQ(object.at("winning_moves").as_array().size(), 10000u);
    EXPECT_EQ(object.at("winning_move_count").to_number<std::uint64_t>(), 1000000000000u);
}

TEST(Eval, WritesJson) {
    const std::string expected =
        R"json({"position":"nim:3,(w)+take{1,3,4}:9","convention":"normal","outcome":"N",)json"
        R"json("nimber":"(w+3)","heaps":[{"heap":1,"ruleset":"nim","size":"3","nimber":3,"genus":null,"outcome":null},)json"
        R"json({"heap":2,"ruleset":"nim","size":"(w)","nimber":"(w)","genus":null,"outcome":null},)json"
        R"json({"heap":3,"ruleset":"take{1,3,4}","size":"9","nimber":0,"genus":null,"outcome":null}],)json"
        R"json("winning_moves":["2=3"],"winning_move_count":1,"best_move":"2=3",)json"
        R"json("holding_moves":[],"refutations":[],)json"
        R"json("reason":"the XOR is not 0: the winning moves make it 0"})json";
    EXPECT_EQ(eval({"nim:3,(w)+take{1,3,4}:9", "--json"}).out, expected + "\n");
    const auto misere = json("nim:1,1 misere");
    EXPECT_EQ(misere.at("convention"), "misere");
    EXPECT_TRUE(misere.at("nimber").is_null());
    const auto unknown = json("take{3,5,1000000000000}:5000000000000");
    EXPECT_EQ(unknown.at("outcome"), "unknown");
    EXPECT_TRUE(unknown.at("winning_moves").is_null());
    EXPECT_TRUE(unknown.at("winning_move_count").is_null());
}

TEST(Eval, RefutesEachMoveOfALostPosition) {
    EXPECT_EQ(eval({"nim:2,2"}).out,
              "nim:2,2\n"
              "outcome: P, the previous player wins\n"
              "nimber: 0\n"
              "winning moves: none\n"
              "why: the XOR is 0: every move makes it something else\n"
              "\n"
              "  heap  ruleset  size  nimber  binary\n"
              "     1  nim         2       2  10\n"
              "     2  nim         2       2  10\n"
              "   XOR                      0  00\n"
              "\n"
              "  each move has an answer, such as\n"
              "  1=0 with 2=0\n"
              "  1=1 with 2=1\n"
              "  2=0 with 1=0\n"
              "  2=1 with 1=1\n");
    EXPECT_EQ(boost::json::serialize(json("nim:1,1").at("refutations")),
              R"([{"move":"1=0","answer":"2=0"},{"move":"2=0","answer":"1=0"}])");
}

TEST(Eval, TellsWhichMoveOfALostPositionEndsAMisereGame) {
    EXPECT_THAT(eval({"take{1,3}:3 misere"}).out,
                HasSubstr("  each move has an answer, such as\n"
                          "  1=2 with 1=1\n"
                          "  1=0 ends play: who cannot move wins\n"));
    EXPECT_EQ(boost::json::serialize(json("take{1,3}:3 misere").at("refutations")),
              R"([{"move":"1=2","answer":"1=1"},{"move":"1=0","answer":null}])");
}

TEST(Eval, ShowsWhatHoldsADraw) {
    // A loop that the other player can leave.
    EXPECT_THAT(eval({"graph{a->b;b->a,c}:a"}).out, HasSubstr("outcome: P"));
    const std::string draw = eval({"graph{a->b;b->a}:a+nim:2"}).out;
    EXPECT_THAT(draw, HasSubstr("outcome: D, a draw\nnimber: inf{}\n"));
    EXPECT_THAT(draw, HasSubstr("moves that hold the draw (3): 1=b 2=0 2=1\n"));
    EXPECT_THAT(draw, HasSubstr("one loopy heap, and no move in it makes the XOR 0"));
    const auto object = json("graph{a->b;b->a}:a");
    EXPECT_EQ(object.at("outcome"), "D");
    EXPECT_EQ(object.at("nimber"), "inf{}");
    EXPECT_EQ(boost::json::serialize(object.at("holding_moves")), R"(["1=b"])");
    EXPECT_TRUE(object.at("winning_moves").as_array().empty());
}

TEST(Eval, ShowsTheGenusUnderMisere) {
    const std::string text = eval({"kayles:5,3 misere"}).out;
    EXPECT_THAT(text, HasSubstr("  heap  ruleset  size    genus  alone\n"
                                "     1  kayles      5  4^{146}  N\n"
                                "     2  kayles      3   3^{31}  N\n"));
    const auto heaps = json("kayles:5,3 misere").at("heaps").as_array();
    EXPECT_EQ(heaps[0].at("genus"), "4^{146}");
    EXPECT_TRUE(json("nim:3 misere").at("heaps").at(0).at("genus").is_null());
}

// For loops under misere play there is no value of a heap.
TEST(Eval, ShowsNoValuesWhereHeapsHaveNone) {
    EXPECT_THAT(eval({"graph{a->b;b->a}:a+nim:2 misere"}).out,
                HasSubstr("  heap  ruleset           size\n"
                          "     1  graph{a->b;b->a}     a\n"
                          "     2  nim                  2\n"));
}

TEST(Eval, ExpandsNames) {
    EXPECT_THAT(eval({"odd:5"}, "odd = take{1,3}").out, HasSubstr("take{1,3}:5\n"));
}

TEST(Eval, TellsAWinningMoveWhereNotAllAreKnown) {
    {  // The memory ends the search for the nimber.
        const LittleMemory memory(1 << 20);
        const char* position = "rules{n->n,n:n=1;n->0:n=1}:1";
        EXPECT_THAT(eval({position, "--time=1000000"}).out,
                    HasSubstr("outcome: N, the next player (to move) wins\n"
                              "nimber: unknown\n"
                              "winning moves: not all known, one is 1=0\n"));
        const auto object =
            boost::json::parse(eval({position, "--time=1000000", "--json"}).out).as_object();
        EXPECT_TRUE(object.at("winning_moves").is_null());
        EXPECT_EQ(object.at("best_move"), "1=0");
    }
    // The nimber, or the list of all winning moves, takes hours; one of them is known at once,
    // or once this machine has time for it: that of the player who mirrors all others in the
    // middle, and that of Moore's theorem.
    for (const auto& [position, move] :
         {std::pair{"cram:oooooo_oooooo_oooooo_oooooo_oooooo_oooooo_oooooo",
                    "1=oooooo_oooooo_oooooo_ooxxoo_oooooo_oooooo_oooooo"},
          {"moore{5}:(1000000,1000000) misere", "1=(1,0)"}}) {
        const std::string known = "not all known, one is " + std::string(move) + "\n";
        std::string told;
        for (int time = 1600; time < 60'000 && told.find(known) == told.npos; time *= 2) {
            told = eval({position, "--time", std::to_string(time)}).out;
        }
        EXPECT_THAT(told, HasSubstr(known));
    }
    EXPECT_TRUE(json("nim:3,3").at("best_move").is_null());
    EXPECT_EQ(json("graph{a->b,c;b->a}:a").at("best_move"), "1=c");
}

TEST(Eval, TellsWhoWinsEachHeapUnderMisere) {
    EXPECT_THAT(eval({"kayles:9,4 misere"}).out,
                HasSubstr("  heap  ruleset  size    genus  alone\n"));
    const auto heaps = json("kayles:9,4 misere").at("heaps").as_array();
    EXPECT_EQ(heaps.at(0).at("outcome"), "P");
    EXPECT_EQ(heaps.at(1).at("outcome"), "P");
}

TEST(Eval, EndsByItsTime) {
    EXPECT_THAT(eval({"officers:400,390,380 misere", "--time", "0"}).out,
                HasSubstr("outcome: unknown\n"));
    EXPECT_EQ(eval({"nim:3", "--time", "soon"}).errors,
              "nim-engine eval: read 'soon', expected a number after --time\n");
}

}  // namespace engine::test::eval_test

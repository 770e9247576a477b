#include "engine/commands/command.hpp"

#include <boost/json.hpp>

#include "engine/heaps/nimber_json.hpp"
#include "engine/sums/analyst.hpp"
#include "tests/agreement/positions.hpp"
#include "tests/engine/commands/printed.hpp"

namespace engine::test::line_test {

using namespace testing;

Printed line(const std::vector<std::string>& words) { return printed(kLine, words); }

TEST(Line, ShowsAGameToItsEnd) {
    EXPECT_EQ(line({"nim:1,3", "misere"}).out,
              "  ply  move  outcome  nimber  position\n"
              "    0        N             -  nim:1,3 misere\n"
              "    1  2=0   P             -  nim:1,0 misere\n"
              "    2  1=0   N             -  nim:0,0 misere\n"
              "player 1 wins\n");
}

// Each move is legal, and a won position stays won.
TEST(Line, IsOptimal) {
    for (const std::string position :
         {"nim:3,4,5", "nim:3,4,5 misere", "take{1,3,4}:30+nim:2", "take{2,4,7}:9,9"}) {
        for (const std::string losing : {"random", "longest", "trap"}) {
            const auto printed = line({position, "--json", "--losing", losing, "--seed=7"});
            ASSERT_EQ(printed.status, 0) << printed.errors;
            const auto object = boost::json::parse(printed.out).as_object();
            Game game = game_of(position);
            const auto winner = make_analyst()->outcome(game, {}) == Outcome::N ? 1 : 2;
            for (const auto& ply : object.at("plies").as_array()) {
                if (!ply.at("move").is_null()) {
                    const auto move = game.read_move(ply.at("move").as_string().c_str());
                    ASSERT_TRUE(move);
                    game.play(*move);
                }
                EXPECT_EQ(ply.at("position").as_string(), to_string(game.position()));
                EXPECT_EQ(ply.at("player").as_int64(), game.player());
                EXPECT_EQ(ply.at("outcome").as_string(),
                          to_string(make_analyst()->outcome(game, {})));
                EXPECT_EQ(ply.at("nimber"), to_json(make_analyst()->nimber(game, {})));
            }
            EXPECT_EQ(game.end(), End::NoMoves);
            EXPECT_EQ(object.at("end").as_string(), "no moves");
            EXPECT_EQ(object.at("winner").as_int64(), winner);
        }
    }
}

TEST(Line, EndsByRepetitionOrCut) {
    EXPECT_THAT(line({"graph{a->b;b->a}:a"}).out, HasSubstr("a draw by repetition\n"));
    const auto cut = boost::json::parse(line({"nim:99,99", "--plies", "5", "--json"}).out);
    EXPECT_EQ(cut.at("end").as_string(), "cut");
    EXPECT_TRUE(cut.at("winner").is_null());
    EXPECT_EQ(cut.at("plies").as_array().size(), 6U);
    EXPECT_THAT(line({"nim:99,99", "--plies", "5"}).out, HasSubstr("cut after 5 plies\n"));
    EXPECT_THAT(
        line({"rules{n->n*n:n>1&k<=1}:5000", "--plies", "8"}).out,
        EndsWith("cut where the rules cannot be applied: read '25000000', expected a heap "
                 "with at most 10000000 bindings a clause: clause 1 has 25000001^1\n"));
}

TEST(Line, RefusesWhatItCannotRead) {
    const Printed bad = line({"nim:3,x"});
    EXPECT_EQ(bad.status, 2);
    EXPECT_THAT(bad.errors, HasSubstr("nim-engine line: column 7: read 'x'"));
    EXPECT_EQ(line({"nim:3", "--losing", "slow"}).errors,
              "nim-engine line: option --losing: read 'slow', expected 'random', 'longest' or "
              "'trap'\n");
    EXPECT_EQ(line({"nim:3", "--plies", "x"}).status, 2);
    EXPECT_EQ(line({}).status, 2);
}

}  // namespace engine::test::line_test

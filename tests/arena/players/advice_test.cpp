#include "arena/players/advice.hpp"

namespace arena::advice_test {

using namespace testing;

const engine::Analyst& analyst() {
    static const auto made = engine::make_analyst();
    return *made;
}
engine::Budget budget() { return {SteadyClock::now() + std::chrono::seconds(60), {}}; }
engine::Game game(const char* position) { return *engine::read_game(position); }

using Advice = std::string(const engine::Game&, const engine::Analyst&, const engine::Budget&);
std::string said(Advice* advice, const char* position) {
    return advice(game(position), analyst(), budget());
}

TEST(Advice, TellsTheRules) {
    const std::string text = rules_text(game("nim:1+take{1,3}:4+nim:2").position());
    EXPECT_THAT(text, HasSubstr("nim: "));
    EXPECT_THAT(text, HasSubstr("\ntake{1,3}: "));
    EXPECT_EQ(std::ranges::count(text, '\n'), 3) << text;
    EXPECT_THAT(text, HasSubstr("\nWho makes the last move wins.\n"));
    EXPECT_THAT(rules_text(game("nim:1 misere").position()),
                HasSubstr("Misere play: who makes the last move loses.\n"));
}

TEST(Advice, Hints) {
    EXPECT_EQ(said(hint_text, "nim:3,4,5"), "1=1 wins.\n");
    EXPECT_THAT(said(hint_text, "nim:1,1"),
                HasSubstr("No move wins against perfect play, but "));
}

TEST(Advice, GivesReasons) {
    EXPECT_EQ(said(why_text, "nim:3"),
              "The heap has the nimber 3. Who makes it 0 wins: 1=0 does.\n");
    EXPECT_EQ(
        said(why_text, "nim:1,2,3"),
        "The heaps have the nimbers 1, 2 and 3; their sum without carrying (XOR) is 0. Each "
        "move changes it, and your opponent can make it 0 again: you lose against perfect "
        "play.\n");
    EXPECT_EQ(said(why_text, "nim:2 misere"),
              "You can win: after 1=1 no move of your opponent wins.\n");
    EXPECT_EQ(said(why_text, "nim:1 misere"),
              "You lose against perfect play: to each of your moves there is an answer that "
              "wins.\n");
}

TEST(Advice, GivesValues) {
    EXPECT_EQ(said(values_text, "take{1,2}:4+nim:5"), "     1: 1\n     2: 5\n   sum: 4\n");
    EXPECT_THAT(said(values_text, "nim:4 misere"), HasSubstr("misere play"));
    EXPECT_EQ(
        said(values_text, "nim:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,6"),
        "Values are shown for at most 30 heaps, and here are 31; their sum is 6: try why or "
        "hint.\n");
}

Cause won_by(int seat) {
    Cause verdict;
    verdict.reason = Reason::NoMoves;
    verdict.winner = seat;
    return verdict;
}
std::string ending(const Cause& verdict, std::vector<OwnMove> moves) {
    return ending_text(verdict, 0, moves, analyst(), budget());
}
OwnMove own(const char* position, const char* move, std::size_t number) {
    auto before = game(position);
    const auto read = *before.read_move(move);
    return {std::move(before), read, number};
}

TEST(Advice, TellsHowAGameEnded) {
    const OwnMove good = own("nim:3,2", "1=2", 1);
    const OwnMove bad = own("nim:2,1", "1=0", 3);
    const OwnMove hopeless = own("nim:1,1", "1=0", 1);
    EXPECT_EQ(ending(won_by(0), {good}), "You won.\n");
    EXPECT_EQ(ending(won_by(0), {good, bad}),
              "You won, although move 3 gave it away, 1=1 kept it.\n");
    EXPECT_EQ(ending(won_by(1), {good, bad}), "You lost: move 3 gave it away, 1=1 kept it.\n");
    EXPECT_EQ(ending(won_by(1), {hopeless}),
              "You lost: against perfect play it was lost from the start.\n");
    Cause fault = won_by(0);
    fault.reason = Reason::Disconnected;
    fault.detail = "it exited";
    EXPECT_EQ(ending(fault, {good, bad}), "You won (it exited).\n");
    fault.detail = "gave up";
    EXPECT_EQ(ending(fault, {good}), "You won (gave up).\n");
}

}  // namespace arena::advice_test

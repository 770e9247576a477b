#include "arena/game/referee.hpp"

namespace arena::referee_test {

using namespace std::chrono_literals;
using engine::Outcome;

constexpr std::size_t kManyPlies = 10000;

engine::Game game_at(std::string_view text) {
    const auto position = protocol::parse_position(text);
    EXPECT_TRUE(position) << text;
    auto game = engine::Game::start(*position);
    EXPECT_TRUE(game) << text;
    return *std::move(game);
}

TimeControl per_move(Milliseconds movetime, Milliseconds margin) {
    TimeControl control;
    control.movetime = movetime;
    control.margin = margin;
    return control;
}

TimeControl with_base(Milliseconds base, Milliseconds increment, Milliseconds margin) {
    TimeControl control;
    control.movetime = std::nullopt;
    control.base = base;
    control.increment = increment;
    control.margin = margin;
    return control;
}

Referee referee_at(std::string_view text, TimeControl control = {},
                   std::size_t max_plies = kManyPlies) {
    return Referee(game_at(text), {control, control}, max_plies);
}

void expect_end(const Referee& referee, std::optional<int> winner, Reason reason) {
    ASSERT_TRUE(referee.verdict());
    EXPECT_EQ(referee.verdict()->winner, winner) << referee.verdict()->detail;
    EXPECT_EQ(name(referee.verdict()->reason), name(reason)) << referee.verdict()->detail;
    EXPECT_FALSE(referee.awaits_adjudication());
}

// Two vertices with an edge each way, so play repeats.
class Swap : public engine::Ruleset {
  public:
    engine::Result<void> check_heap(const engine::Heap&) const override { return {}; }
    bool has_move(const engine::Heap&) const override { return true; }
    bool is_follower(const engine::Heap& heap,
                     std::span<const engine::Heap> result) const override {
        return result.size() == 1 && result[0] == other(heap);
    }
    engine::Count follower_count(const engine::Heap&) const override { return 1; }
    std::vector<engine::Heap> follower(const engine::Heap& heap, engine::Count) const override {
        return {other(heap)};
    }
    bool can_repeat() const override { return true; }

  private:
    static engine::Heap other(const engine::Heap& heap) {
        const bool at_a = std::get<protocol::Vertex>(heap).name == "a";
        return protocol::Vertex{at_a ? "b" : "a"};
    }
};

engine::Result<std::shared_ptr<const engine::Ruleset>> find_swap(const protocol::RulesetText&) {
    return engine::Result<std::shared_ptr<const engine::Ruleset>>(std::make_shared<Swap>());
}

Referee looping_referee(std::size_t max_plies) {
    const auto position = protocol::parse_position("graph{a->b;b->a}:a");
    auto game = engine::Game::start(*position, {}, find_swap);
    return Referee(*std::move(game), {TimeControl{}, TimeControl{}}, max_plies);
}

TEST(Referee, FollowsAGameToItsEnd) {
    Referee referee = referee_at("nim:1,2");
    EXPECT_EQ(referee.seat_to_move(), 0);
    EXPECT_FALSE(referee.verdict());

    EXPECT_TRUE(referee.answer("2=1", 10us));
    EXPECT_EQ(referee.last_move(), "2=1");
    EXPECT_EQ(referee.seat_to_move(), 1);
    EXPECT_EQ(referee.plies(), 1u);
    EXPECT_TRUE(referee.answer("1=0", 10us));
    EXPECT_FALSE(referee.verdict());
    EXPECT_TRUE(referee.answer("2=0", 10us));

    expect_end(referee, 0, Reason::NoMoves);
    EXPECT_EQ(referee.verdict()->detail, "p2 has no move and loses");
    EXPECT_FALSE(referee.verdict()->faulty_seat());
}

TEST(Referee, LetsWhoCannotMoveWinAtMisere) {
    Referee referee = referee_at("nim:2 misere");
    EXPECT_TRUE(referee.answer("1=0", 10us));
    expect_end(referee, 1, Reason::NoMoves);
    EXPECT_EQ(referee.verdict()->detail, "p2 has no move and wins, the play being misere");
}

TEST(Referee, DecidesAStartWithoutMovesAtOnce) {
    expect_end(referee_at("nim:0,0"), 1, Reason::NoMoves);
    expect_end(referee_at("nim:0 misere"), 0, Reason::NoMoves);
    expect_end(referee_at("take{4}:3+nim:0"), 1, Reason::NoMoves);
    EXPECT_EQ(referee_at("nim:0").verdict()->detail, "p1 has no move and loses");
}

TEST(Referee, PassesTheCanonicalTextOn) {
    Referee referee = referee_at("nim:5,7");
    EXPECT_TRUE(referee.answer("2=0003,0", 10us));
    EXPECT_EQ(referee.last_move(), "2=3");
    EXPECT_EQ(to_string(referee.game().position()), "nim:5,3");
}

TEST(Referee, SaysWhyAMoveIsIllegal) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"3=1", "read '3', expected the number of a heap, 1..2"},
        {"1=3",
         "heap 1 is '3' and cannot become '3' under 'nim': RESULT is what the heap becomes, "
         "not "
         "what is taken"},
    };
    for (const auto& [word, why] : cases) {
        Referee referee = referee_at("nim:3,4");
        EXPECT_FALSE(referee.answer(word, 10us));
        expect_end(referee, 1, Reason::IllegalMove);
        const Cause& verdict = *referee.verdict();
        EXPECT_EQ(verdict.detail, "p1 played '" + word + "' in nim:3,4: " + why);
        EXPECT_EQ(verdict.faulty_seat(), 0);
        EXPECT_EQ(verdict.received, "bestmove " + word);
        EXPECT_THAT(verdict.expected, testing::StartsWith("a legal move such as 1="));
        EXPECT_EQ(referee.plies(), 0u);
        EXPECT_EQ(referee.last_move(), "");
    }
}

TEST(Referee, JudgesEveryOtherWordAsAnIllegalMove) {
    const std::vector<std::string> words{
        "0000",    "resign",  "1",      "=1",    "1=",      "1=-1",
        "-1=1",    "01=1",    "1==1",   "1=1=1", "1=1;",    "1=(1",
        "1=1,",    "\xff",    "1=\x01", "1=w",   "1=(w)",   "1=a",
        "1=1,1",   "1=1e0",   "١=1",    "1=0x1", "1=(1,1)", "1=99999999999999999999",
        "1=(w+1)", "1=0;2=0",
    };
    for (const std::string& word : words) {
        Referee referee = referee_at("nim:3,4");
        EXPECT_FALSE(referee.answer(word, 10us)) << word;
        expect_end(referee, 1, Reason::IllegalMove);
    }
    Referee referee = referee_at("nim:3,4");
    EXPECT_FALSE(referee.answer(std::string(100000, '9') + "=1", 10us));
    expect_end(referee, 1, Reason::IllegalMove);
    EXPECT_LT(referee.verdict()->detail.size(), 500u);
}

TEST(Referee, MakesTextFromStrangersPrintable) {
    Referee referee = referee_at("nim:3,4");
    referee.answer("\x1b[31m\xff", 10us);
    EXPECT_THAT(referee.verdict()->detail,
                testing::StartsWith("p1 played '\\x1b[31m\xEF\xBF\xBD' in nim:3,4: "));
    EXPECT_EQ(referee.verdict()->received, "bestmove \x1b[31m\xff") << "as it came";
}

TEST(Referee, CallsABestmoveAloneAFaultOfProtocol) {
    Referee referee = referee_at("nim:3,4");
    EXPECT_TRUE(referee.answer("1=2", 10us));
    EXPECT_FALSE(referee.answer("", 10us));
    expect_end(referee, 0, Reason::Protocol);
    EXPECT_EQ(referee.verdict()->detail, "p2 answered 'bestmove' without a move");
    EXPECT_EQ(referee.verdict()->received, "bestmove");
    EXPECT_EQ(referee.verdict()->faulty_seat(), 1);
}

TEST(Referee, JudgesTheTimeOfAMoveToTheMicrosecond) {
    Referee in_time = referee_at("nim:3,4", per_move(1000ms, 50ms));
    EXPECT_EQ(in_time.allowance(), 1050000us);
    EXPECT_TRUE(in_time.answer("1=2", 1050000us));
    EXPECT_FALSE(in_time.verdict());

    Referee late = referee_at("nim:3,4", per_move(1000ms, 50ms));
    EXPECT_FALSE(late.answer("1=2", 1050001us));
    expect_end(late, 1, Reason::Timeout);
    EXPECT_EQ(
        late.verdict()->detail,
        "p1 answered after 1050.1 ms, expected a move within 1000.0 ms and 50 ms of margin");
    EXPECT_EQ(late.verdict()->received, "bestmove 1=2");
    EXPECT_EQ(late.verdict()->expected, "a move within 1000.0 ms and 50 ms of margin");
    EXPECT_EQ(late.plies(), 0u);
}

TEST(Referee, JudgesTimeBeforeTheMove) {
    for (const char* word : {"9=9", "", "1=2"}) {
        Referee referee = referee_at("nim:3,4", per_move(10ms, 0ms));
        referee.answer(word, 10001us);
        expect_end(referee, 1, Reason::Timeout);
    }
    for (const Reason reason : {Reason::Protocol, Reason::Disconnected}) {
        Referee in_time = referee_at("nim:3,4", per_move(10ms, 0ms));
        in_time.fail({reason, "p1 is gone", "", "a move"}, 10000us);
        expect_end(in_time, 1, reason);
        EXPECT_EQ(in_time.verdict()->detail, "p1 is gone");

        Referee late = referee_at("nim:3,4", per_move(10ms, 0ms));
        late.fail({reason, "p1 is gone", "", "a move"}, 10001us);
        expect_end(late, 1, Reason::Timeout);
        EXPECT_EQ(late.verdict()->detail,
                  "p1 gave no move within 10.0 ms and 0 ms of margin, then: p1 is gone");
    }
    Referee startup = referee_at("nim:3,4", per_move(10ms, 0ms));
    startup.fail({Reason::Startup, "p1 does not start", "", "ugiok"}, 99999us);
    expect_end(startup, 1, Reason::Startup);
}

TEST(Referee, FillsInTheWordsOfATimeout) {
    Referee referee = referee_at("nim:3,4", per_move(10ms, 5ms));
    referee.fail({Reason::Timeout, "", "half a li"}, 15001us);
    expect_end(referee, 1, Reason::Timeout);
    EXPECT_EQ(referee.verdict()->detail, "p1 gave no move within 10.0 ms and 5 ms of margin");
    EXPECT_EQ(referee.verdict()->expected, "a move within 10.0 ms and 5 ms of margin");
    EXPECT_EQ(referee.verdict()->received, "half a li");

    Referee busy = referee_at("nim:3,4", per_move(10ms, 5ms));
    busy.fail({Reason::Timeout, "it used no CPU"}, 15001us);
    EXPECT_EQ(busy.verdict()->detail,
              "p1 gave no move within 10.0 ms and 5 ms of margin; it used no CPU");
}

TEST(Referee, QuotesTheWholeLineOfAnIllegalMove) {
    Referee referee = referee_at("nim:3,4");
    EXPECT_FALSE(referee.answer("1=5", 10us, "bestmove 1=5 ponder 2=0"));
    EXPECT_EQ(referee.verdict()->received, "bestmove 1=5 ponder 2=0");
}

TEST(Referee, LetsOnlyHangHoldWithoutATimeControl) {
    TimeControl control;
    control.movetime = std::nullopt;
    control.hang = 60000ms;
    Referee in_time = referee_at("nim:3,4", control);
    EXPECT_EQ(in_time.allowance(), 60000000us) << "no margin";
    EXPECT_FALSE(in_time.time_left(0));
    EXPECT_TRUE(in_time.answer("1=2", 60000000us));
    in_time.answer("1=1", 60000001us);
    expect_end(in_time, 0, Reason::Timeout);
    EXPECT_EQ(in_time.verdict()->detail,
              "p2 answered after 60000.1 ms, expected a move within 60000 ms, after which it "
              "counts as hung");
}

TEST(Referee, RunsAClockForEachSeat) {
    Referee referee = referee_at("nim:9,9", with_base(1000ms, 100ms, 50ms));
    EXPECT_EQ(referee.time_left(0), 1000ms);
    EXPECT_EQ(referee.allowance(), 1050000us);

    EXPECT_TRUE(referee.answer("1=8", 300500us));
    EXPECT_EQ(referee.time_left(0), 799ms) << "799.5 rounded down";
    EXPECT_EQ(referee.time_left(1), 1000ms);
    EXPECT_TRUE(referee.answer("1=7", 0us));
    EXPECT_EQ(referee.time_left(1), 1100ms) << "an increment may add up";
    EXPECT_EQ(referee.allowance(), 849500us);
    EXPECT_TRUE(referee.answer("1=6", 849500us));
    EXPECT_EQ(referee.time_left(0), 100ms) << "an overrun leaves 0, and the increment";
}

TEST(Referee, LosesByTheClockOneMicrosecondBeyondTheMargin) {
    Referee referee = referee_at("nim:9,9", with_base(100ms, 0ms, 50ms));
    EXPECT_TRUE(referee.answer("1=8", 150000us));
    EXPECT_EQ(referee.time_left(0), 0ms);
    EXPECT_TRUE(referee.answer("1=7", 100000us));
    EXPECT_EQ(referee.time_left(1), 0ms);
    EXPECT_EQ(referee.allowance(), 50000us) << "the margin is left";
    EXPECT_TRUE(referee.answer("1=6", 50000us));
    EXPECT_FALSE(referee.answer("1=5", 50001us));
    expect_end(referee, 0, Reason::Timeout);
    EXPECT_EQ(referee.verdict()->detail,
              "p2 answered after 50.1 ms, expected a move within 0.0 ms and 50 ms of margin");
}

TEST(Referee, GivesEachSeatItsOwnTimeControl) {
    Referee referee(game_at("nim:9,9"), {per_move(10ms, 0ms), with_base(5ms, 0ms, 0ms)},
                    kManyPlies);
    EXPECT_EQ(referee.allowance(), 10000us);
    EXPECT_FALSE(referee.time_left(0));
    EXPECT_EQ(referee.time_left(1), 5ms);
    EXPECT_TRUE(referee.answer("1=8", 10000us));
    EXPECT_EQ(referee.allowance(), 5000us);
}

TEST(Referee, CallsTheThirdOccurrenceADraw) {
    Referee referee = looping_referee(kManyPlies);
    for (const char* move : {"1=b", "1=a", "1=b"}) {
        EXPECT_TRUE(referee.answer(move, 10us));
        EXPECT_FALSE(referee.verdict());
    }
    EXPECT_TRUE(referee.answer("1=a", 10us));
    expect_end(referee, std::nullopt, Reason::Repetition);
    EXPECT_EQ(referee.verdict()->detail,
              "graph{a->b;b->a}:a stands for the third time with p1 to move: a draw");
}

TEST(Referee, TestsRepetitionBeforeTheLimitOfPlies) {
    Referee referee = looping_referee(4);
    for (const char* move : {"1=b", "1=a", "1=b", "1=a"}) referee.answer(move, 10us);
    expect_end(referee, std::nullopt, Reason::Repetition);
}

TEST(Referee, AwaitsAdjudicationAtTheLimitOfPlies) {
    Referee referee = referee_at("nim:3,4", {}, 2);
    EXPECT_TRUE(referee.answer("1=2", 10us));
    EXPECT_FALSE(referee.awaits_adjudication());
    EXPECT_TRUE(referee.answer("1=1", 10us));
    EXPECT_TRUE(referee.awaits_adjudication());
    EXPECT_FALSE(referee.verdict());
    EXPECT_FALSE(referee.answer("1=0", 10us)) << "no more moves";
    referee.fail({Reason::Disconnected, "gone"});
    EXPECT_FALSE(referee.verdict());

    Referee won = referee;
    won.adjudicate(Outcome::P);
    expect_end(won, 1, Reason::Adjudicated);
    EXPECT_EQ(won.verdict()->detail, "stopped at the limit of 2 plies: p2 wins the position");

    Referee drawn = referee;
    drawn.adjudicate(Outcome::D);
    expect_end(drawn, std::nullopt, Reason::Adjudicated);
    EXPECT_EQ(drawn.verdict()->detail,
              "stopped at the limit of 2 plies: the position is a draw");

    Referee unknown = referee;
    unknown.adjudicate(Outcome::Unknown);
    expect_end(unknown, std::nullopt, Reason::PlyLimit);
    EXPECT_EQ(unknown.verdict()->detail,
              "stopped at the limit of 2 plies: the winner is not known: a draw");
}

TEST(Referee, CountsOnePly) {
    Referee referee = referee_at("nim:3,4", {}, 1);
    EXPECT_TRUE(referee.answer("1=2", 10us));
    referee.adjudicate(Outcome::P);
    EXPECT_EQ(referee.verdict()->detail, "stopped at the limit of 1 ply: p1 wins the position");
}

TEST(Referee, TestsForMovesBeforeTheLimitOfPlies) {
    Referee referee = referee_at("nim:1,1", {}, 2);
    referee.answer("1=0", 10us);
    referee.answer("2=0", 10us);
    expect_end(referee, 1, Reason::NoMoves);
}

TEST(Referee, StopsWhereThePositionDoesNotFitALine) {
    std::string sum = "nim:1";
    while (sum.size() + 2 <= kMaxPositionText) sum += ",1";
    Referee fits = referee_at(sum);
    EXPECT_FALSE(fits.awaits_adjudication());
    // Text that is not longer than before still fits, although the bound must be recomputed.
    for (int i = 1; i <= 20; ++i) {
        EXPECT_TRUE(fits.answer(std::to_string(i) + "=0", 10us));
        EXPECT_FALSE(fits.awaits_adjudication());
    }

    Referee too_long = referee_at(sum + ",1");
    EXPECT_TRUE(too_long.awaits_adjudication());
    too_long.adjudicate(Outcome::N);
    expect_end(too_long, 0, Reason::Adjudicated);
    EXPECT_EQ(too_long.verdict()->detail,
              "stopped at the limit of the length of a line: p1 wins the position");
}

TEST(Referee, EndsIfTheRulesCannotJudgeAPosition) {
    auto referee = referee_at("rules{n->n*1000:n>0;n->n-k:k>0}:9000");
    EXPECT_TRUE(referee.answer("1=9000000", 1ms));
    EXPECT_FALSE(referee.verdict());
    EXPECT_TRUE(referee.answer("1=9000000000", 1ms));
    expect_end(referee, std::nullopt, Reason::PlyLimit);
    EXPECT_EQ(
        referee.verdict()->detail,
        "stopped at the limit of the bindings that are evaluated: the winner is not known: a "
        "draw");
}

TEST(Referee, KeepsTheFirstVerdict) {
    Referee referee = referee_at("nim:3");
    referee.fail_seat(1, {Reason::Startup, "p2 does not start", "", "ugiok"});
    expect_end(referee, 0, Reason::Startup);
    EXPECT_EQ(referee.verdict()->faulty_seat(), 1);

    EXPECT_FALSE(referee.answer("1=0", 10us));
    referee.fail({Reason::Protocol, "late"});
    referee.fail_seat(0, {Reason::Startup, "late"});
    referee.adjudicate(Outcome::P);
    EXPECT_EQ(referee.verdict()->detail, "p2 does not start");
    EXPECT_EQ(referee.plies(), 0u);
}

TEST(Referee, PutsTheAdviceAfterTheDetail) {
    Referee referee = referee_at("nim:3");
    Cause cause{Reason::Startup, "p1 does not start"};
    cause.advice = "name another file";
    referee.fail_seat(0, cause);
    EXPECT_EQ(referee.verdict()->detail, "p1 does not start; name another file");
    EXPECT_EQ(referee.verdict()->advice, "");
}

TEST(Referee, GivesAGameThatNeitherPlayerStartsToNobody) {
    Referee referee = referee_at("nim:3");
    referee.fail_both({Cause{Reason::Startup, "no such file"}, {Reason::Startup, "it is out"}});
    ASSERT_TRUE(referee.verdict());
    EXPECT_EQ(referee.verdict()->reason, Reason::Void);
    EXPECT_EQ(referee.verdict()->winner, std::nullopt);
    EXPECT_EQ(referee.verdict()->faulty_seat(), std::nullopt);
    EXPECT_EQ(referee.verdict()->detail,
              "neither player starts, and the game does not count; p1: no such file; p2: it "
              "is out");
}

TEST(Referee, NeedsAProvenWinnerOnlyAtTheLimit) {
    Referee referee = referee_at("nim:3");
    referee.adjudicate(Outcome::N);
    EXPECT_FALSE(referee.verdict());
}

}  // namespace arena::referee_test

#include "engine/sums/analyst.hpp"

#include "engine/sums/choice.hpp"
#include "tests/agreement/positions.hpp"

namespace engine::test::analyst_test {

using namespace testing;

const Analyst& analyst() {
    static const auto instance = make_analyst();
    return *instance;
}

std::vector<std::string> best_moves(std::string_view position) {
    return texts_of(analyst().best_moves(game_of(position), 10000, {})->moves);
}

TEST(Analyst, FindsMovesThatRaiseANimber) {
    // take{2,4,7}: the nimber of 9 is 0, of 5 it is 2.
    EXPECT_THAT(best_moves("take{2,4,7}:9+nim:2"), ElementsAre("1=5", "2=0"));
}

TEST(Analyst, GivesNoNimberUnderMisere) {
    EXPECT_EQ(analyst().nimber(game_of("nim:3,4,5"), {}), finite(2));
    EXPECT_EQ(analyst().nimber(game_of("nim:3,4,5 misere"), {}), std::nullopt);
}

TEST(Analyst, AnswersForHeapsOfAnySize) {
    EXPECT_EQ(analyst().nimber(game_of("take{1,3,4}:1000000000000"), {}),
              finite(1000000000000 % 7 == 1 ? 1 : 0));
    EXPECT_THAT(best_moves("take{1,3,4}:1000000000005"), ElementsAre("1=1000000000001"));
    EXPECT_THAT(best_moves("take{1-1000000000000}:9223372036854775807"),
                ElementsAre("1=9223372000009223372"));
    EXPECT_THAT(
        best_moves("take{5-}:9223372036854775807+nim:1844674407370955160"),
        ElementsAre("1=9223372036854775800", "1=9223372036854775801", "1=9223372036854775802"));
    EXPECT_THAT(best_moves("take{!3,5}:9223372036854775807+nim:9223372036854775807").size(), 1);
}

TEST(Analyst, CutsLongListsWithoutWalkingThem) {
    const Game game = game_of("take{1000000000000-2000000000000}:2000000000000");
    const auto list = analyst().best_moves(game, 3, {});
    EXPECT_THAT(texts_of(list->moves), ElementsAre("1=0", "1=1", "1=2"));
    EXPECT_TRUE(list->cut);
    EXPECT_FALSE(analyst().best_moves(game_of("nim:1,2,4"), 1, {})->cut);
    EXPECT_TRUE(analyst().best_moves(game_of("nim:1,1,1"), 2, {})->cut);
    EXPECT_FALSE(analyst().best_moves(game_of("nim:1,1,1"), 3, {})->cut);
}

TEST(Analyst, AddsOrdinalsByTheirCoefficients) {
    struct Case {
        const char* position;
        const char* nimber;
        std::vector<std::string> moves;
    };
    const Case cases[] = {
        {"nim:(w),(w)", "0", {}},
        {"nim:(w+1),(w)", "1", {"1=(w)"}},
        {"nim:(w),5", "(w+5)", {"1=5"}},
        {"nim:(w^2+3),4", "(w^2+7)", {"1=4"}},
        {"nim:(w*3),(w*2+1)", "(w+1)", {"1=(w*2+1)"}},
        {"nim:(w*2),(w*1),(w*3)", "0", {}},
        {"nim:(w^3*5+w),(w^3*4),(w^3),(w+2),2", "0", {}},
        {"nim:(w^2+w),(w^2),7", "(w+7)", {"1=(w^2+7)"}},
        {"nim:(w)+take{1,3,4}:8", "(w+1)", {"1=1"}},
        {"nim:(w^2+w*2),(w^2+w),(w*3)+take{2}:3", "1", {"4=1"}},
    };
    for (const auto& [position, nimber, moves] : cases) {
        const Game game = game_of(position);
        EXPECT_EQ(to_string(*analyst().nimber(game, {})), nimber) << position;
        EXPECT_EQ(best_moves(position), moves) << position;
        EXPECT_EQ(analyst().outcome(game, {}), moves.empty() ? Outcome::P : Outcome::N);
        // An infinite heap makes misere play like normal play, unless moves end it.
        const auto misere = std::string(position) + " misere";
        EXPECT_EQ(analyst().outcome(game_of(misere), {}),
                  moves.empty() ? Outcome::P : Outcome::N)
            << misere;
    }
    EXPECT_THAT(best_moves("nim:(w) misere"), ElementsAre("1=1"));
    EXPECT_THAT(best_moves("nim:(w),1 misere"), ElementsAre("1=0"));
    EXPECT_THAT(best_moves("nim:(w),(w+1),1,1 misere"), ElementsAre("2=(w)", "3=0", "4=0"));
}

TEST(Analyst, EndsListsOfLongOrdinals) {
    // 2,000 heaps, each with a winning move of 4,000 terms: 8 million terms in all.
    std::string position = "nim:";
    for (int i = 0; i < 2000; ++i) {
        position += (i > 0 ? ",(w^9999+w^" : "(w^9999+w^") + std::to_string(i + 1) + ")";
    }
    position += ",(w^9999)";
    const auto list = analyst().best_moves(game_of(position), 10000, {});
    EXPECT_TRUE(list->cut);
    EXPECT_LT(list->moves.size(), 600u);
    EXPECT_GT(list->moves.size(), 100u);
}

TEST(Analyst, KnowsMovesToKnownHeapsFromAnUnknownOne) {
    const Game lucky = game_of("take{3,5,1000000000000-}:2000000000000+nim:1");
    EXPECT_EQ(analyst().nimber(lucky, {}), std::nullopt);
    EXPECT_EQ(analyst().best_moves(lucky, 10, {}), std::nullopt);
    EXPECT_EQ(analyst().outcome(lucky, {}), Outcome::N);
    std::mt19937_64 random(1);
    const auto lucky_move = analyst().choose(lucky, {}, {}, random, {});
    EXPECT_EQ(analyst().outcome(after(lucky, *lucky_move), {}), Outcome::P);

    const Game unknown = game_of("take{3,5,1000000000000}:5000000000000+nim:1");
    EXPECT_EQ(analyst().outcome(unknown, {}), Outcome::Unknown);
    const auto move = analyst().choose(unknown, {}, {}, random, {});
    ASSERT_TRUE(move);
    EXPECT_TRUE(unknown.check(*move));
}

// The table of nimbers takes a minute for this heap; its lost followers have a formula.
TEST(Analyst, KnowsAllWinningMovesOfAFarWythoffHeap) {
    // Without any time for the table: values are sought in it first.
    const Budget none = Budget().at_most(std::chrono::seconds(-1));
    for (const auto& [position, moves] :
         {std::pair{"wythoff:(366487,3464)", std::vector<std::string>{"1=(5605,3464)"}},
          {"wythoff:(0,0),(366487,3464)+nim:0", {"2=(5605,3464)"}}}) {
        const Game game = game_of(position);
        const auto best = analyst().best_moves(game, 100, none);
        ASSERT_TRUE(best) << position;
        EXPECT_EQ(texts_of(best->moves), moves);
        EXPECT_EQ(solve(game, none, Aim::Values)->best_move_count(), moves.size());
    }
    // With another heap that has moves, its nimber would be needed.
    EXPECT_FALSE(analyst().best_moves(game_of("wythoff:(366487,3464)+nim:1"), 100, none));
}

TEST(Analyst, KnowsHeapsThatLargeMembersCannotReach) {
    EXPECT_EQ(analyst().nimber(game_of("take{3,5,1000000000000}:999999999999"), {}),
              finite(999999999999 % 8 / 3));
}

TEST(Choice, FirstIsTheFirstOfTheList) {
    const Game game = game_of("nim:1,1,1+take{1-3}:6");
    const auto list = analyst().best_moves(game, 100, {})->moves;
    std::mt19937_64 random(3);
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(analyst().choose(game, {}, {Choice::First, {}}, random, {}), list.front());
    }
}

TEST(Choice, RandomDrawsAllWinningMovesEquallyOften) {
    const Game game = game_of("nim:1,1,1+take{1000-2000}:3000,3000");
    const auto list = analyst().best_moves(game, 10000, {})->moves;
    std::set<std::string> seen;
    std::mt19937_64 random(3);
    std::size_t in_nim = 0;
    const std::size_t draws = 20 * list.size();
    for (std::size_t i = 0; i < draws; ++i) {
        const auto move = analyst().choose(game, {}, {}, random, {});
        seen.insert(to_string(*move));
        if (move->heap <= 3) ++in_nim;
    }
    EXPECT_EQ(seen.size(), list.size());
    EXPECT_NEAR(static_cast<double>(in_nim), 60, 40);  // 3 of the moves, 20 times each
}

TEST(Choice, WinsAlsoWhenTheTimeIsUp) {
    std::string position = "take{1-3}:4";
    for (int i = 0; i < 99; ++i) position += ",4";
    position += ",3+nim:1,1,(w),(w)";
    const Budget spent = Budget::spent();
    std::mt19937_64 random(1);
    for (const std::string convention : {"", " misere"}) {
        for (const Choice choice : {Choice::First, Choice::Random}) {
            Game game = game_of(position + convention);
            game.play(*analyst().choose(game, {}, {choice, {}}, random, spent));
            EXPECT_EQ(analyst().outcome(game, {}), Outcome::P);
        }
    }
}

// The results of a search whose time is up: the outcome, and those of some moves.
class Interrupted : public Solution {
  public:
    Interrupted(Outcome outcome, std::map<std::string, Outcome> after)
        : outcome_(outcome), after_(std::move(after)) {}

    Outcome outcome() const override { return outcome_; }
    Outcome outcome_after(const Move& move, const Budget&) const override {
        const auto known = after_.find(to_string(move));
        return known == after_.end() ? Outcome::Unknown : known->second;
    }
    std::optional<MoveList> best_moves(std::size_t) const override { return std::nullopt; }
    std::optional<Count> best_move_count() const override { return std::nullopt; }
    std::optional<Move> best_move(Choice, std::mt19937_64&) const override {
        return std::nullopt;
    }
    std::string reason() const override { return ""; }

  private:
    const Outcome outcome_;
    const std::map<std::string, Outcome> after_;
};

ChosenMove choose_from(const char* position, Outcome outcome,
                       const std::map<std::string, Outcome>& after, std::uint64_t seed) {
    const Game game = game_of(position);
    const Interrupted solution(outcome, after);
    std::mt19937_64 random(seed);
    return *choose_move(game, solution, {}, {}, random, {});
}

TEST(Choice, FindsTheOneMoveThatIsKnownToWin) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (const Outcome outcome : {Outcome::N, Outcome::Unknown}) {
            const auto chosen =
                choose_from("nim:500,500", outcome, {{"2=77", Outcome::P}}, seed);
            EXPECT_EQ(to_string(chosen.move), "2=77");
            EXPECT_EQ(chosen.keeps, Outcome::N);
        }
    }
}

TEST(Choice, ShunsMovesThatAreKnownToThrowTheWin) {
    const std::map<std::string, Outcome> after{
        {"1=0", Outcome::N}, {"1=1", Outcome::D}, {"2=0", Outcome::N}};
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto won = choose_from("nim:2,2", Outcome::N, after, seed);
        EXPECT_EQ(to_string(won.move), "2=1");
        EXPECT_EQ(won.keeps, Outcome::Unknown);
        const auto drawn = choose_from("nim:2,2", Outcome::D, after, seed);
        EXPECT_EQ(to_string(drawn.move), "1=1");
        EXPECT_EQ(drawn.keeps, Outcome::D);
        const auto lost = choose_from("nim:2,2", Outcome::P, after, seed);
        EXPECT_EQ(lost.keeps, Outcome::P);
    }
}

// Three moves are known to lose; the time ends with the second of them, and the moment after it
// with the second unknown one.
class StoppedSoon : public Interrupted {
  public:
    StoppedSoon() : Interrupted(Outcome::Unknown, {}) {}

    Outcome outcome_after(const Move&, const Budget&) const override {
        if (++asked_ == 2) stop_.request_stop();
        if (asked_ == 5) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return asked_ <= 3 ? Outcome::N : Outcome::Unknown;
    }
    Budget budget() const {
        Budget budget;
        budget.stop = stop_.get_token();
        return budget;
    }
    int asked() const { return asked_; }

  private:
    mutable std::stop_source stop_;
    mutable int asked_ = 0;
};

TEST(Choice, AsksForNoUnknownCandidateAfterTheTime) {
    const Game game = game_of("nim:500");
    const StoppedSoon solution;
    std::mt19937_64 random(1);
    const auto chosen =
        choose_move(game, solution, game.moves(500), {}, random, solution.budget());
    EXPECT_LE(solution.asked(), 5) << "an unknown one after the moment is the last";
    EXPECT_GE(solution.asked(), 4) << "what is known is asked after the time, too";
    EXPECT_EQ(chosen->keeps, Outcome::Unknown);
}

TEST(Choice, StaysAmongTheCandidates) {
    const Game game = game_of("nim:3,4,5");
    const auto move = [&](std::string_view text) { return *game.read_move(text); };
    std::mt19937_64 random(1);
    const std::vector<Move> candidates{move("2=0"), move("1=1"), move("3=2")};
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(analyst().choose(game, candidates, {}, random, {}), move("1=1"));
    }
    const std::vector<Move> losing{move("2=0"), move("3=2"), move("1=2")};
    for (int i = 0; i < 20; ++i) {
        const Style style{Choice::Random, Losing::Longest};
        EXPECT_EQ(analyst().choose(game, losing, style, random, {}), move("1=2"));
    }
}

}  // namespace engine::test::analyst_test

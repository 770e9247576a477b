#include "arena/contest/accuracy.hpp"

#include "arena/game/decision.hpp"
#include "tests/arena/game_records.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::accuracy_test {

// The accuracy of two players.
class Both {
  public:
    void add(const GameRecord& record, const GameAnalysis& analysis) {
        add_accuracy(record, analysis, {&players_[0], &players_[1]});
    }
    const Accuracy& of(std::size_t player) const { return players_[player]; }

  private:
    std::array<Accuracy, 2> players_;
};

void add(Both& statistics, const GameRecord& record) {
    statistics.add(record, analyse_game(record, StandInAnalyst(), {}));
}

TEST(Accuracy, TellsWhoThrewAndWhoStole) {
    Both statistics;
    // Player 0 throws 3,4,5 with its first move; player 1 makes no mistake after that.
    add(statistics, game_record("nim:3,4,5", {"1=0", "3=4", "2=0", "3=0"}, 1));
    const Accuracy& thrower = statistics.of(0);
    const Accuracy& thief = statistics.of(1);
    EXPECT_EQ(thrower.theory_halves, 2u);
    EXPECT_EQ(thrower.moves, 2u);
    EXPECT_EQ(thrower.won_positions, 1u);
    EXPECT_EQ(thrower.won_kept, 0u);
    EXPECT_EQ(thrower.mistakes(), 1u);
    EXPECT_EQ(thrower.decisions.decisions(), 1u) << "in the lost 4,4 nothing can be thrown";
    EXPECT_EQ(thrower.games_thrown, 1u);
    EXPECT_EQ(thrower.games_with_mistakes, 1u);
    EXPECT_EQ(thrower.plies.at(0).first_mistakes, 1u);
    EXPECT_EQ(thrower.steals, 0u);

    EXPECT_EQ(thief.theory_halves, 0u);
    EXPECT_EQ(thief.steals, 1u);
    EXPECT_EQ(thief.won_positions, 2u);
    EXPECT_EQ(thief.won_kept, 2u);
    EXPECT_EQ(thief.decisions.decisions(), 2u);
    EXPECT_EQ(thief.mistakes(), 0u);
    EXPECT_EQ(thief.plies.at(1).decisions, 1u);
    EXPECT_EQ(thief.plies.at(3).decisions, 1u);
}

TEST(Accuracy, CountsTheFirstMistakeOfAGameOnce) {
    Both statistics;
    add(statistics, game_record("nim:9", {"1=7", "1=5", "1=3", "1=2", "1=0"}, 0));
    EXPECT_EQ(statistics.of(0).mistakes(), 2u);
    EXPECT_EQ(statistics.of(0).games_with_mistakes, 1u);
    EXPECT_EQ(statistics.of(0).plies.at(0).first_mistakes, 1u);
    EXPECT_EQ(statistics.of(0).plies.at(2).first_mistakes, 0u);
    EXPECT_EQ(statistics.of(1).mistakes(), 2u);
    EXPECT_EQ(statistics.of(1).plies.at(1).first_mistakes, 1u);
    EXPECT_EQ(statistics.of(1).games_thrown, 1u);
    EXPECT_EQ(statistics.of(0).steals, 1u);
}

TEST(Accuracy, LeavesOutVoidGamesAndMovesOfTheArena) {
    Both statistics;
    add(statistics, game_record("nim:3", {"1=2"}, std::nullopt, Reason::Void));
    EXPECT_EQ(statistics.of(0).moves, 0u);
    EXPECT_EQ(statistics.of(0).theory_halves, 0u);

    GameRecord replaced = game_record("nim:3", {"1=2", "1=0"}, 1);
    replaced.strikes[0] = {{1, Reason::IllegalMove, "bestmove 9=9"}};
    add(statistics, replaced);
    EXPECT_EQ(statistics.of(0).moves, 0u);
    EXPECT_EQ(statistics.of(0).mistakes(), 0u);
    EXPECT_EQ(statistics.of(1).moves, 1u);
}

TEST(Accuracy, TakesNoWinByAFaultForASteal) {
    Both statistics;
    // The move loses for player 0.
    add(statistics, game_record("nim:1,4,5", {"1=0"}, 0, Reason::Timeout));
    EXPECT_EQ(statistics.of(0).games_stood_lost, 1u);
    EXPECT_EQ(statistics.of(0).steals, 0u);
    EXPECT_EQ(statistics.of(1).games_thrown, 1u);
}

TEST(Accuracy, SaysOverHowManyMovesItIs) {
    Both statistics;
    StandInAnalyst blind;
    blind.knows = false;
    const GameRecord record = game_record("nim:5", {"1=3", "1=0"}, 1);
    statistics.add(record, analyse_game(record, blind, {}));
    EXPECT_EQ(statistics.of(0).unknown_moves, 1u);
    EXPECT_EQ(statistics.of(0).theory_unknown, 1u);
    EXPECT_EQ(describe_error_rate(statistics.of(0)), "no decisions known");
    add(statistics, record);
    EXPECT_EQ(describe_error_rate(statistics.of(0)),
              "plays like perfect with ε = 1.00 [0.03, 1.00] over 1 decision; 1 of 2 moves "
              "unknown");
}

TEST(Accuracy, IsNotNarrowedByTheSameGamePlayedAgain) {
    Both once, often;
    const GameRecord record = game_record("nim:3,4,5", {"1=0", "3=4", "2=0", "3=0"}, 1);
    add(once, record);
    for (int i = 0; i < 100; ++i) add(often, record);
    EXPECT_EQ(often.of(0).decisions.error_rate().interval,
              once.of(0).decisions.error_rate().interval);
    EXPECT_THAT(describe_error_rate(often.of(1)), testing::HasSubstr("198 repeats left out"));
}

// Plays nim to the end: each seat errs as often as a builtin:eps of its `rates`.
GameRecord play_erring(const std::string& start, const std::array<double, 2>& rates,
                       std::mt19937_64& random) {
    const StandInAnalyst analyst;
    GameRecord record = game_record(start, {});
    auto play = *engine::Game::start(*record.task.position);
    while (play.has_move()) {
        std::optional<engine::Move> move;
        if (std::bernoulli_distribution(rates[record.moves.size() % 2])(random))
            move = random_mistake(play, analyst.outcome(play, {}), analyst, random, {});
        if (!move) {
            const auto best = analyst.best_moves(play, 1000, {})->moves;
            move = best.empty() ? play.random_move(random) : best.front();
        }
        record.moves.push_back(to_string(*move));
        play.play(*move);
    }
    record.winner = record.moves.size() % 2 == 1 ? 0 : 1;
    return record;
}

std::string random_heaps(int count, int largest, std::mt19937_64& random) {
    std::uniform_int_distribution<> size(1, largest);
    std::string text = "nim:" + std::to_string(size(random));
    for (int heap = 1; heap < count; ++heap) text += "," + std::to_string(size(random));
    return text;
}

TEST(Accuracy, MeasuresTheErrorsThatWereMade) {
    std::mt19937_64 random(12);
    const std::array<double, 2> truth{0.12, 0.4};
    Both statistics;
    for (int round = 0; round < 300; ++round)
        add(statistics, play_erring(random_heaps(4, 12, random), truth, random));
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const ErrorRate rate = statistics.of(seat).decisions.error_rate();
        EXPECT_GT(rate.decisions, 200u);
        EXPECT_LE(rate.interval.low, truth[seat]);
        EXPECT_GE(rate.interval.high, truth[seat]);
    }
}

// Like an analyst short of time, knows a value only at random, and a list of moves less often.
// The chance depends only on the position and the question.
class Forgetful : public StandInAnalyst {
  public:
    engine::Outcome outcome(const engine::Game& game,
                            const engine::Budget& budget) const override {
        if (lot() < 0.3) return engine::Outcome::Unknown;
        return StandInAnalyst::outcome(game, budget);
    }
    std::optional<engine::MoveList> best_moves(const engine::Game& game, std::size_t limit,
                                               const engine::Budget&) const override {
        if (lot() < 0.6) return std::nullopt;
        return known_.best_moves(game, limit, {});
    }

  private:
    double lot() const { return std::uniform_real_distribution<>(0, 1)(random_); }
    StandInAnalyst known_;
    mutable std::mt19937_64 random_{3};
};

TEST(Accuracy, MeasuresTheSameWhereMuchIsUnknown) {
    constexpr double kRate = 0.2;
    const Forgetful analyst;
    std::mt19937_64 random(11);
    Both statistics;
    for (int round = 0; round < 1500; ++round) {
        const auto record = play_erring(random_heaps(3, 9, random), {kRate, kRate}, random);
        statistics.add(record, analyse_game(record, analyst, {}));
    }
    for (const std::size_t player : {0u, 1u}) {
        const ErrorRate rate = statistics.of(player).decisions.error_rate();
        EXPECT_GT(rate.decisions, 300u);
        EXPECT_LT(rate.interval.low, kRate) << to_string(rate);
        EXPECT_GT(rate.interval.high, kRate) << to_string(rate);
        EXPECT_GT(statistics.of(player).undecided, 300u);
    }
}

}  // namespace arena::accuracy_test

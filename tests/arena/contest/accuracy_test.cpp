#include "arena/contest/accuracy.hpp"

#include "arena/game/decision.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::accuracy_test {

GameRecord game(std::string_view position, std::vector<std::string> moves,
                std::optional<int> winner, std::array<int, 2> players = {0, 1}) {
    GameRecord record;
    record.task.position =
        std::make_shared<const protocol::Position>(*protocol::parse_position(position));
    record.task.players = players;
    record.moves = std::move(moves);
    record.winner = winner;
    record.reason = Reason::NoMoves;
    return record;
}

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
    add(statistics, game("nim:3,4,5", {"1=0", "3=4", "2=0", "3=0"}, 1));
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
    add(statistics, game("nim:9", {"1=7", "1=5", "1=3", "1=2", "1=0"}, 0));
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
    GameRecord lost = game("nim:3", {"1=2"}, std::nullopt);
    lost.reason = Reason::Void;
    add(statistics, lost);
    EXPECT_EQ(statistics.of(0).moves, 0u);
    EXPECT_EQ(statistics.of(0).theory_halves, 0u);

    GameRecord replaced = game("nim:3", {"1=2", "1=0"}, 1);
    replaced.strikes[0] = {{1, Reason::IllegalMove, "bestmove 9=9"}};
    add(statistics, replaced);
    EXPECT_EQ(statistics.of(0).moves, 0u);
    EXPECT_EQ(statistics.of(0).mistakes(), 0u);
    EXPECT_EQ(statistics.of(1).moves, 1u);
}

TEST(Accuracy, TakesNoWinByAFaultForASteal) {
    Both statistics;
    GameRecord record = game("nim:3,4,5", {"1=1"}, 0);
    record.reason = Reason::Timeout;
    record.task.position =
        std::make_shared<const protocol::Position>(*protocol::parse_position("nim:1,4,5"));
    record.moves = {"1=0"};  // loses for player 0
    add(statistics, record);
    EXPECT_EQ(statistics.of(0).games_stood_lost, 1u);
    EXPECT_EQ(statistics.of(0).steals, 0u);
    EXPECT_EQ(statistics.of(1).games_thrown, 1u);
}

TEST(Accuracy, SaysOverHowManyMovesItIs) {
    Both statistics;
    StandInAnalyst blind;
    blind.knows = false;
    const GameRecord record = game("nim:5", {"1=3", "1=0"}, 1);
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
    const GameRecord record = game("nim:3,4,5", {"1=0", "3=4", "2=0", "3=0"}, 1);
    add(once, record);
    for (int i = 0; i < 100; ++i) add(often, record);
    EXPECT_EQ(often.of(0).decisions.error_rate().interval,
              once.of(0).decisions.error_rate().interval);
    EXPECT_THAT(describe_error_rate(often.of(1)), testing::HasSubstr("198 repeats left out"));
}

// A player like builtin:eps that knows only nim.
TEST(Accuracy, MeasuresTheErrorsThatWereMade) {
    const StandInAnalyst analyst;
    std::mt19937_64 random(12);
    const std::array<double, 2> truth{0.12, 0.4};
    Both statistics;
    for (int round = 0; round < 300; ++round) {
        std::string text = "nim:" + std::to_string(1 + random() % 12);
        for (int i = 0; i < 3; ++i) text += "," + std::to_string(1 + random() % 12);
        GameRecord record = game(text, {}, std::nullopt);
        auto play = *engine::Game::start(*record.task.position);
        while (play.has_move()) {
            const std::size_t seat = record.moves.size() % 2;
            const auto value = analyst.outcome(play, {});
            std::optional<engine::Move> move;
            if (std::bernoulli_distribution(truth[seat])(random)) {
                move = random_mistake(play, value, analyst, random, {});
            }
            if (!move) {
                const auto best = analyst.best_moves(play, 1000, {});
                move = best->moves.empty() ? play.random_move(random) : best->moves.front();
            }
            record.moves.push_back(to_string(*move));
            play.play(*move);
        }
        record.winner = record.moves.size() % 2 == 1 ? 0 : 1;
        add(statistics, record);
    }
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
    const StandInAnalyst truth;
    const Forgetful analyst;
    std::mt19937_64 random(11);
    Both statistics;
    for (int round = 0; round < 1500; ++round) {
        std::string text = "nim:";
        for (int heap = 0; heap < 3; ++heap) {
            text += (heap > 0 ? "," : "") + std::to_string(1 + random() % 9);
        }
        GameRecord record = game(text, {}, 0);
        auto play = *engine::read_game(text);
        while (play.has_move()) {
            const auto before = truth.outcome(play, {});
            auto move = truth.best_moves(play, 1, {})->moves;
            if (move.empty()) move = {play.random_move(random)};
            const auto thrown = random_mistake(play, before, truth, random, {});
            if (thrown && std::uniform_real_distribution<>(0, 1)(random) < kRate) {
                move = {*thrown};
            }
            record.moves.push_back(to_string(move.front()));
            play.play(move.front());
        }
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

// Whole games in one process: a won position is never lost, a drawn one is held.
#include <ctime>

#include "bots/greedy/greedy_choice.hpp"
#include "engine/sums/choice.hpp"
#include "engine/sums/solution.hpp"
#include "tests/agreement/known_rulesets.hpp"
#include "tests/agreement/positions.hpp"
#include "tests/agreement/random_rulesets.hpp"
#include "tests/harness/patience.hpp"

namespace engine::test::games_test {

// Every ruleset of the table and random ones, in sums of up to three heaps, normal and misere,
// with loops and splits: from a won position the engine wins, soon and before a position occurs
// a third time; from a drawn one it is not beaten. A lost position counts from the opponent's
// first mistake on.
class EveryRuleset {
  public:
    enum class Opponent { Random, Greedy, Perfect };

    EveryRuleset(Opponent opponent, int seat, std::uint64_t seed)
        : opponent_(opponent), seat_(seat), positions_(seed), random_(seed) {}

    enum class From { Table, Random };

    // Plays until so many games were won or drawn as they had to be.
    void play(int games, From from) {
        for (int i = 0; count(Outcome::N) + count(Outcome::D) < games; ++i) {
            if (testing::Test::HasFatalFailure()) return;
            if (i % kGamesOfRulesets == 0) positions_.draw_rulesets();
            const std::string text =
                from == From::Table ? draw_known_sum(random_) : positions_.draw(2);
            SCOPED_TRACE(text);
            constexpr Losing kLosing[] = {Losing::Random, Losing::Longest, Losing::Trap};
            const Style style{i % 2 == 0 ? Choice::First : Choice::Random, kLosing[i % 3]};
            std::mt19937_64 random(static_cast<std::uint64_t>(i));
            play_game(game_of(text), style, random);
        }
    }

    // Games by the outcome that the engine had to reach. Unknown: abandoned, because the
    // outcome or a move that keeps it was not found in time.
    int count(Outcome owed) { return counts_[owed]; }
    int count_all() const {
        int all = 0;
        for (const auto& [owed, count] : counts_) all += count;
        return all;
    }

  private:
    static constexpr int kGamesOfRulesets = 100;
    // Plies. If each move splits, a game can last hundreds of them without any loop. A drawn
    // game is not played to its end: its heaps may multiply for ever without a repetition.
    static constexpr int kLongestWin = 2000;
    static constexpr int kLongestDraw = 300;
    // A move for which nothing is owed has 4 ms of CPU time at least, however busy the machine
    // is.
    static constexpr std::clock_t kCpuTime = CLOCKS_PER_SEC / 250;

    static int rank(Outcome outcome) {
        return outcome == Outcome::N ? 2 : outcome == Outcome::D ? 1 : 0;
    }

    Move opponents_move(const Game& game, std::mt19937_64& random) const {
        std::optional<Move> move;
        const Budget budget = Budget{}.at_most(std::chrono::milliseconds(5));
        if (opponent_ == Opponent::Greedy) move = bots::greedy_choice(game);
        if (opponent_ == Opponent::Perfect) {
            const auto solution = solve(game, budget, Aim::Winner);
            if (auto chosen = choose_move(game, *solution, {}, {}, random, budget)) {
                move = std::move(chosen->move);
            }
        }
        return move ? *move : game.random_move(random);
    }

    void play_game(Game game, const Style& style, std::mt19937_64& random) {
        Outcome owed = Outcome::P;
        for (int plies = 0; game.end() == End::None; ++plies) {
            if (game.player() != seat_) {
                game.play(opponents_move(game, random));
                continue;
            }
            const std::clock_t end = std::clock() + kCpuTime;
            Outcome outcome{};
            std::optional<ChosenMove> chosen;
            bool is_known = false;
            do {
                const Budget budget = Budget{}.at_most(
                    std::chrono::milliseconds(owed == Outcome::P ? 5 : 60'000));
                const auto solution = solve(game, budget, Aim::Winner);
                outcome = solution->outcome();
                chosen = choose_move(game, *solution, {}, style, random, budget);
                ASSERT_TRUE(chosen && game.check(chosen->move)) << to_string(game.position());
                is_known = outcome != Outcome::Unknown && chosen->keeps == outcome;
            } while (owed == Outcome::P && !is_known && std::clock() < end);
            if (owed == Outcome::P && !is_known) {
                ++counts_[Outcome::Unknown];
                return;
            }
            ASSERT_GE(rank(outcome), rank(owed)) << to_string(game.position());
            ASSERT_EQ(chosen->keeps, outcome) << to_string(game.position());
            if (outcome != owed) plies = 0;
            owed = outcome;
            if (plies >= (owed == Outcome::N ? kLongestWin : kLongestDraw)) break;
            game.play(chosen->move);
        }
        ++counts_[owed];
        if (owed == Outcome::N) {
            ASSERT_EQ(game.winner(), seat_);
        } else if (owed == Outcome::D) {
            ASSERT_NE(game.winner(), 3 - seat_);
        }
    }

    const Opponent opponent_;
    const int seat_;
    RandomPositions positions_;
    std::mt19937_64 random_;
    std::map<Outcome, int> counts_;
};

struct Series {
    const char* name;
    EveryRuleset::Opponent opponent;
    int seat;
    std::uint64_t seed;
    int games;
};

class PerfectPlay : public ::testing::TestWithParam<Series> {
  protected:
    static void play(EveryRuleset::From from, int share) {
        const auto& [name, opponent, seat, seed, all_games] = GetParam();
        const int games = ::test::tries(all_games) / share;
        EveryRuleset series(opponent, seat, seed);
        series.play(games, from);
        RecordProperty("won", series.count(Outcome::N));
        RecordProperty("drawn", series.count(Outcome::D));
        RecordProperty("nothing_owed", series.count(Outcome::P));
        RecordProperty("unknown", series.count(Outcome::Unknown));
        EXPECT_GT(series.count(Outcome::N), games / 3);
        // A tenth of the games is too few for the share of draws.
        const int least_drawn = ::test::kShare == 1 ? games / 100 : -1;
        EXPECT_GT(series.count(Outcome::D), least_drawn);
        EXPECT_LT(series.count(Outcome::Unknown), series.count_all() / 5);
    }
};

TEST_P(PerfectPlay, KeepsTheOutcomeInRandomRulesets) { play(EveryRuleset::From::Random, 1); }

TEST_P(PerfectPlay, KeepsTheOutcomeInEveryRulesetOfTheTable) {
    play(EveryRuleset::From::Table, 2);
}

using enum EveryRuleset::Opponent;
INSTANTIATE_TEST_SUITE_P(Against, PerfectPlay,
                         ::testing::Values(Series{"RandomPlayFirst", Random, 1, 1966, 1000},
                                           Series{"RandomPlaySecond", Random, 2, 1967, 1000},
                                           Series{"GreedyPlayFirst", Greedy, 1, 1968, 1000},
                                           Series{"GreedyPlaySecond", Greedy, 2, 1969, 1000},
                                           Series{"PerfectPlayFirst", Perfect, 1, 1902, 500},
                                           Series{"PerfectPlaySecond", Perfect, 2, 1939, 500}),
                         [](const auto& series) { return std::string(series.param.name); });

}  // namespace engine::test::games_test

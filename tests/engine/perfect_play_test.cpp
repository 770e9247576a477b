// Whole games in one process: what is won is never lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bots/greedy/greedy_choice.hpp"
#include "engine/solver/analyst.hpp"
#include "engine/solver/choice.hpp"
#include "engine/solver/solution.hpp"
#include "oracle.hpp"
#include "random_positions.hpp"

namespace engine::test {
namespace {

std::string draw_position(std::mt19937_64& random) {
    constexpr const char* kRulesets[] = {"nim",          "take{1,3,4}", "take{2,4,7}",
                                         "take{!2}",     "take{1-5}",   "take{3-}",
                                         "take{!1,4,6}", "take{2,3,9}", "take{5,7-9}"};
    std::string sum;
    const Count components = 1 + uniform_below(random, 3);
    for (Count i = 0; i < components; ++i) {
        if (i > 0) sum += '+';
        sum += kRulesets[uniform_below(random, std::size(kRulesets))];
        const Count heaps = 1 + uniform_below(random, 2);
        for (Count j = 0; j < heaps; ++j) {
            sum += (j == 0 ? ':' : ',') + std::to_string(uniform_below(random, 25));
        }
    }
    return uniform_below(random, 2) == 0 ? sum : sum + " misere";
}

// Player 1 is perfect, player 2 random or perfect; gives the winner.
int play(Game game, bool perfect_opponent, const Style& style, std::mt19937_64& random) {
    static const auto analyst = make_analyst();
    while (game.end() == End::None) {
        const bool perfect = game.player() == 1 || perfect_opponent;
        const auto move =
            perfect ? analyst->choose(game, {}, style, random, {}) : game.random_move(random);
        EXPECT_TRUE(move && game.check(*move)) << to_string(game.position());
        if (!move) return 0;
        game.play(*move);
    }
    return *game.winner();
}

TEST(PerfectPlay, LosesNoWonPositionToRandomPlay) {
    const auto analyst = make_analyst();
    std::mt19937_64 random(1902);
    int won_positions = 0;
    for (int i = 0; i < 10000; ++i) {
        const std::string position = draw_position(random);
        const Game game = game_of(position);
        if (analyst->outcome(game, {}) != Outcome::N) continue;
        ++won_positions;
        const Style style{i % 2 == 0 ? Choice::First : Choice::Random, {}};
        ASSERT_EQ(play(game, false, style, random), 1) << position;
    }
    EXPECT_GT(won_positions, 5000);
}

TEST(PerfectPlay, LosesNoWonPositionAsSecondPlayer) {
    const auto analyst = make_analyst();
    std::mt19937_64 random(1939);
    int won_positions = 0;
    for (int i = 0; i < 10000; ++i) {
        Game game = game_of(draw_position(random));
        if (!game.has_move()) continue;
        game.play(game.random_move(random));  // by player 1, so that the perfect one is second
        if (analyst->outcome(game, {}) != Outcome::N) continue;
        ++won_positions;
        const std::string position = to_string(game.position());
        ASSERT_EQ(play(game_of(position), false, {}, random), 1) << position;
    }
    EXPECT_GT(won_positions, 5000);
}

TEST(PerfectPlay, EndsEachPairOneToOne) {
    const auto analyst = make_analyst();
    std::mt19937_64 random(1976);
    for (int i = 0; i < 2000; ++i) {
        const std::string position = draw_position(random);
        const Game game = game_of(position);
        const int expected = analyst->outcome(game, {}) == Outcome::N ? 1 : 2;
        const Style style{Choice::Random, i % 2 == 0 ? Losing::Random : Losing::Longest};
        ASSERT_EQ(play(game, true, style, random), expected) << position;
        ASSERT_EQ(play(game, true, style, random), expected) << position;
    }
}

// Every ruleset, alone and in sums of two heaps, normal and misere, loops and splits included:
// from where the engine wins it wins, soon and before a position comes a third time; from where
// it can draw it is not beaten. A lost position counts from the opponent's first mistake on.
class EveryRuleset {
  public:
    enum class Opponent { Random, Greedy };

    EveryRuleset(Opponent opponent, int seat, std::uint64_t seed)
        : opponent_(opponent), seat_(seat), positions_(seed) {}

    // Until so many games were won or drawn, as they had to be.
    void play(int games) {
        for (int i = 0; count(Outcome::N) + count(Outcome::D) < games; ++i) {
            if (testing::Test::HasFatalFailure()) return;
            if (i % kGamesOfRulesets == 0) positions_.draw_rulesets();
            const std::string text = positions_.draw(2);
            SCOPED_TRACE(text);
            constexpr Losing kLosing[] = {Losing::Random, Losing::Longest, Losing::Trap};
            const Style style{i % 2 == 0 ? Choice::First : Choice::Random, kLosing[i % 3]};
            std::mt19937_64 random(static_cast<std::uint64_t>(i));
            play_game(game_of(text), style, random);
        }
    }

    // Games by what they owed in the end: Unknown those that were left because nobody knew in
    // time who wins.
    int count(Outcome owed) { return counts_[owed]; }

  private:
    static constexpr int kGamesOfRulesets = 100;
    // Plies. What splits at each move can last some hundreds of them without any loop. A drawn
    // game is not played to its end: its heaps may multiply for ever, none of the sums twice.
    static constexpr int kLongestWin = 2000;
    static constexpr int kLongestDraw = 300;

    static int rank(Outcome outcome) {
        return outcome == Outcome::N ? 2 : outcome == Outcome::D ? 1 : 0;
    }

    void play_game(Game game, const Style& style, std::mt19937_64& random) {
        Outcome owed = Outcome::P;
        for (int plies = 0; game.end() == End::None; ++plies) {
            if (game.player() != seat_) {
                const auto greedy =
                    opponent_ == Opponent::Greedy ? bots::greedy_choice(game) : std::nullopt;
                game.play(greedy ? *greedy : game.random_move(random));
                continue;
            }
            const Budget budget =
                Budget{}.at_most(std::chrono::milliseconds(owed == Outcome::P ? 5 : 2000));
            const auto solution = solve(game, budget, Aim::Winner);
            const Outcome outcome = solution->outcome();
            if (outcome == Outcome::Unknown && owed == Outcome::P) {
                ++counts_[Outcome::Unknown];
                return;
            }
            ASSERT_GE(rank(outcome), rank(owed)) << to_string(game.position());
            if (outcome != owed) plies = 0;
            owed = outcome;
            if (plies >= (owed == Outcome::N ? kLongestWin : kLongestDraw)) break;
            const auto move = choose_move(game, *solution, {}, style, random, budget);
            ASSERT_TRUE(move && game.check(*move)) << to_string(game.position());
            game.play(*move);
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
    std::map<Outcome, int> counts_;
};

void play_every_ruleset(EveryRuleset::Opponent opponent, int seat, std::uint64_t seed) {
    constexpr int kGames = 25000;
    EveryRuleset games(opponent, seat, seed);
    games.play(kGames);
    testing::Test::RecordProperty("won", games.count(Outcome::N));
    testing::Test::RecordProperty("drawn", games.count(Outcome::D));
    testing::Test::RecordProperty("nothing_owed", games.count(Outcome::P));
    testing::Test::RecordProperty("unknown", games.count(Outcome::Unknown));
    EXPECT_GT(games.count(Outcome::N), kGames / 2);
    EXPECT_GT(games.count(Outcome::D), kGames / 100);
    EXPECT_LT(games.count(Outcome::Unknown), kGames / 10);
}

TEST(PerfectPlay, KeepsWhatItHasInEveryRulesetFirstAgainstRandomPlay) {
    play_every_ruleset(EveryRuleset::Opponent::Random, 1, 1966);
}

TEST(PerfectPlay, KeepsWhatItHasInEveryRulesetSecondToRandomPlay) {
    play_every_ruleset(EveryRuleset::Opponent::Random, 2, 1967);
}

TEST(PerfectPlay, KeepsWhatItHasInEveryRulesetFirstAgainstGreedyPlay) {
    play_every_ruleset(EveryRuleset::Opponent::Greedy, 1, 1968);
}

TEST(PerfectPlay, KeepsWhatItHasInEveryRulesetSecondToGreedyPlay) {
    play_every_ruleset(EveryRuleset::Opponent::Greedy, 2, 1969);
}

}  // namespace
}  // namespace engine::test

#include "arena/contest/format.hpp"
#include "tests/arena/tournament_simulation.hpp"

namespace arena::ladder_test {

using std::chrono::milliseconds;

FormatOptions ladder(int players, milliseconds budget, int games = 2) {
    FormatOptions options = options_for(FormatKind::Ladder, players, games, 1);
    options.budget = budget;
    return options;
}

std::map<int, int> games_by_player(const Simulation& simulation) {
    std::map<int, int> games;
    for (const GameResult& result : simulation.results) {
        for (const int player : result.players) ++games[player];
    }
    return games;
}

TEST(Ladder, GivesEverybodyTheSameGamesAndKeepsTheBudget) {
    for (int players = 2; players <= 16; ++players) {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            Simulation simulation(ladder(players, milliseconds(10000), 4), seed);
            simulation.time = [&](const RoundPlan& plan) {
                // 300 to 500 ms for a round of 8 pairs, whatever its number.
                return milliseconds(plan.pairs.size() * (300 + simulation.random()() % 200) /
                                    8);
            };
            simulation.run();
            const auto games = games_by_player(simulation);
            EXPECT_EQ(games.size(), static_cast<std::size_t>(players));
            for (const auto& [player, count] : games) EXPECT_EQ(count, games.at(0));
            // A round takes at most 5/3 of the average before it.
            const auto longest = simulation.plans.back().pairs.size() * 500 / 8;
            EXPECT_LE(simulation.spent, milliseconds(10000 + longest * 2 / 5));
            EXPECT_GT(simulation.spent, milliseconds(10000 - longest));
            for (std::size_t i = 1; i < simulation.plans.size(); ++i) {
                EXPECT_GT(simulation.plans[i].spent, simulation.plans[i - 1].spent);
            }
        }
    }
}

TEST(Ladder, PlansARoundOnlyIfItFits) {
    Simulation simulation(ladder(4, milliseconds(1000)), 1);
    simulation.time = [](const RoundPlan&) { return milliseconds(300); };
    simulation.run();
    EXPECT_EQ(simulation.plans.size(), 3u);
    EXPECT_EQ(simulation.spent, milliseconds(900));
}

TEST(Ladder, PlaysOneRoundWhateverTheBudget) {
    Simulation simulation(ladder(5, milliseconds(1)), 1);
    simulation.time = [](const RoundPlan&) { return milliseconds(1000000); };
    simulation.run();
    EXPECT_EQ(simulation.plans.size(), 1u);
}

TEST(Ladder, PlaysOnceOrTwiceARoundAgainstNeighbours) {
    for (int players = 2; players <= 17; ++players) {
        Simulation simulation(ladder(players, milliseconds(1)), 1);
        simulation.time = [](const RoundPlan&) { return milliseconds(1); };
        simulation.run();
        ASSERT_EQ(simulation.plans.size(), 1u);
        std::map<int, int> meetings;
        std::set<std::pair<int, int>> pairs;
        for (const PlannedPair& pair : simulation.plans[0].pairs) {
            for (const int player : pair.players) ++meetings[player];
            EXPECT_TRUE(pairs.insert(std::minmax(pair.players[0], pair.players[1])).second);
            const int apart = std::abs(pair.players[0] - pair.players[1]);
            EXPECT_LE(apart, players % 2 == 0 ? 1 : 3) << players;
        }
        for (const auto& [player, count] : meetings) EXPECT_EQ(count, players % 2 == 0 ? 1 : 2);
    }
}

TEST(Ladder, LetsNoPairMeetTwiceInARow) {
    for (int players = 4; players <= 16; ++players) {
        Simulation simulation(ladder(players, milliseconds(20)), 2);
        simulation.time = [](const RoundPlan&) { return milliseconds(1); };
        simulation.run();
        EXPECT_EQ(simulation.plans.size(), 20u);
        std::set<std::pair<int, int>> last;
        for (const RoundPlan& plan : simulation.plans) {
            std::set<std::pair<int, int>> now;
            for (const PlannedPair& pair : plan.pairs) {
                now.insert(std::minmax(pair.players[0], pair.players[1]));
            }
            for (const auto& pair : now) EXPECT_FALSE(last.contains(pair)) << players;
            last = now;
        }
    }
}

TEST(Ladder, RanksByShareOfPoints) {
    // The higher number wins. The order reverses from round to round until neighbours in
    // strength meet.
    Simulation simulation(ladder(16, milliseconds(40)), 1);
    simulation.time = [](const RoundPlan&) { return milliseconds(1); };
    simulation.play = [](const GameKey&, std::array<int, 2> players) {
        return players[0] > players[1] ? 0 : 1;
    };
    simulation.run();
    const auto apart = [&](std::size_t first_plan) {
        int sum = 0;
        for (std::size_t i = first_plan; i < first_plan + 10; ++i) {
            for (const PlannedPair& pair : simulation.plans[i].pairs) {
                sum += std::abs(pair.players[0] - pair.players[1]);
            }
        }
        return sum / 80.0;
    };
    EXPECT_LT(apart(30), 3) << "5.7 on average if drawn";
}

// The ladder of a server: players come and go, and it continues until it is stopped.
class OpenLadder : public testing::Test {
  protected:
    static FormatOptions options() {
        FormatOptions options = ladder(4, milliseconds(0));
        options.open = true;
        return options;
    }
    // Plays the next round and returns its players; none if the ladder waits.
    std::set<int> play_round() {
        const NextRound next = format_->next(milliseconds(0));
        EXPECT_FALSE(std::holds_alternative<GameOver>(next));
        const auto* plan = std::get_if<RoundPlan>(&next);
        if (plan == nullptr) return {};
        format_->add(*plan);
        std::set<int> players;
        for (const PlannedPair& pair : plan->pairs) {
            players.insert(pair.players.begin(), pair.players.end());
            for (const int leg : {1, 2})
                format_->add(GameResult{{pair.key, leg}, pair.players, 0, Reason::NoMoves});
        }
        return players;
    }

    Simulation simulation_{options(), 1};
    std::unique_ptr<Format> format_ = simulation_.rebuilt();
};

TEST_F(OpenLadder, LeavesOutAbsentPlayers) {
    EXPECT_EQ(play_round(), (std::set{0, 1, 2, 3}));
    format_->set_present(1, false);
    EXPECT_EQ(play_round(), (std::set{0, 2, 3}));
    format_->set_present(2, false);
    EXPECT_EQ(play_round(), (std::set{0, 3}));
    format_->set_present(1, true);
    EXPECT_EQ(play_round(), (std::set{0, 1, 3}));
}

// Neither where others can join nor where nobody can.
TEST(Ladder, WaitsForNoGameOfAnAbsentPlayer) {
    for (const bool open : {true, false}) {
        FormatOptions options = ladder(4, milliseconds(1000));
        options.open = open;
        const Simulation simulation(options, 1);
        const auto format = simulation.rebuilt();
        const auto first = std::get<RoundPlan>(format->next(milliseconds(0)));
        format->add(first);
        format->set_present(3, false);
        EXPECT_TRUE(std::holds_alternative<AwaitResults>(format->next(milliseconds(0))));
        std::vector<GameResult> late;
        for (const PlannedPair& pair : first.pairs) {
            for (const int leg : {1, 2}) {
                const GameResult result{{pair.key, leg}, pair.players, 0, Reason::NoMoves};
                const bool waits = std::ranges::count(pair.players, 3) > 0;
                waits ? late.push_back(result) : format->add(result);
            }
        }
        ASSERT_FALSE(late.empty());
        const auto second = format->next(milliseconds(0));
        ASSERT_TRUE(std::holds_alternative<RoundPlan>(second)) << open;
        for (const PlannedPair& pair : std::get<RoundPlan>(second).pairs)
            EXPECT_EQ(std::ranges::count(pair.players, 3), 0);
        format->add(std::get<RoundPlan>(second));
        for (const GameResult& result : late) format->add(result);
        EXPECT_TRUE(std::holds_alternative<AwaitResults>(format->next(milliseconds(0))));
    }
}

TEST_F(OpenLadder, WaitsForASecondPlayer) {
    for (const int gone : {0, 1, 2}) format_->set_present(gone, false);
    EXPECT_EQ(play_round(), std::set<int>());
    EXPECT_EQ(play_round(), std::set<int>()) << "and goes on waiting";
    format_->set_present(2, true);
    EXPECT_EQ(play_round(), (std::set{2, 3}));
}

TEST_F(OpenLadder, LateJoinersPlayFromTheNextRoundOn) {
    EXPECT_EQ(play_round().size(), 4u);
    format_->add(Entrant{"late", "", 2});
    EXPECT_EQ(play_round(), (std::set{0, 1, 2, 3, 4}));
}

TEST_F(OpenLadder, ContinuesWithoutABudget) {
    for (int round = 0; round < 200; ++round) ASSERT_EQ(play_round().size(), 4u);
}

TEST(Ladder, LetsLateJoinersBeginAtTheEnd) {
    Simulation simulation(ladder(6, milliseconds(30)), 1);
    simulation.time = [](const RoundPlan&) { return milliseconds(1); };
    simulation.run(3);
    simulation.join(4);
    simulation.run();
    const auto games = games_by_player(simulation);
    for (int player = 1; player < 6; ++player) EXPECT_EQ(games.at(player), games.at(0));
    EXPECT_EQ(simulation.plans[2].pairs.size(), 3u);
    EXPECT_EQ(simulation.plans[3].pairs.size(), 7u) << "everybody twice";
    EXPECT_EQ(games.at(6), games.at(0) - 6) << "as often as the others from then on";
}

}  // namespace arena::ladder_test

#include "arena/contest/format.hpp"
#include "tests/arena/tournament_simulation.hpp"

namespace arena::knockout_test {

using namespace testing;

FormatOptions knockout(int players, int games = 2, std::uint64_t seed = 1) {
    return options_for(FormatKind::Knockout, players, games, seed);
}

int champion(const Simulation& simulation) {
    const auto reached = simulation.rebuilt()->rounds_reached();
    return static_cast<int>(std::ranges::max_element(reached) - reached.begin());
}

std::optional<int> lower_number_wins(const GameKey&, std::array<int, 2> players) {
    return players[0] < players[1] ? 0 : 1;
}

TEST(Knockout, LetsTheBestMeetLast) {
    Simulation simulation(knockout(8), 1);
    simulation.play = lower_number_wins;
    simulation.run();
    std::vector<std::set<int>> meetings;
    for (const RoundPlan& plan : simulation.plans) {
        EXPECT_THAT(plan.byes, ElementsAre());
        for (const PlannedPair& pair : plan.pairs) {
            meetings.push_back({pair.players[0] + 1, pair.players[1] + 1});
        }
    }
    using Set = std::set<int>;
    EXPECT_THAT(meetings, ElementsAre(Set{1, 8}, Set{4, 5}, Set{2, 7}, Set{3, 6}, Set{1, 4},
                                      Set{2, 3}, Set{1, 2}));
    EXPECT_THAT(simulation.rebuilt()->rounds_reached(), ElementsAre(4, 3, 2, 2, 1, 1, 1, 1));
}

TEST(Knockout, WhoIsThroughIsAheadOfWhoIsOutWhileARoundIsPlayed) {
    Simulation simulation(knockout(4), 2);
    simulation.play = lower_number_wins;
    simulation.run();
    auto format = *make_format(knockout(4));
    for (const auto* name : {"a", "b", "c", "d"}) format->add({name, "", 1});
    format->add(simulation.plans.front());
    EXPECT_THAT(format->rounds_reached(), ElementsAre(1, 1, 1, 1));
    for (const GameResult& result : simulation.results) {
        const std::set<int> players(result.players.begin(), result.players.end());
        if (players == std::set{0, 3}) format->add(result);
    }
    EXPECT_THAT(format->rounds_reached(), ElementsAre(2, 1, 1, 1));
}

TEST(Knockout, RanksByTheRoundsPlannedBeforeItsEnd) {
    Simulation simulation(knockout(3), 1);
    simulation.play = lower_number_wins;
    simulation.run();
    auto format = *make_format(knockout(3));
    for (const auto* name : {"a", "b", "c"}) format->add({name, "", 1});
    const auto reached_after = [&](std::size_t plan, std::size_t results) {
        format->add(simulation.plans.at(plan));
        const auto before = format->rounds_reached();
        for (std::size_t i = 2 * plan; i < results; ++i) format->add(simulation.results.at(i));
        return before;
    };
    // The first has a bye. A game of the others is missing, as in a damaged record.
    EXPECT_THAT(reached_after(0, 1), ElementsAre(2, 1, 1));
    EXPECT_THAT(reached_after(1, 4), ElementsAre(2, 2, 1));
    EXPECT_THAT(format->rounds_reached(), ElementsAre(2, 2, 1));
    format->add(simulation.results.at(1));
    EXPECT_THAT(format->rounds_reached(), ElementsAre(3, 2, 1));
}

TEST(Knockout, GivesByesToTheFirstSeeds) {
    for (int players = 2; players <= 33; ++players) {
        Simulation simulation(knockout(players), 1);
        simulation.play = lower_number_wins;
        simulation.run();
        int size = 1;
        while (size < players) size *= 2;
        std::set<int> byes(simulation.plans[0].byes.begin(), simulation.plans[0].byes.end());
        std::set<int> expected;
        for (int i = 0; i < size - players; ++i) expected.insert(i);
        EXPECT_EQ(byes, expected) << players;
        for (std::size_t i = 1; i < simulation.plans.size(); ++i) {
            EXPECT_TRUE(simulation.plans[i].byes.empty());
        }
        EXPECT_EQ(simulation.results.size(), 2u * static_cast<std::size_t>(players - 1));
        EXPECT_EQ(simulation.rebuilt()->total_games(), simulation.results.size());
        EXPECT_EQ(champion(simulation), 0);
    }
}

TEST(Knockout, HasAChampionWhoLostNoPairingAndAllOthersLostOne) {
    for (int players = 2; players <= 16; ++players) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Simulation simulation(knockout(players, 4, seed), seed);
            simulation.void_share = seed % 2 == 0 ? 0.2 : 0;
            simulation.run();
            const auto reached = simulation.rebuilt()->rounds_reached();
            std::map<int, std::set<std::pair<int, int>>> met;
            for (const RoundPlan& plan : simulation.plans) {
                for (const PlannedPair& pair : plan.pairs) {
                    met[plan.round].insert(std::minmax(pair.players[0], pair.players[1]));
                }
            }
            std::size_t meetings = 0;
            for (const auto& [round, pairings] : met) {
                for (const auto& [a, b] : pairings) {
                    ++meetings;
                    // One player advances, the other one is out.
                    const auto [low, high] = std::minmax(reached[static_cast<std::size_t>(a)],
                                                         reached[static_cast<std::size_t>(b)]);
                    EXPECT_EQ(low, round);
                    EXPECT_GT(high, round);
                }
            }
            EXPECT_EQ(meetings, static_cast<std::size_t>(players - 1));
        }
    }
}

TEST(Knockout, ReplaysUndecidedPairingsAlone) {
    Simulation simulation(knockout(4), 1);
    simulation.play = [](const GameKey& key, std::array<int, 2> players) -> std::optional<int> {
        const bool drawn = key.pair.round == 1 && key.pair.pairing == 2 && key.pair.attempt < 3;
        return drawn ? std::nullopt : lower_number_wins(key, players);
    };
    simulation.run();
    std::vector<std::array<int, 3>> plans;
    for (const RoundPlan& plan : simulation.plans) {
        plans.push_back({plan.round, plan.attempt, static_cast<int>(plan.pairs.size())});
    }
    using Plan = std::array<int, 3>;
    EXPECT_THAT(plans, ElementsAre(Plan{1, 1, 2}, Plan{1, 2, 1}, Plan{1, 3, 1}, Plan{2, 1, 1}));
    EXPECT_EQ(simulation.plans[1].pairs[0].key, (PairKey{1, 1, 2, 1, 2}));
    EXPECT_EQ(simulation.rebuilt()->total_games(), simulation.results.size());
    EXPECT_EQ(champion(simulation), 0);
}

TEST(Knockout, DrawsLotsAfterTheFifthUndecidedAttempt) {
    std::set<int> champions;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Simulation simulation(knockout(2, 2, seed), 1);
        simulation.play = [](const GameKey&, std::array<int, 2>) { return std::nullopt; };
        simulation.run();
        ASSERT_EQ(simulation.plans.size(), 5u);
        EXPECT_EQ(simulation.plans.back().attempt, 5);
        champions.insert(champion(simulation));
    }
    EXPECT_EQ(champions, (std::set<int>{0, 1}));
}

// Plays a final by hand: the first mover wins, unless `change` alters the game.
int champion_where(const std::function<void(GameResult&)>& change) {
    auto format = *make_format(knockout(2));
    format->add({"a", "", 1});
    format->add({"b", "", 1});
    for (;;) {
        const NextRound next = format->next({});
        if (std::holds_alternative<GameOver>(next)) break;
        const RoundPlan& plan = std::get<RoundPlan>(next);
        format->add(plan);
        const PlannedPair& pair = plan.pairs.at(0);
        for (const int leg : {1, 2}) {
            GameResult result{{pair.key, leg}, pair.players, 0, Reason::NoMoves};
            if (leg == 2) std::swap(result.players[0], result.players[1]);
            change(result);
            format->add(result);
        }
    }
    return format->rounds_reached()[1] == 2 ? 1 : 0;
}

TEST(Knockout, PrefersWhoHadFewerFaultsToLots) {
    for (const int faulty : {0, 1}) {
        const int winner = champion_where([&](GameResult& result) {
            // Once, when it moves second, it loses by a fault instead.
            if (result.key.pair.attempt == 3 && result.players[1] == faulty) {
                result.reason = Reason::Timeout;
            }
        });
        EXPECT_EQ(winner, 1 - faulty);
    }
}

TEST(Knockout, DoesNotDecideByAGameWhoseOtherLegIsVoid) {
    int games = 0;
    const int winner = champion_where([&](GameResult& result) {
        ++games;
        if (result.key.pair.attempt > 1) {
            result.winner = result.players[0] == 1 ? 0 : 1;  // now player 1 wins both
        } else if (result.players[0] == 1) {
            result.reason = Reason::Void;
            result.winner.reset();
        }
    });
    EXPECT_EQ(games, 4);
    EXPECT_EQ(winner, 1);
}

TEST(Knockout, SaysThatNobodyCanJoinLate) {
    Simulation simulation(knockout(4), 1);
    EXPECT_EQ(simulation.rebuilt()->warning(), "");
    simulation.join(2);
    EXPECT_EQ(simulation.rebuilt()->warning(),
              "knockout: nobody can join late: 1 of 5 players will not play");
    simulation.run();
    EXPECT_EQ(simulation.rebuilt()->rounds_reached().at(4), 0);
}

// ---- the bracket ----

const std::vector<std::string> kFive{"Ann", "Bob", "Cid", "Dan", "Eve"};

TEST(KnockoutBracket, HasPointsByesAndTheWinner) {
    Simulation simulation(knockout(5, 4), 1);
    simulation.play = lower_number_wins;
    const auto format = simulation.run();
    EXPECT_EQ(bracket_text(format->bracket(), kFive),
              "round 1\n"
              "  Ann has a bye\n"
              "  Dan 4 - 0 Eve\n"
              "  Bob has a bye\n"
              "  Cid has a bye\n"
              "round 2\n"
              "  Ann 4 - 0 Dan\n"
              "  Bob 4 - 0 Cid\n"
              "final\n"
              "  Ann 4 - 0 Bob\n"
              "winner: Ann");
}

TEST(KnockoutBracket, SaysWhatDecidedAMeeting) {
    Simulation simulation(knockout(2), 1);
    simulation.play = [](const GameKey& key, std::array<int, 2> players) -> std::optional<int> {
        if (key.pair.attempt < 3) return 0;  // the first mover wins
        return players[0] == 1 ? 0 : 1;
    };
    EXPECT_EQ(bracket_text(simulation.run()->bracket(), kFive),
              "final\n  Ann 2 - 4 Bob, in 3 attempts\nwinner: Bob");
    Simulation drawn(knockout(2), 1);
    drawn.play = [](const GameKey&, std::array<int, 2>) { return std::nullopt; };
    EXPECT_THAT(bracket_text(drawn.run()->bracket(), kFive),
                StartsWith("final\n  Ann 5 - 5 Bob, in 5 attempts, decided by lots\n"));
}

TEST(KnockoutBracket, KnowsNoWinnerOfAMeetingThatIsBeingPlayed) {
    Simulation simulation(knockout(2, 4), 1);
    simulation.play = lower_number_wins;
    simulation.run();
    simulation.results.pop_back();
    const auto format = simulation.rebuilt();
    EXPECT_EQ(bracket_text(format->bracket(), kFive),
              "final\n  Ann 3 - 0 Bob, not decided yet");
    simulation.results.clear();
    simulation.plans.clear();
    EXPECT_EQ(bracket_text(simulation.rebuilt()->bracket(), kFive), "final\n  Ann - Bob");
}

}  // namespace arena::knockout_test

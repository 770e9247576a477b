#include "arena/contest/format.hpp"
#include "tests/arena/tournament_simulation.hpp"

namespace arena::swiss_test {

FormatOptions swiss(int players, int rounds, std::uint64_t seed = 1, int games = 2) {
    FormatOptions options = options_for(FormatKind::Swiss, players, games, seed);
    options.rounds = rounds;
    return options;
}

// The state before a round, kept in the obvious way.
struct Past {
    std::map<std::pair<int, int>, int> met;
    std::map<int, int> byes;
    std::map<int, std::int64_t> points;  // halves

    int times_met(int a, int b) const {
        const auto found = met.find(std::minmax(a, b));
        return found == met.end() ? 0 : found->second;
    }
};

Past before(const Simulation& simulation, int round, int games) {
    Past past;
    for (std::size_t i = 0; i < simulation.entrants.size(); ++i) {
        past.points[static_cast<int>(i)] = 0;
        past.byes[static_cast<int>(i)] = 0;
    }
    for (const RoundPlan& plan : simulation.plans) {
        if (plan.round >= round) continue;
        for (const PlannedPair& pair : plan.pairs) {
            if (pair.key.position == 1) {
                ++past.met[std::minmax(pair.players[0], pair.players[1])];
            }
        }
        for (const int bye : plan.byes) {
            ++past.byes[bye];
            past.points[bye] += 2 * games;
        }
    }
    for (const GameResult& result : simulation.results) {
        if (result.key.pair.round >= round || result.reason == Reason::Void) continue;
        for (int seat = 0; seat < 2; ++seat) {
            past.points[result.players[static_cast<std::size_t>(seat)]] +=
                !result.winner           ? 1
                : *result.winner == seat ? 2
                                         : 0;
        }
    }
    return past;
}

// The criteria of a pairing, most important first: second byes, rematches, the points of the
// player with the bye.
using Badness = std::tuple<int, int, std::int64_t>;

Badness least_badness(const Past& past, std::vector<int> left) {
    if (left.empty()) return {0, 0, 0};
    const int first = left.back();
    left.pop_back();
    Badness least{1 << 30, 0, 0};
    if (left.size() % 2 == 0) {
        auto [second, rematches, points] = least_badness(past, left);
        least = std::min(
            least, {second + past.byes.at(first), rematches, points + past.points.at(first)});
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
        std::vector<int> rest = left;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        auto [second, rematches, points] = least_badness(past, rest);
        least = std::min(least, {second, rematches + past.times_met(first, left[i]), points});
    }
    return least;
}

Badness badness(const Past& past, const RoundPlan& plan) {
    Badness sum{0, 0, 0};
    for (const PlannedPair& pair : plan.pairs) {
        if (pair.key.position == 1) {
            std::get<1>(sum) += past.times_met(pair.players[0], pair.players[1]);
        }
    }
    for (const int bye : plan.byes) {
        std::get<0>(sum) += past.byes.at(bye);
        std::get<2>(sum) += past.points.at(bye);
    }
    return sum;
}

TEST(Swiss, IsAsGoodAsTheBestOfAllPairingsOfEveryRound) {
    for (int players = 2; players <= 8; ++players) {
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            Simulation simulation(swiss(players, players + 2, seed), seed);
            simulation.run();
            ASSERT_EQ(simulation.plans.size(), static_cast<std::size_t>(players + 2));
            std::vector<int> all;
            for (int i = 0; i < players; ++i) all.push_back(i);
            for (const RoundPlan& plan : simulation.plans) {
                const Past past = before(simulation, plan.round, 2);
                const Badness got = badness(past, plan);
                ASSERT_EQ(got, least_badness(past, all)) << players << ", " << plan.round;
                EXPECT_EQ(plan.note.empty(), std::get<1>(got) == 0) << plan.note;
            }
        }
    }
}

TEST(Swiss, GivesEverybodyOnePairingOrAByeARound) {
    for (int players = 2; players <= 16; ++players) {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            Simulation simulation(swiss(players, 0, seed, 4), seed);
            simulation.void_share = 0.1;
            simulation.run();
            EXPECT_EQ(simulation.rebuilt()->total_games(), simulation.results.size());
            std::map<int, int> byes;
            for (const RoundPlan& plan : simulation.plans) {
                std::multiset<int> seen(plan.byes.begin(), plan.byes.end());
                for (const PlannedPair& pair : plan.pairs) {
                    EXPECT_LE(pair.key.position, 2);
                    if (pair.key.position > 1) continue;
                    seen.insert(pair.players.begin(), pair.players.end());
                }
                ASSERT_EQ(seen.size(), static_cast<std::size_t>(players));
                ASSERT_EQ(std::set<int>(seen.begin(), seen.end()).size(), seen.size());
                EXPECT_EQ(plan.byes.size(), static_cast<std::size_t>(players % 2));
                for (const int bye : plan.byes) ++byes[bye];
                EXPECT_EQ(plan.note, "");
            }
            for (const auto& [player, count] : byes) EXPECT_EQ(count, 1);
        }
    }
}

TEST(Swiss, PairsWithinScoreGroupsWhereItCan) {
    // The lower number wins, so after two rounds the 16 players form groups of 4, 8 and 4.
    Simulation simulation(swiss(16, 3), 1);
    simulation.play = [](const GameKey&, std::array<int, 2> players) {
        return players[0] < players[1] ? 0 : 1;
    };
    simulation.run();
    for (const RoundPlan& plan : simulation.plans) {
        const Past past = before(simulation, plan.round, 2);
        std::int64_t last = 1 << 30;
        for (const PlannedPair& pair : plan.pairs) {
            EXPECT_EQ(past.points.at(pair.players[0]), past.points.at(pair.players[1]));
            EXPECT_LE(past.points.at(pair.players[0]), last) << "the best are named first";
            last = past.points.at(pair.players[0]);
        }
    }
}

TEST(Swiss, MovesOnePlayerDownWhereAGroupIsOdd) {
    // 6 players: three with 4 halves, three with 0.
    Simulation simulation(swiss(6, 2), 1);
    simulation.play = [](const GameKey&, std::array<int, 2> players) {
        return players[0] < players[1] ? 0 : 1;
    };
    simulation.run();
    const Past past = before(simulation, 2, 2);
    std::multiset<std::int64_t> apart;
    for (const PlannedPair& pair : simulation.plans[1].pairs) {
        apart.insert(
            std::abs(past.points.at(pair.players[0]) - past.points.at(pair.players[1])));
    }
    EXPECT_EQ(apart, (std::multiset<std::int64_t>{0, 0, 4}));
}

TEST(Swiss, DrawsOtherLotsFromAnotherSeed) {
    Simulation one(swiss(16, 1, 1), 1);
    Simulation two(swiss(16, 1, 2), 1);
    one.run();
    two.run();
    EXPECT_NE(one.plans[0].pairs, two.plans[0].pairs);
}

TEST(Swiss, LetsLateJoinersBeginWithoutPoints) {
    Simulation simulation(swiss(8, 5), 1);
    simulation.run(2);
    simulation.join(3);
    simulation.join(4);
    simulation.run();
    ASSERT_EQ(simulation.plans.size(), 5u);
    EXPECT_EQ(simulation.plans[1].byes.size(), 0u);
    ASSERT_EQ(simulation.plans[2].byes.size(), 1u);
    EXPECT_EQ(simulation.plans[2].pairs.size(), 4u);
    EXPECT_EQ(simulation.plans[3].byes.size(), 0u);
    EXPECT_EQ(simulation.plans[3].pairs.size(), 5u);
    const Past past = before(simulation, 3, 2);
    for (const auto& [player, points] : past.points) {
        EXPECT_GE(points, past.points.at(simulation.plans[2].byes[0]));
    }
    EXPECT_EQ(simulation.rebuilt()->total_games(), simulation.results.size());
}

// The format is asked whenever a player joins.
TEST(Swiss, CountsTheGamesOfManyWhoJoinInManyRounds) {
    constexpr int kPlayers = 20'000;
    constexpr int kRounds = 400;
    const auto format = *make_format(swiss(2, kRounds));
    std::uint64_t games = 2 * kRounds;
    for (int player = 0; player < kPlayers; ++player) {
        // The last of each 401 joins after the last round.
        format->add({"", "", player < 2 ? 1 : 1 + player % (kRounds + 1)});
        ASSERT_GE(format->total_games(), games);
        games = *format->total_games();
    }
    std::uint64_t expected = 0;
    for (int round = 1; round <= kRounds; ++round) {
        std::uint64_t present = 0;
        for (int player = 0; player < kPlayers; ++player) {
            if (player < 2 || 1 + player % (kRounds + 1) <= round) ++present;
        }
        expected += 2 * (present / 2);
    }
    EXPECT_EQ(games, expected);
}

TEST(Swiss, PairsNoRematchAmongManyInNineRounds) {
    for (const int players : {64, 65, 200, 1001}) {
        Simulation simulation(swiss(players, 9), 1);
        EXPECT_EQ(simulation.rebuilt()->warning(), "");
        simulation.run();
        ASSERT_EQ(simulation.plans.size(), 9u);
        std::set<std::pair<int, int>> met;
        std::set<int> byes;
        for (const RoundPlan& plan : simulation.plans) {
            EXPECT_EQ(plan.pairs.size(), static_cast<std::size_t>(players / 2));
            EXPECT_EQ(plan.note, "");
            for (const PlannedPair& pair : plan.pairs) {
                EXPECT_TRUE(met.insert(std::minmax(pair.players[0], pair.players[1])).second);
            }
            for (const int bye : plan.byes) EXPECT_TRUE(byes.insert(bye).second);
        }
    }
}

TEST(Swiss, KeepsMeetingsInScoreGroupsAmongMany) {
    Simulation simulation(swiss(1000, 9), 1);
    simulation.run();
    for (const RoundPlan& plan : simulation.plans) {
        const Past past = before(simulation, plan.round, 2);
        int across = 0;
        for (const PlannedPair& pair : plan.pairs) {
            const auto apart =
                std::abs(past.points.at(pair.players[0]) - past.points.at(pair.players[1]));
            if (apart > 0) ++across;
        }
        // One float from group to group, and a few more at the ends of the table.
        std::set<std::int64_t> groups;
        for (const auto& [player, points] : past.points) groups.insert(points);
        EXPECT_LE(across, static_cast<int>(groups.size()) + 2);
    }
}

TEST(Swiss, SaysBeforehandWhereRematchesComeIn) {
    EXPECT_EQ((*make_format(swiss(8, 4)))->warning(), "");
    EXPECT_EQ((*make_format(swiss(8, 7)))->warning(),
              "swiss: 7 rounds among 8 players: from round 5 on, rematches may become "
              "unavoidable");
    EXPECT_EQ((*make_format(swiss(8, 8)))->warning(),
              "swiss: 8 rounds among 8 players: rematches cannot be avoided from round 8 on, "
              "when everybody has met everybody");
    EXPECT_EQ((*make_format(swiss(7, 8)))->warning(),
              "swiss: 8 rounds among 7 players: rematches cannot be avoided from round 8 on, "
              "when everybody has met everybody");
}

TEST(Swiss, NamesRematches) {
    Simulation simulation(swiss(2, 2), 1);
    simulation.run();
    EXPECT_EQ(simulation.plans[0].note, "");
    EXPECT_EQ(simulation.plans[1].note, "rematch: players 2 and 1");
}

TEST(Swiss, SpreadsRematchesEvenly) {
    Simulation simulation(swiss(4, 30), 1);
    simulation.run();
    const Past past = before(simulation, 31, 2);
    for (const auto& [who, times] : past.met) EXPECT_EQ(times, 10);
}

TEST(Swiss, PlaysAsManyRoundsAsItTakesToFindOneWinner) {
    for (const auto& [players, rounds] :
         std::map<int, std::size_t>{{2, 1}, {3, 2}, {4, 2}, {5, 3}, {64, 6}, {65, 7}}) {
        Simulation simulation(swiss(players, 0), 1);
        simulation.run();
        EXPECT_EQ(simulation.plans.size(), rounds);
    }
}

}  // namespace arena::swiss_test

// Round robin and gauntlet, and what all formats have in common.
#include "arena/contest/format.hpp"

#include "tests/arena/tournament_simulation.hpp"

namespace arena::formats_test {

using std::chrono::milliseconds;

// The number of pairs of games of two players, by their numbers in ascending order.
using Meetings = std::map<std::pair<int, int>, int>;
Meetings meetings(const std::vector<RoundPlan>& plans) {
    Meetings count;
    for (const RoundPlan& plan : plans) {
        for (const PlannedPair& pair : plan.pairs) {
            ++count[std::minmax(pair.players[0], pair.players[1])];
        }
    }
    return count;
}

TEST(LeastGames, ReachEachPosition) {
    const auto least = [](FormatKind kind, std::uint64_t positions, int rounds = 0) {
        FormatOptions options = options_for(kind, 5);
        (kind == FormatKind::Swiss ? options.rounds : options.cycles) = rounds;
        return least_games(options, positions);
    };
    EXPECT_EQ(least(FormatKind::Match, 3), 6u);
    EXPECT_EQ(least(FormatKind::Match, 0), 2u);
    EXPECT_EQ(least(FormatKind::Gauntlet, 3), 6u);
    EXPECT_EQ(least(FormatKind::RoundRobin, 3, 1), 6u);
    EXPECT_EQ(least(FormatKind::RoundRobin, 3, 2), 4u);
    EXPECT_EQ(least(FormatKind::RoundRobin, 3, 3), 2u);
    EXPECT_EQ(least(FormatKind::Swiss, 9, 4), 6u);
    EXPECT_EQ(least(FormatKind::Swiss, 9), 6u);  // 5 players: 3 rounds
    EXPECT_EQ(least(FormatKind::Knockout, 3), 2u);
    EXPECT_EQ(least(FormatKind::Ladder, 1000), 2u);
}

std::string refusal(const FormatOptions& options) {
    const auto format = make_format(options);
    return format ? "" : format.error().text;
}

TEST(RoundRobin, LetsEachMeetEachOnceInEveryCycle) {
    for (int players = 2; players <= 16; ++players) {
        for (const int cycles : {1, 2, 3}) {
            FormatOptions options = options_for(FormatKind::RoundRobin, players, 6);
            options.cycles = cycles;
            Simulation simulation(options, 1);
            simulation.run();
            const Meetings met = meetings(simulation.plans);
            EXPECT_EQ(met.size(), static_cast<std::size_t>(players * (players - 1) / 2));
            for (const auto& [who, times] : met) EXPECT_EQ(times, 3 * cycles);
            const std::size_t rounds =
                static_cast<std::size_t>(cycles * (players % 2 == 0 ? players - 1 : players));
            EXPECT_EQ(simulation.plans.size(), rounds) << players << " players";
            EXPECT_EQ(simulation.rebuilt()->total_games(), simulation.results.size());
        }
    }
}

TEST(RoundRobin, GivesEverybodyOneMeetingARoundAndNumbersPositionsThroughout) {
    Simulation simulation(options_for(FormatKind::RoundRobin, 7, 4), 1);
    simulation.run();
    for (const RoundPlan& plan : simulation.plans) {
        std::set<int> busy;
        std::set<std::pair<int, int>> positions;
        for (const PlannedPair& pair : plan.pairs) {
            positions.insert({pair.key.pairing, pair.key.position});
            busy.insert(pair.players.begin(), pair.players.end());
        }
        EXPECT_EQ(busy.size(), 6u);
        EXPECT_EQ(positions, (std::set<std::pair<int, int>>{
                                 {1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 1}, {3, 2}}));
    }
}

TEST(RoundRobin, BalancesFirstMovesWithinOneInACycle) {
    for (int players = 2; players <= 16; ++players) {
        Simulation simulation(options_for(FormatKind::RoundRobin, players), 1);
        simulation.run();
        std::map<int, int> surplus;
        for (const RoundPlan& plan : simulation.plans) {
            for (const PlannedPair& pair : plan.pairs) {
                ++surplus[pair.players[0]];
                --surplus[pair.players[1]];
            }
        }
        for (const auto& [player, more] : surplus) EXPECT_LE(std::abs(more), 1) << players;
    }
}

TEST(RoundRobin, PlansMillionsOfGamesSomeHundredAtATime) {
    const FormatOptions options = options_for(FormatKind::RoundRobin, 2, 1'000'000);
    auto format = *make_format(options);
    format->add({"a", "", 1});
    format->add({"b", "", 1});
    EXPECT_EQ(format->total_games(), 1'000'000u);
    int last = 0;
    std::vector<PlannedPair> waiting;
    for (;;) {
        const NextRound next = format->next(milliseconds(0));
        if (const auto* plan = std::get_if<RoundPlan>(&next)) {
            ASSERT_LE(plan->pairs.size(), 512u);
            for (const PlannedPair& pair : plan->pairs) ASSERT_EQ(pair.key.position, ++last);
            format->add(*plan);
            waiting.insert(waiting.end(), plan->pairs.begin(), plan->pairs.end());
            ASSERT_LE(waiting.size(), 2048u);
            continue;
        }
        if (std::holds_alternative<GameOver>(next)) break;
        for (const PlannedPair& pair : waiting) {
            format->add(GameResult{{pair.key, 1}, {0, 1}, 0, Reason::NoMoves});
            format->add(GameResult{{pair.key, 2}, {1, 0}, {}, Reason::Void});
        }
        waiting.clear();
    }
    EXPECT_EQ(last, 500'000);
}

TEST(RoundRobin, LetsLateJoinersMeetAllOthersAfterTheLastRound) {
    FormatOptions options = options_for(FormatKind::RoundRobin, 5, 4);
    options.cycles = 2;
    Simulation simulation(options, 1);
    simulation.run(3);
    simulation.join(4);
    simulation.run();
    simulation.join(static_cast<int>(simulation.plans.size()) + 1);
    simulation.run();
    const Meetings met = meetings(simulation.plans);
    EXPECT_EQ(met.size(), 7u * 6 / 2);
    for (const auto& [who, times] : met) EXPECT_EQ(times, 4);
    EXPECT_EQ(simulation.rebuilt()->total_games(), simulation.results.size());
}

TEST(Gauntlet, LetsOnlySeedsMeetTheRest) {
    for (int players = 2; players <= 12; ++players) {
        for (int seeds = 1; seeds < players; ++seeds) {
            FormatOptions options = options_for(FormatKind::Gauntlet, players, 4);
            options.seeds = seeds;
            Simulation simulation(options, 1);
            simulation.run(1);
            simulation.join(2);
            simulation.run();
            Meetings expected;
            for (int seed = 0; seed < seeds; ++seed) {
                for (int other = seeds; other <= players; ++other) expected[{seed, other}] = 2;
            }
            EXPECT_EQ(meetings(simulation.plans), expected);
            EXPECT_EQ(simulation.rebuilt()->total_games(), simulation.results.size());
        }
    }
}

// Whatever the order of results, and whether the rounds are played by one run or by one each.
TEST(Formats, ContinueFromTheRecord) {
    const auto play = [](const GameKey& key, std::array<int, 2>) -> std::optional<int> {
        const PairKey& pair = key.pair;
        switch ((pair.round * 7 + pair.pairing * 3 + pair.attempt + key.leg * 5) % 6) {
            case 1:
                return 1;
            case 4:
            case 5:
                return std::nullopt;
            default:
                return 0;
        }
    };
    for (const FormatKind kind :
         {FormatKind::RoundRobin, FormatKind::Gauntlet, FormatKind::Swiss, FormatKind::Knockout,
          FormatKind::Ladder}) {
        for (int players = 2; players <= 16; ++players) {
            SCOPED_TRACE(name(kind));
            SCOPED_TRACE(players);
            FormatOptions options = options_for(kind, players, 2, 1);
            options.budget = milliseconds(100);
            if (kind == FormatKind::Swiss) options.rounds = 4;
            Simulation whole(options, 5);
            whole.play = play;
            whole.time = [](const RoundPlan& plan) { return milliseconds(7 + plan.round % 3); };
            Simulation parts = whole;
            parts.shuffled = false;
            whole.run();
            for (std::size_t rounds = 0; rounds < whole.plans.size(); ++rounds) {
                ASSERT_EQ(parts.plans.size(), rounds);
                parts.run(1);
            }
            EXPECT_EQ(parts.plans, whole.plans);
            const auto again = parts.rebuilt();
            EXPECT_TRUE(std::holds_alternative<GameOver>(again->next(parts.spent)));
            EXPECT_EQ(again->rounds_reached(), whole.rebuilt()->rounds_reached());
        }
    }
}

TEST(Formats, AreNamed) {
    for (const char* text :
         {"round-robin", "gauntlet", "swiss", "knockout", "ladder", "match", "clinic"}) {
        const auto kind = parse_format_kind(text);
        ASSERT_TRUE(kind) << text;
        EXPECT_EQ(name(*kind), text);
    }
    EXPECT_EQ(parse_format_kind("swis").error().text,
              "read 'swis', expected round-robin, gauntlet, swiss, knockout, ladder, match, "
              "clinic, did "
              "you mean 'swiss'?");
}

TEST(Formats, RefuseNumbersThatMakeNoSense) {
    FormatOptions options = options_for(FormatKind::Match, 3);
    EXPECT_EQ(refusal(options), "players: read 3, expected 2: those of a match");
    options = options_for(FormatKind::RoundRobin, 1);
    EXPECT_EQ(refusal(options), "players: read 1, expected 2 to 20000");
    options = options_for(FormatKind::RoundRobin, 4, 3);
    EXPECT_EQ(
        refusal(options),
        "--games: read 3, expected an even number from 2 to 10000000, since games of a pairing "
        "come in pairs, sides swapped");
    options = options_for(FormatKind::RoundRobin, 4);
    options.cycles = 0;
    EXPECT_EQ(refusal(options), "--cycles: read 0, expected 1 to 1000");
    options = options_for(FormatKind::RoundRobin, 20'000, 10'000'000);
    options.cycles = 1000;
    EXPECT_EQ(refusal(options),
              "--games: read numbers that come to 1999900000000000000 games in all, expected "
              "1000000000 at the most");
    options = options_for(FormatKind::Gauntlet, 4);
    options.seeds = 4;
    EXPECT_EQ(refusal(options),
              "--seeds: read 4, expected 1 to 3, so that some are left to meet");
    options = options_for(FormatKind::Swiss, 4);
    options.rounds = 401;
    EXPECT_EQ(refusal(options),
              "--rounds: read 401, expected 1 to 400, or 0 for as few as it takes");
    options = options_for(FormatKind::Ladder, 4);
    EXPECT_EQ(refusal(options), "--budget: read 0 ms, expected a time to be filled with games");
    options = options_for(FormatKind::Knockout, 4, 500'002);
    EXPECT_EQ(
        refusal(options),
        "--games: read 500002 a pairing among 4 players, expected 500000 at the most, since "
        "a round is planned whole");
}

}  // namespace arena::formats_test

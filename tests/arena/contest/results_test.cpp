#include "arena/contest/results.hpp"

#include "tests/arena/tournament_simulation.hpp"

namespace arena::results_test {

using namespace testing;

// Plays pairings of two games by hand.
class Table {
  public:
    explicit Table(int players) : standings_(2) {
        for (int i = 0; i < players; ++i)
            standings_.add({std::string(1, "ABCDEFGH"[i]), "", 1});
    }

    // `results`: for each game the result of the player who moves first in the first game: '1',
    // '0', '=' a draw, 'v' void, 't' lost on time.
    void meet(int first, int second, const std::string& results, int attempt = 1) {
        ++round_;
        RoundPlan plan;
        plan.round = round_;
        plan.attempt = attempt;
        plan.pairs.push_back({{1, round_, 1, 1, attempt}, {first, second}, {}});
        standings_.add(plan);
        for (std::size_t leg = 0; leg < results.size(); ++leg) {
            GameResult result{{plan.pairs[0].key, static_cast<int>(leg) + 1},
                              {first, second},
                              {},
                              Reason::NoMoves};
            if (leg == 1) std::swap(result.players[0], result.players[1]);
            const int seat = static_cast<int>(leg);  // of that player
            if (results[leg] == '1') result.winner = seat;
            if (results[leg] == '0' || results[leg] == 't') result.winner = 1 - seat;
            if (results[leg] == 't') result.reason = Reason::Timeout;
            if (results[leg] == 'v') result.reason = Reason::Void;
            standings_.add(result);
        }
    }

    void bye(int player) {
        RoundPlan plan;
        plan.round = ++round_;
        plan.byes = {player};
        standings_.add(plan);
    }

    const Results& standings() const { return standings_; }
    // Players with their ranks, such as "A 1, B 2".
    std::string ranks(const std::vector<int>& reached = {}) const {
        std::string text;
        for (const Standing& standing : standings_.table(reached)) {
            text += (text.empty() ? "" : ", ") + std::string(1, "ABCDEFGH"[standing.player]) +
                    ' ' + std::to_string(standing.rank);
        }
        return text;
    }

  private:
    Results standings_;
    int round_ = 0;
};

// By player, not by rank.
template <typename Member>
std::vector<double> column(const Results& standings, Member member) {
    std::vector<double> values(standings.table().size());
    for (const Standing& standing : standings.table()) {
        values[static_cast<std::size_t>(standing.player)] =
            static_cast<double>(standing.*member);
    }
    return values;
}

TEST(Results, AgreeWithThePublishedExampleOfSonnebornBerger) {
    // Sensei's Library, "Sonneborn-Berger": four players, each two games against each.
    Table published(4);
    published.meet(0, 1, "10");
    published.meet(0, 2, "11");
    published.meet(0, 3, "10");
    published.meet(1, 2, "10");
    published.meet(1, 3, "11");
    published.meet(2, 3, "11");
    const Results& standings = published.standings();
    EXPECT_THAT(column(standings, &Standing::points), ElementsAre(4, 4, 3, 1));
    EXPECT_THAT(column(standings, &Standing::sonneborn_berger), ElementsAre(11, 9, 6, 4));
    EXPECT_EQ(published.ranks(), "A 1, B 2, C 3, D 4");
}

TEST(Results, CountPointsGamesAndFaults) {
    Table table(3);
    table.meet(0, 1, "1=");
    table.meet(0, 2, "tv");
    table.meet(1, 2, "t1");
    const auto standings = table.standings().table();
    const Standing& a = *std::ranges::find(standings, 0, &Standing::player);
    EXPECT_EQ(a.points, 1.5);
    EXPECT_EQ(a.games, 3);
    EXPECT_EQ(a.wins, 1);
    EXPECT_EQ(a.draws, 1);
    EXPECT_EQ(a.losses, 1);
    ASSERT_THAT(a.faults, ElementsAre(Key(Reason::Timeout)));
    EXPECT_EQ(a.faults.at(Reason::Timeout).games, 1);
    const Standing& c = *std::ranges::find(standings, 2, &Standing::player);
    EXPECT_EQ(c.points, 2);
    EXPECT_EQ(c.games, 3);
    EXPECT_TRUE(c.faults.empty());
}

TEST(Results, TellWhatTwoGotFromEachOther) {
    Table table(3);
    table.meet(1, 0, "1=");
    table.meet(0, 1, "1v");
    const PairScore seen = table.standings().encounter(0, 1);
    EXPECT_EQ(seen.meetings, 2);
    EXPECT_EQ(seen.games, 3);
    EXPECT_EQ(seen.points, 1.5);
    EXPECT_EQ(table.standings().encounter(1, 0).points, 1.5);
    EXPECT_EQ(table.standings().encounter(0, 2).games, 0);
}

TEST(Results, AddTheOpponentsPointsOnceAPairingForBuchholz) {
    // 4 players, two rounds: A beats B and C, D beats C; B and D draw.
    Table table(4);
    table.meet(0, 1, "11");
    table.meet(2, 3, "00");
    table.meet(0, 2, "11");
    table.meet(1, 3, "==");
    const Results& standings = table.standings();
    EXPECT_THAT(column(standings, &Standing::points), ElementsAre(4, 1, 0, 3));
    EXPECT_THAT(column(standings, &Standing::buchholz),
                ElementsAre(1 + 0, 4 + 3, 3 + 4, 0 + 1));
    EXPECT_THAT(column(standings, &Standing::sonneborn_berger),
                ElementsAre(2 * 1 + 2 * 0, 1 * 3, 0, 2 * 0 + 1 * 1));
}

TEST(Results, CountAByeAsWonAgainstAnEqual) {
    Table table(3);
    table.meet(0, 1, "11");
    table.bye(2);
    table.meet(0, 2, "10");
    table.bye(1);
    const Results& standings = table.standings();
    EXPECT_THAT(column(standings, &Standing::points), ElementsAre(3, 2, 3));
    EXPECT_THAT(column(standings, &Standing::byes), ElementsAre(0, 1, 1));
    EXPECT_THAT(column(standings, &Standing::buchholz), ElementsAre(2 + 3, 3 + 2, 3 + 3));
    EXPECT_THAT(column(standings, &Standing::sonneborn_berger),
                ElementsAre(2 * 2 + 1 * 3, 2 * 2, 1 * 3 + 2 * 3));
}

TEST(Results, CompareGamesBetweenEqualsLast) {
    // A round robin in which A and B are equal by points and Sonneborn-Berger.
    Table table(4);
    table.meet(1, 0, "0=");
    table.meet(0, 2, "=0");
    table.meet(0, 3, "10");
    table.meet(1, 2, "10");
    table.meet(1, 3, "1=");
    table.meet(2, 3, "1=");
    EXPECT_THAT(column(table.standings(), &Standing::points), ElementsAre(3, 3, 4, 2));
    EXPECT_THAT(column(table.standings(), &Standing::sonneborn_berger),
                ElementsAre(8.5, 8.5, 10.5, 6.5));
    EXPECT_THAT(column(table.standings(), &Standing::head_to_head), ElementsAre(1, -1, 0, 0));
    EXPECT_EQ(table.ranks(), "C 1, A 2, B 3, D 4");

    Table equal(4);
    equal.meet(0, 1, "01");
    equal.meet(2, 3, "10");
    EXPECT_EQ(equal.ranks(), "A 1, B 1, C 1, D 1") << "not all of them have met";
}

TEST(Results, RankAKnockoutByTheRoundReached) {
    Table table(4);
    table.meet(0, 3, "10");
    table.meet(0, 3, "00", 2);
    table.meet(1, 2, "11");
    table.meet(1, 3, "01");
    EXPECT_EQ(table.ranks({1, 3, 1, 2}), "B 1, D 2, A 3, C 3");
    EXPECT_EQ(table.standings().encounter(0, 3).meetings, 1) << "a replay is none";
}

TEST(Results, GiveASingleRoundRobinAllOtherPointsForBuchholz) {
    FormatOptions options;
    options.players = 9;
    Simulation simulation(options, 1);
    simulation.run();
    Results standings(2);
    for (const Entrant& entrant : simulation.entrants) standings.add(entrant);
    for (const GameResult& result : simulation.results) standings.add(result);
    for (const RoundPlan& plan : simulation.plans) standings.add(plan);
    for (const Standing& standing : standings.table()) {
        EXPECT_EQ(standing.buchholz, 9 * 8 - standing.points);
    }
}

// The tie-breaks computed game by game.
TEST(Results, AgreeWithSumsOverAllGames) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        FormatOptions options;
        options.kind = FormatKind::Swiss;
        options.players = 5 + static_cast<int>(seed);
        options.games = 4;
        options.rounds = 4;
        Simulation simulation(options, seed);
        simulation.void_share = 0.1;
        simulation.run();
        Results standings(4);
        for (const Entrant& entrant : simulation.entrants) standings.add(entrant);
        for (const RoundPlan& plan : simulation.plans) standings.add(plan);
        for (const GameResult& result : simulation.results) standings.add(result);

        std::vector<double> points(simulation.entrants.size(), 0);
        for (const RoundPlan& plan : simulation.plans) {
            for (const int bye : plan.byes) points[static_cast<std::size_t>(bye)] += 4;
        }
        const auto score = [](const GameResult& result, int seat) {
            return result.reason == Reason::Void ? 0.0
                   : !result.winner              ? 0.5
                                                 : double(*result.winner == seat);
        };
        for (const GameResult& result : simulation.results) {
            for (const int seat : {0, 1}) {
                points[static_cast<std::size_t>(
                    result.players[static_cast<std::size_t>(seat)])] += score(result, seat);
            }
        }
        std::vector<double> buchholz(points.size(), 0);
        std::vector<double> sonneborn_berger(points.size(), 0);
        for (const RoundPlan& plan : simulation.plans) {
            for (const int bye : plan.byes) {
                const auto i = static_cast<std::size_t>(bye);
                buchholz[i] += points[i];
                sonneborn_berger[i] += 4 * points[i];
            }
        }
        for (const GameResult& result : simulation.results) {
            for (const int seat : {0, 1}) {
                const auto me = static_cast<std::size_t>(result.players[seat == 0 ? 0 : 1]);
                const auto other = static_cast<std::size_t>(result.players[seat == 0 ? 1 : 0]);
                buchholz[me] += points[other] / 4;  // a pairing has four games
                sonneborn_berger[me] += score(result, seat) * points[other];
            }
        }
        EXPECT_EQ(column(standings, &Standing::points), points);
        EXPECT_EQ(column(standings, &Standing::buchholz), buchholz);
        EXPECT_EQ(column(standings, &Standing::sonneborn_berger), sonneborn_berger);
        int last = 0;
        for (const Standing& standing : standings.table()) {
            EXPECT_GE(standing.rank, last);
            last = standing.rank;
        }
    }
}

TEST(Results, CountCompletePairsFromBothSides) {
    const auto game = [](int pair, int leg, std::optional<int> winner,
                         Reason reason = Reason::NoMoves) {
        GameResult result{{{1, 1, 1, pair, 1}, leg}, {3, 1}, winner, reason};
        if (leg == 2) result.players = {1, 3};
        return result;
    };
    Results tally(2);
    for (int i = 0; i < 4; ++i) tally.add(Entrant{});
    const auto pairs_of = [&](std::size_t player) { return tally.players()[player].pairs; };
    tally.add(game(1, 2, 1));  // won by 3
    EXPECT_EQ(pairs_of(1), PairCounts{});
    tally.add(game(2, 1, 0));
    tally.add(game(1, 1, 0));  // by 3 again
    tally.add(game(2, 2, std::nullopt));
    tally.add(game(3, 1, 0));
    tally.add(game(3, 2, std::nullopt, Reason::Void));  // the pair tells nothing
    EXPECT_EQ(pairs_of(1), (PairCounts{1, 1, 0, 0, 0}));
    EXPECT_EQ(pairs_of(3), (PairCounts{0, 0, 0, 1, 1}));
    EXPECT_EQ(pairs_of(2), PairCounts{});
}

TEST(Results, AverageTheThinkingTimeOfMoves) {
    Results results(2);
    for (int i = 0; i < 2; ++i) results.add(Entrant{});
    EXPECT_EQ(results.players()[0].thinking_time(), std::nullopt);
    GameResult result{{{1, 1, 1, 1, 1}, 1}, {0, 1}, 0, Reason::NoMoves};
    result.set_times({Microseconds(1000), Microseconds(500), Microseconds(4000)}, 3);
    results.add(result);
    result.reason = Reason::Void;  // tells nothing
    result.winner.reset();
    result.key.leg = 2;
    results.add(result);
    EXPECT_EQ(results.players()[0].thinking_time(), 2.5);
    EXPECT_EQ(results.players()[1].thinking_time(), 0.5);
}

}  // namespace arena::results_test

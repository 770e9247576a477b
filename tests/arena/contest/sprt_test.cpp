#include "arena/contest/sprt.hpp"

#include <cmath>
#include <limits>

#include "arena/contest/accuracy.hpp"

namespace arena::sprt_test {

using Cells = std::array<double, 5>;
constexpr Cells kScores{0, 0.25, 0.5, 0.75, 1};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ---- the same likelihood by another road ----

// The maximum of the sum of seen_i log p_i over distributions p with this mean and variance:
// empirical likelihood with two conditions, by Newton's method on its convex dual (Owen, 1988).
// -infinity if there is no such distribution.
double likelihood_with(double mean, double variance, const Cells& seen) {
    double a = 0, b = 0;  // the multipliers
    const auto value = [&](double u, double v) {
        double sum = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            const double off = kScores[i] - mean;
            const double share = 1 + u * off + v * (off * off - variance);
            if (share <= 0) return kInfinity;
            sum -= seen[i] * std::log(share);
        }
        return sum;
    };
    double last = value(a, b);
    for (int step = 0; step < 200; ++step) {
        double ga = 0, gb = 0, aa = 0, ab = 0, bb = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            const double off = kScores[i] - mean;
            const double square = off * off - variance;
            const double share = 1 + a * off + b * square;
            ga -= seen[i] * off / share;
            gb -= seen[i] * square / share;
            aa += seen[i] * off * off / share / share;
            ab += seen[i] * off * square / share / share;
            bb += seen[i] * square * square / share / share;
        }
        const double determinant = aa * bb - ab * ab;
        if (!(determinant > 0)) return -kInfinity;
        const double da = (ga * bb - gb * ab) / determinant;
        const double db = (gb * aa - ga * ab) / determinant;
        if (std::abs(da) + std::abs(db) < 1e-12) break;
        double share = 1;
        while (share > 1e-12 && !(value(a - share * da, b - share * db) <= last)) share /= 2;
        a -= share * da;
        b -= share * db;
        last = value(a, b);
        if (last < -1e3) return -kInfinity;  // unbounded below: no such distribution
    }
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) sum += seen[i] * std::log(seen[i]);
    return sum + last;
}

// The maximum over all means; the mean determines the variance, as their ratio is given.
double slow_likelihood(double t, const Cells& seen) {
    const auto at = [&](double mean) {
        const double deviation = (mean - 0.5) / t;
        return likelihood_with(mean, deviation * deviation, seen);
    };
    double best = -kInfinity, where = 0.5;
    for (double off = 2e-3; off < 0.5; off += 2e-3) {
        const double mean = 0.5 + std::copysign(off, t);
        if (const double here = at(mean); here > best) best = here, where = mean;
    }
    for (double step = 2e-3; step > 1e-11; step /= 2) {
        for (const double mean : {where - step, where + step}) {
            if (const double here = at(mean); here > best) best = here, where = mean;
        }
    }
    return best;
}

double slow_ratio(const PairCounts& counts, double elo0, double elo1) {
    Cells seen{};
    double pairs = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        seen[i] = counts[i] == 0 ? 1e-3 : static_cast<double>(counts[i]);
        pairs += seen[i];
    }
    for (double& share : seen) share /= pairs;
    const double scale = std::sqrt(2.0) / kNormalizedElo;
    return pairs * (slow_likelihood(elo1 * scale, seen) - slow_likelihood(elo0 * scale, seen));
}

TEST(Sprt, AgreesWithPublishedRatios) {
    // The example of OpenBench's stats.py.
    EXPECT_NEAR(log_likelihood_ratio({39, 8843, 26675, 9240, 44}, 0.5, 2.5), 2.941675, 1e-5);
    // tests/sprt_test.cpp of fastchess, to its three digits.
    EXPECT_NEAR(log_likelihood_ratio({365, 16618, 36229, 16974, 390}, 0, 2), 2.25, 0.01);
    EXPECT_NEAR(log_likelihood_ratio({127, 4883, 10712, 5150, 104}, -1.75, 0.25), 3.01, 0.01);
}

TEST(Sprt, AgreesWithASlowComputation) {
    const PairCounts cases[] = {{10, 20, 40, 22, 8},
                                {100, 3, 50, 1, 90},
                                {30, 0, 50, 0, 45},
                                {1, 2, 3, 4, 5},
                                {0, 0, 0, 0, 104}};
    for (const PairCounts& counts : cases) {
        for (const auto& [elo0, elo1] : {std::pair{-20.0, 20.0}, {5.0, 30.0}, {-60.0, -10.0}}) {
            const double slow = slow_ratio(counts, elo0, elo1);
            EXPECT_NEAR(log_likelihood_ratio(counts, elo0, elo1), slow,
                        1e-4 + std::abs(slow) * 1e-4);
        }
    }
}

TEST(Sprt, IsAlwaysFinite) {
    std::mt19937_64 random(11);
    for (int round = 0; round < 3000; ++round) {
        PairCounts counts{};
        for (auto& count : counts) {
            if (random() % 2 == 0) count = random() % (std::uint64_t{1} << (random() % 20));
        }
        const double elo0 = static_cast<double>(random() % 400) - kMostElo;
        const double elo1 = std::min(elo0 + 1 + static_cast<double>(random() % 50), kMostElo);
        const TestState state = judge(TestSetting{elo0, elo1, 0.05, 0.05}, counts);
        EXPECT_TRUE(std::isfinite(state.ratio))
            << elo0 << " " << elo1 << ": " << counts[0] << " " << counts[1] << " " << counts[2]
            << " " << counts[3] << " " << counts[4];
    }
}

TEST(Sprt, SaysWhereNoDifferenceWasSeen) {
    const TestSetting test{0, 10, 0.05, 0.05};
    const TestState state = judge(test, {0, 0, 50, 0, 0});
    EXPECT_TRUE(state.no_difference);
    EXPECT_TRUE(std::isfinite(state.ratio));
    EXPECT_EQ(state.verdict, TestVerdict::Open);
    // This must end, too.
    EXPECT_EQ(judge(test, {0, 0, 20000, 0, 0}).verdict, TestVerdict::H0);
    EXPECT_FALSE(judge(test, {0, 1, 50, 0, 0}).no_difference);
    EXPECT_EQ(judge(test, {}).ratio, 0);
    EXPECT_EQ(judge(test, {0, 0, 0, 0, 1000}).verdict, TestVerdict::H1);
    EXPECT_EQ(judge(test, {1000, 0, 0, 0, 0}).verdict, TestVerdict::H0);
}

// A distribution over the scores of a pair with this normalized Elo: `even`, shifted.
Cells with_normalized_elo(double elo) {
    const Cells even{0.15, 0.1, 0.5, 0.1, 0.15};
    double low = -0.1, high = 0.1;
    Cells moved{};
    for (int step = 0; step < 100; ++step) {
        const double by = (low + high) / 2;
        moved = {even[0] - by, even[1] - by / 2, even[2], even[3] + by / 2, even[4] + by};
        double mean = 0, square = 0;
        for (std::size_t i = 0; i < 5; ++i) mean += moved[i] * kScores[i];
        for (std::size_t i = 0; i < 5; ++i) square += moved[i] * std::pow(kScores[i] - mean, 2);
        const double here = kNormalizedElo * (mean - 0.5) / std::sqrt(2 * square);
        (here < elo ? low : high) = by;
    }
    return moved;
}

// The share of tests that accept H1 if the truth is `elo`.
double accepted(const TestSetting& test, double elo, int rounds, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const Cells shares = with_normalized_elo(elo);
    std::discrete_distribution<std::size_t> draw(shares.begin(), shares.end());
    int h1 = 0;
    for (int round = 0; round < rounds; ++round) {
        PairCounts counts{};
        TestState state;
        while (state.verdict == TestVerdict::Open) {
            ++counts[draw(random)];
            state = judge(test, counts);
        }
        h1 += state.verdict == TestVerdict::H1 ? 1 : 0;
    }
    return h1 / static_cast<double>(rounds);
}

TEST(Sprt, ErrsAsRarelyAsWasAskedFor) {
    const TestSetting test{0, 60, 0.05, 0.1};
    constexpr int kRounds = 400;
    const auto slack = [](double p) { return 3 * std::sqrt(p * (1 - p) / kRounds); };
    EXPECT_LE(accepted(test, 0, kRounds, 1), 0.05 + slack(0.05));
    EXPECT_LE(1 - accepted(test, 60, kRounds, 2), 0.1 + slack(0.1));
    EXPECT_LE(accepted(test, -60, kRounds / 4, 3), 0.01);
    EXPECT_GE(accepted(test, 120, kRounds / 4, 4), 0.99);
}

double error_h1(const TestSetting& test, double rate, int rounds, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::bernoulli_distribution errs(rate);
    int h1 = 0;
    for (int round = 0; round < rounds; ++round) {
        std::uint64_t decisions = 0, mistakes = 0;
        TestState state;
        while (state.verdict == TestVerdict::Open) {
            ++decisions;
            mistakes += errs(random) ? 1 : 0;
            state = judge(test, mistakes, decisions);
        }
        h1 += state.verdict == TestVerdict::H1 ? 1 : 0;
    }
    return h1 / static_cast<double>(rounds);
}

TEST(ErrorSprt, ErrsAsRarelyAsWasAskedFor) {
    constexpr int kRounds = 4000;
    const auto slack = [](double p) { return 3 * std::sqrt(p * (1 - p) / kRounds); };
    for (const TestSetting& test :
         {TestSetting{0.1, 0.05, 0.05, 0.1}, {0.02, 0.2, 0.01, 0.05}}) {
        const double wrong_h1 = error_h1(test, test.h0, kRounds, 1);
        const double wrong_h0 = 1 - error_h1(test, test.h1, kRounds, 2);
        EXPECT_LE(wrong_h1, test.alpha + slack(test.alpha));
        EXPECT_LE(wrong_h0, test.beta + slack(test.beta));
    }
}

// A player that makes random mistakes and sees the same few positions repeatedly.
TEST(ErrorSprt, HoldsItsBoundsWhereRepeatsAreLeftOut) {
    const TestSetting test{0.1, 0.3, 0.05, 0.05};
    constexpr int kRounds = 400;
    for (const double rate : {test.h0, test.h1}) {
        for (const std::uint64_t positions : {3, 30}) {
            std::mt19937_64 random(8);
            std::bernoulli_distribution errs(rate);
            int wrong = 0;
            for (int round = 0; round < kRounds; ++round) {
                DecisionCount count;
                TestState state;
                for (int i = 0; i < 2000 && state.verdict == TestVerdict::Open; ++i) {
                    count.add(std::to_string(random() % positions), errs(random));
                    const ErrorRate seen = count.error_rate();
                    state = judge(test, seen.mistakes, seen.decisions);
                }
                wrong += state.verdict == (rate == test.h0 ? TestVerdict::H1 : TestVerdict::H0);
            }
            EXPECT_LE(wrong / double(kRounds), 0.05 + 3 * std::sqrt(0.05 * 0.95 / kRounds))
                << rate << " in " << positions << " positions";
        }
    }
}

TEST(ErrorSprt, IsTheRatioOfTheLikelihoods) {
    const TestState state = judge(TestSetting{0.1, 0.3, 0.05, 0.05}, 2, 5);
    const double h0 = std::pow(0.1, 2) * std::pow(0.9, 3);
    const double h1 = std::pow(0.3, 2) * std::pow(0.7, 3);
    EXPECT_NEAR(state.ratio, std::log(h1 / h0), 1e-12);
    EXPECT_NEAR(state.bounds.low, -2.944, 0.001);
    EXPECT_NEAR(state.bounds.high, 2.944, 0.001);
    EXPECT_EQ(judge(TestSetting{0.1, 0.3, 0.05, 0.05}, 0, 0).ratio, 0);
}

TEST(Sprt, ReadsItsOption) {
    const auto elo = parse_elo_test("0,10.5,0.05,0.1");
    ASSERT_TRUE(elo);
    EXPECT_EQ(*elo, (TestSetting{0, 10.5, 0.05, 0.1}));
    EXPECT_EQ(*parse_elo_test(to_string(*elo)), *elo);
    const auto error = parse_error_test(" 0.1 , 0.02,0.05,0.05");
    ASSERT_TRUE(error);
    EXPECT_EQ(*error, (TestSetting{0.1, 0.02, 0.05, 0.05}));
    EXPECT_EQ(*parse_error_test(to_string(*error)), *error);
}

TEST(Sprt, SaysWhatIsWrongWithItsOption) {
    const std::string form = "elo0,elo1,alpha,beta such as 0,10,0.05,0.05 (normalized Elo)";
    const std::pair<const char*, std::string> cases[] = {
        {"", "read '', expected " + form},
        {"0,10", "read '0,10', expected " + form},
        {"0,10,0.05,0.05,1", "read '0,10,0.05,0.05,1', expected " + form},
        {"0,ten,0.05,0.05", "read 'ten', expected a number, in " + form},
        {"0,nan,0.05,0.05", "read 'nan', expected a number, in " + form},
        {"0,10,0,0.05", "read 'alpha 0', expected a probability above 0 and below 0.5"},
        {"0,10,0.05,0.5", "read 'beta 0.5', expected a probability above 0 and below 0.5"},
        {"10,0,0.05,0.05", "read '10,0', expected elo0 below elo1, both -200..200"},
        {"0,1e9,0.05,0.05", "read '0,1000000000', expected elo0 below elo1, both -200..200"},
    };
    for (const auto& [text, message] : cases) {
        const auto read = parse_elo_test(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().text, message);
    }
    EXPECT_EQ(parse_error_test("0.1,0.1,0.05,0.05").error().text,
              "read '0.1,0.1', expected two different rates");
    EXPECT_EQ(parse_error_test("0,0.1,0.05,0.05").error().text,
              "read '0', expected a rate of mistakes above 0 and below 1");
}

TEST(Sprt, TellsHowItStands) {
    EXPECT_EQ(to_string(judge(TestSetting{0, 10, 0.05, 0.05}, {}), "0, 10"),
              "LLR 0.00 (-2.94, 2.94) [0, 10]");
    EXPECT_EQ(to_string(judge(TestSetting{0, 10, 0.05, 0.05}, {0, 0, 1, 0, 0}), "0, 10"),
              "LLR -0.00 (-2.94, 2.94) [0, 10], no difference seen");
    EXPECT_EQ(to_string(judge(TestSetting{0.1, 0.3, 0.05, 0.05}, 20, 30), "0.1, 0.3"),
              "LLR 19.46 (-2.94, 2.94) [0.1, 0.3]: H1 accepted");
}

// ---- the order of the schedule ----

// Player 0 wins all first legs, and one second leg in three.
std::vector<GameResult> games_of(const RoundPlan& plan) {
    std::vector<GameResult> games;
    for (const PlannedPair& pair : plan.pairs) {
        const int position = pair.key.position;
        games.push_back({{pair.key, 1}, {0, 1}, 0, Reason::NoMoves});
        games.push_back({{pair.key, 2}, {1, 0}, position % 3 == 0 ? 1 : 0, Reason::NoMoves});
    }
    return games;
}

RoundPlan plan_of(int pairs) {
    RoundPlan plan;
    for (int i = 1; i <= pairs; ++i) plan.pairs.push_back({{1, 1, 1, i, 1}, {0, 1}, {}});
    return plan;
}

TEST(SequentialTest, ReadsPairsInTheOrderOfTheScheduleWhateverTheOrderOfCompletion) {
    std::mt19937_64 random(2);
    const RoundPlan plan = plan_of(40);
    auto games = games_of(plan);
    std::set<std::string> texts;
    for (int round = 0; round < 50; ++round) {
        std::ranges::shuffle(games, random);
        SequentialTest test("0,10,0.05,0.05", "");
        test.add(plan);
        std::map<int, int> played;  // by position
        std::uint64_t pairs = 0;    // that are complete, from the first one on
        for (const GameResult& game : games) {
            test.add(game, std::nullopt);
            ++played[game.key.pair.position];
            while (played[static_cast<int>(pairs) + 1] == 2) ++pairs;
            EXPECT_EQ(test.games_read(), 2 * pairs);
        }
        EXPECT_EQ(pairs, 40u);
        texts.insert(test.text());
    }
    EXPECT_EQ(texts.size(), 1u);
}

// Player 0 errs in both games of the first pair, and never again.
TEST(SequentialTest, IsDecidedByTheFirstPairAndTheDecisionsOfBothLegs) {
    std::mt19937_64 random(3);
    const RoundPlan plan = plan_of(20);
    auto games = games_of(plan);
    for (int round = 0; round < 50; ++round) {
        std::ranges::shuffle(games, random);
        SequentialTest test("", "0.1,0.5,0.05,0.05");
        test.add(plan);
        for (const GameResult& game : games) {
            const int position = game.key.pair.position;
            const auto number = 2 * position + game.key.leg;
            test.add(game, Decisions{{"nim:" + std::to_string(number), position == 1}});
        }
        // 2 log(0.5 / 0.1), above log(19).
        EXPECT_EQ(test.text(),
                  "LLR 3.22 (-2.94, 2.94) [0.1,0.5,0.05,0.05]: H1 accepted after 1 pair");
    }
}

TEST(SequentialTest, LeavesOutAGameThatComesTwice) {
    const RoundPlan plan = plan_of(20);
    SequentialTest once("0,10,0.05,0.05", "");
    SequentialTest twice("0,10,0.05,0.05", "");
    once.add(plan);
    twice.add(plan);
    for (const GameResult& game : games_of(plan)) {
        once.add(game, std::nullopt);
        for (int i = 0; i < 2; ++i) twice.add(game, std::nullopt);
        EXPECT_EQ(twice.games_read(), once.games_read());
    }
    EXPECT_EQ(twice.text(), once.text());
}

TEST(SequentialTest, CountsNoPairWithAVoidGameAndNoneThatIsNotPlanned) {
    SequentialTest test("0,10,0.05,0.05", "");
    test.add(plan_of(1));
    auto games = games_of(plan_of(2));
    games[1].reason = Reason::Void;
    games[1].winner.reset();
    for (const GameResult& game : games) test.add(game, std::nullopt);
    EXPECT_EQ(test.games_read(), 2u);
    EXPECT_EQ(test.text().substr(0, 9), "LLR 0.00 ");
}

}  // namespace arena::sprt_test

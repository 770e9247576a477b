#include "arena/contest/accuracy.hpp"

#include <cmath>

namespace arena::error_rate_test {

// P(X >= k) for X binomial.
double at_least(std::uint64_t k, std::uint64_t n, double p) {
    double sum = 0;
    for (std::uint64_t i = k; i <= n; ++i) {
        double term = 1;
        for (std::uint64_t j = 0; j < i; ++j) {
            term *= p * static_cast<double>(n - j) / static_cast<double>(j + 1);
        }
        sum += term * std::pow(1 - p, static_cast<double>(n - i));
    }
    return sum;
}

TEST(ClopperPearson, AgreesWithTables) {
    const Interval none = clopper_pearson(0, 10);
    EXPECT_EQ(none.low, 0);
    EXPECT_NEAR(none.high, 0.3085, 5e-5);
    const Interval one = clopper_pearson(1, 10);
    EXPECT_NEAR(one.low, 0.0025, 5e-5);
    EXPECT_NEAR(one.high, 0.4450, 5e-5);
    const Interval half = clopper_pearson(5, 10);
    EXPECT_NEAR(half.low, 0.1871, 5e-5);
    EXPECT_NEAR(half.high, 0.8129, 5e-5);
    EXPECT_EQ(clopper_pearson(10, 10).high, 1);
    EXPECT_EQ(clopper_pearson(0, 0), (Interval{0, 1}));
}

TEST(ClopperPearson, LeavesTheTailsItShould) {
    for (const std::uint64_t n : {1, 7, 30}) {
        for (std::uint64_t k = 0; k <= n; ++k) {
            const Interval interval = clopper_pearson(k, n);
            if (k > 0) {
                EXPECT_NEAR(at_least(k, n, interval.low), 0.025, 1e-9);
            }
            if (k < n) {
                EXPECT_NEAR(1 - at_least(k + 1, n, interval.high), 0.025, 1e-9);
            }
        }
    }
}

TEST(ErrorRate, CountsMistakesAmongDecisions) {
    DecisionCount count;
    for (int i = 0; i < 25; ++i) count.add("position " + std::to_string(i), i < 3);
    const ErrorRate rate = count.error_rate();
    EXPECT_EQ(rate.decisions, 25u);
    EXPECT_EQ(rate.mistakes, 3u);
    EXPECT_EQ(rate.rate, 0.12);
    EXPECT_EQ(rate.interval, clopper_pearson(3, 25));
    EXPECT_EQ(to_string(rate), "0.12 [0.03, 0.31]");
    EXPECT_EQ(to_string(DecisionCount().error_rate()), "unknown");
}

TEST(ErrorRate, IsNotNarrowedByRepeats) {
    DecisionCount once, often;
    for (int i = 0; i < 20; ++i) {
        const std::string position = std::to_string(i);
        once.add(position, i % 5 == 0);
        for (int again = 0; again < 50; ++again) often.add(position, i % 5 == 0);
    }
    EXPECT_EQ(often.error_rate().interval, once.error_rate().interval);
    EXPECT_EQ(often.error_rate().repeats, 20u * 49u);
    EXPECT_EQ(often.decisions(), 1000u);
    EXPECT_EQ(often.mistakes(), 200u);
}

TEST(ErrorRate, CountsEveryDecisionOfAPlayerThatVaries) {
    DecisionCount count;
    for (int i = 0; i < 10; ++i) count.add("here", i == 4);
    EXPECT_EQ(count.error_rate().decisions, 10u);
    EXPECT_EQ(count.error_rate().mistakes, 1u);
    EXPECT_EQ(count.error_rate().repeats, 0u);
}

TEST(ErrorRate, RemembersABoundedNumberOfPositions) {
    DecisionCount count;
    const std::uint64_t extra = 1000;
    for (std::uint64_t i = 0; i < DecisionCount::kMaxPositions + extra; ++i) {
        count.add(std::to_string(i), i % 2 == 0);
    }
    const ErrorRate rate = count.error_rate();
    EXPECT_EQ(rate.decisions, DecisionCount::kMaxPositions);
    EXPECT_EQ(rate.beyond, extra);
    EXPECT_EQ(rate.mistakes, DecisionCount::kMaxPositions / 2);
}

constexpr int kRounds = 200;

// How often the interval holds the truth: at random in every decision, where there are many
// positions or few; or once for each position.
double coverage(double truth, int positions, int decisions, bool deterministic) {
    std::mt19937_64 random(9);
    std::bernoulli_distribution errs(truth);
    int held = 0;
    for (int round = 0; round < kRounds; ++round) {
        std::vector<bool> wrong(static_cast<std::size_t>(positions));
        for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] = errs(random);
        DecisionCount count;
        for (int i = 0; i < decisions; ++i) {
            const auto position = random() % wrong.size();
            const bool mistake = deterministic ? wrong[position] : errs(random);
            count.add(std::to_string(position), mistake);
        }
        const Interval interval = count.error_rate().interval;
        held += interval.low <= truth && truth <= interval.high ? 1 : 0;
    }
    return held / static_cast<double>(kRounds);
}

TEST(ErrorRate, IntervalsHoldTheTruth) {
    const double slack = 3 * std::sqrt(0.05 * 0.95 / kRounds);
    for (const double truth : {0.02, 0.12, 0.5}) {
        for (const int positions : {1, 5, 40, 1000}) {
            for (const int decisions : {10, 150}) {
                EXPECT_GE(coverage(truth, positions, decisions, false), 0.95 - slack)
                    << truth << " at random, " << positions << " positions, " << decisions;
                EXPECT_GE(coverage(truth, positions, decisions, true), 0.95 - slack)
                    << truth << " deterministic, " << positions << ", " << decisions;
            }
        }
    }
}

}  // namespace arena::error_rate_test

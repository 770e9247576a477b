#include "arena/contest/pentanomial.hpp"

#include <cmath>

namespace arena::pentanomial_test {

double half_width(const std::optional<Interval>& interval) {
    return interval ? (interval->high - interval->low) / 2 : NAN;
}

// The values of fastchess (tests/elo_test.cpp) for these pairs, without our virtual draw.
TEST(Pentanomial, AgreesWithPublishedNumbers) {
    struct Case {
        PairCounts pairs;
        double normalized, normalized_error, elo, elo_error, superiority;
    };
    const Case cases[] = {
        {{34, 54, 63, 64, 75}, 57.94, 28.28, 55.58, 27.65, 1.0000},
        {{332, 433, 498, 333, 334}, -9.17, 10.96, -8.64, 10.33, 0.0505},
        {{7895, 8757, 5685, 568, 9999}, -19.01, 2.65, -21.04, 2.95, 0},
    };
    for (const Case& row : cases) {
        const PairStatistics seen = pair_statistics(row.pairs);
        EXPECT_NEAR(seen.normalized_elo, row.normalized, std::abs(row.normalized) * 0.01);
        EXPECT_NEAR(half_width(seen.normalized_interval), row.normalized_error, 0.05);
        EXPECT_NEAR(seen.elo, row.elo, std::abs(row.elo) * 0.01);
        EXPECT_NEAR(half_width(seen.elo_interval), row.elo_error, row.elo_error * 0.01);
        EXPECT_NEAR(seen.superiority, row.superiority, 5e-4);
        EXPECT_FALSE(seen.no_difference);
    }
}

TEST(Pentanomial, SaysWhereNoDifferenceWasSeen) {
    for (const std::uint64_t pairs : {0, 1, 1000}) {
        const PairStatistics seen = pair_statistics({0, 0, pairs, 0, 0});
        EXPECT_TRUE(seen.no_difference);
        EXPECT_EQ(seen.pairs, pairs);
        EXPECT_EQ(seen.elo, 0);
        EXPECT_FALSE(seen.elo_interval);
        EXPECT_FALSE(seen.normalized_interval);
        EXPECT_EQ(seen.superiority, 0.5);
    }
}

TEST(Pentanomial, IsFiniteWhereAllPairsWereWon) {
    for (const std::uint64_t pairs : {1, 10, 1000000}) {
        const PairStatistics won = pair_statistics({0, 0, 0, 0, pairs});
        EXPECT_GT(won.elo, 0);
        EXPECT_TRUE(std::isfinite(won.elo) && std::isfinite(won.normalized_elo));
        ASSERT_TRUE(won.elo_interval && won.normalized_interval);
        EXPECT_TRUE(std::isfinite(won.elo_interval->high));
        const PairStatistics lost = pair_statistics({pairs, 0, 0, 0, 0});
        EXPECT_NEAR(lost.elo, -won.elo, 1e-9 * won.elo);
        EXPECT_NEAR(lost.superiority, 1 - won.superiority, 1e-12);
    }
}

TEST(Pentanomial, EloAndScoreAreInverse) {
    EXPECT_NEAR(elo_of_score(0.75), 190.85, 0.01);
    EXPECT_EQ(elo_of_score(0.5), 0);
    for (double elo = -900; elo <= 900; elo += 100) {
        EXPECT_NEAR(elo_of_score(1 / (1 + std::pow(10, -elo / 400))), elo, 1e-9);
    }
}

TEST(Pentanomial, IntervalsHoldTheTruth) {
    std::mt19937_64 random(5);
    const std::array<double, 5> shares{0.1, 0.15, 0.4, 0.2, 0.15};
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < 5; ++i) mean += shares[i] * static_cast<double>(i) / 4;
    for (std::size_t i = 0; i < 5; ++i) {
        square += shares[i] * std::pow(static_cast<double>(i) / 4 - mean, 2);
    }
    const double elo = elo_of_score(mean);
    const double normalized = kNormalizedElo * (mean - 0.5) / std::sqrt(2 * square);
    std::discrete_distribution<std::size_t> draw(shares.begin(), shares.end());
    int held = 0, normalized_held = 0;
    constexpr int kRounds = 2000;
    for (int round = 0; round < kRounds; ++round) {
        PairCounts counts{};
        for (int pair = 0; pair < 200; ++pair) ++counts[draw(random)];
        const PairStatistics seen = pair_statistics(counts);
        held += seen.elo_interval->low <= elo && elo <= seen.elo_interval->high;
        normalized_held += seen.normalized_interval->low <= normalized &&
                           normalized <= seen.normalized_interval->high;
    }
    EXPECT_NEAR(held / double(kRounds), 0.95, 0.015);
    EXPECT_NEAR(normalized_held / double(kRounds), 0.95, 0.015);
}

}  // namespace arena::pentanomial_test

// Distributions, whose Boost.Math headers stay out of ours, and pentanomial statistics. Both
// games of a pair start from one position with the sides swapped, which cancels the effects of
// the position and of moving first. The two games are not independent, so pairs are counted,
// not games.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace arena {

struct Interval {
    double low = 0;
    double high = 0;

    friend bool operator==(const Interval&, const Interval&) = default;
};

// The confidence level of all intervals.
inline constexpr double kConfidence = 0.95;
// Half the width of such an interval for a normal distribution: 1.96 standard deviations.
double confidence_deviations();

// P(X <= x) for a standard normal X.
double normal_cdf(double x);

// The exact interval of Clopper and Pearson (1934) for a probability, given `successes` in
// `trials`; [0, 1] without trials.
Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials);

// ---- pairs ----

// Pairs by the score of one of the players: [0] 0 points, [1] 1/2, [2] 1, [3] 1 1/2, [4] 2.
using PairCounts = std::array<std::uint64_t, 5>;

std::uint64_t total_pairs(const PairCounts& counts);

// Elo by the logistic curve, 400 points a factor of ten in the odds; `score` in (0, 1).
double elo_of_score(double score);

// Normalized Elo: (mean - 1/2) / sigma, with sigma the deviation of one game's score, times
// this (Van den Bergh, "Normalized Elo", 2020). It determines the number of games needed to see
// a difference, whatever the share of draws.
inline constexpr double kNormalizedElo = 347.43558552260146;  // 800 / ln 10

struct PairStatistics {
    std::uint64_t pairs = 0;
    // All pairs scored one point each: no difference was seen, and without spread there is no
    // bound on it. The numbers below are 0, and there are no intervals.
    bool no_difference = true;
    // With one virtual drawn game, so they are finite at 100 % too. Intervals: 95 %.
    double elo = 0;
    std::optional<Interval> elo_interval;  // delta method on the scale of Elo
    double normalized_elo = 0;
    std::optional<Interval> normalized_interval;
    double superiority = 0.5;  // LOS: the likelihood that this player is the better one
};

PairStatistics pair_statistics(const PairCounts& counts);

}  // namespace arena

// Distributions and their inverses, from Boost.Math, whose headers stay out of ours.
#pragma once

#include <cstdint>

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
// x with normal_cdf(x) == p, 0 < p < 1.
double normal_quantile(double p);

// The exact interval of Clopper and Pearson (1934) for a probability, given `successes` in
// `trials`; [0, 1] without trials.
Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials,
                         double confidence = kConfidence);

}  // namespace arena

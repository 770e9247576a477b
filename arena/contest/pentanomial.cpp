#include "arena/contest/pentanomial.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>

namespace arena {
namespace {

// Half a pair: one drawn game.
constexpr double kVirtualPairs = 0.5;

Interval around(double middle, double half_width) {
    return {middle - half_width, middle + half_width};
}

}  // namespace

double confidence_deviations() {
    return boost::math::quantile(boost::math::normal(), 0.5 + kConfidence / 2);
}

double normal_cdf(double x) { return boost::math::cdf(boost::math::normal(), x); }

Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials) {
    if (trials == 0) return {0, 1};
    using Binomial = boost::math::binomial;
    const double tail = (1 - kConfidence) / 2;
    const auto n = static_cast<double>(trials);
    const auto k = static_cast<double>(successes);
    return {successes == 0 ? 0 : Binomial::find_lower_bound_on_p(n, k, tail),
            successes == trials ? 1 : Binomial::find_upper_bound_on_p(n, k, tail)};
}

std::uint64_t total_pairs(const PairCounts& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double elo_of_score(double score) { return -400 * std::log10(1 / score - 1); }

PairStatistics pair_statistics(const PairCounts& counts) {
    PairStatistics result;
    result.pairs = total_pairs(counts);
    result.no_difference = result.pairs == counts[2];
    if (result.no_difference) return result;

    std::array<double, 5> weights{};
    std::ranges::copy(counts, weights.begin());
    weights[2] += kVirtualPairs;
    const double pairs = std::accumulate(weights.begin(), weights.end(), 0.0);
    // The score of a pair, on the scale 0..1.
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        mean += static_cast<double>(i) / 4 * weights[i] / pairs;
    }
    for (std::size_t i = 0; i < 5; ++i) {
        const double off = static_cast<double>(i) / 4 - mean;
        variance += off * off * weights[i] / pairs;
    }
    const double error = std::sqrt(variance / pairs);
    const double deviations = confidence_deviations();
    const double slope = 400 / std::log(10) / (mean * (1 - mean));
    result.elo = elo_of_score(mean);
    result.elo_interval = around(result.elo, deviations * error * slope);

    const double game_deviation = std::sqrt(2 * variance);
    result.normalized_elo = kNormalizedElo * (mean - 0.5) / game_deviation;
    result.normalized_interval =
        around(result.normalized_elo, deviations * kNormalizedElo / std::sqrt(2 * pairs));
    result.superiority = normal_cdf((mean - 0.5) / error);
    return result;
}

}  // namespace arena

#include "arena/contest/pentanomial.hpp"

#include <cmath>
#include <numeric>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>

namespace arena {
namespace {

// Half a pair: one drawn game.
constexpr double kVirtualPairs = 0.5;

// The variance of the score of a pair, on the scale 0..1.
struct Moments {
    double pairs = 0;
    double mean = 0.5;
    double variance = 0;
};

Moments moments(const PairCounts& counts, double virtual_pairs) {
    std::array<double, 5> weights{};
    for (std::size_t i = 0; i < 5; ++i) weights[i] = static_cast<double>(counts[i]);
    weights[2] += virtual_pairs;
    Moments result;
    result.pairs = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (result.pairs == 0) return result;
    result.mean = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        result.mean += static_cast<double>(i) / 4 * weights[i] / result.pairs;
    }
    for (std::size_t i = 0; i < 5; ++i) {
        const double off = static_cast<double>(i) / 4 - result.mean;
        result.variance += off * off * weights[i] / result.pairs;
    }
    return result;
}

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
    const Moments seen = moments(counts, 0);
    result.pairs = total_pairs(counts);
    result.mean = seen.mean;
    result.variance = seen.variance;
    result.no_difference = result.pairs == counts[2];
    if (result.no_difference) return result;

    const Moments drawn = moments(counts, kVirtualPairs);
    const double error = std::sqrt(drawn.variance / drawn.pairs);
    const double deviations = confidence_deviations();
    const double slope = 400 / std::log(10) / (drawn.mean * (1 - drawn.mean));
    result.elo = elo_of_score(drawn.mean);
    result.elo_interval = around(result.elo, deviations * error * slope);

    const double game_deviation = std::sqrt(2 * drawn.variance);
    result.normalized_elo = kNormalizedElo * (drawn.mean - 0.5) / game_deviation;
    result.normalized_interval =
        around(result.normalized_elo, deviations * kNormalizedElo / std::sqrt(2 * drawn.pairs));
    result.superiority = normal_cdf((drawn.mean - 0.5) / error);
    return result;
}

}  // namespace arena

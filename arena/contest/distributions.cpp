#include "arena/contest/distributions.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>

namespace arena {

double confidence_deviations() { return normal_quantile(0.5 + kConfidence / 2); }

double normal_cdf(double x) { return boost::math::cdf(boost::math::normal(), x); }

double normal_quantile(double p) { return boost::math::quantile(boost::math::normal(), p); }

Interval clopper_pearson(std::uint64_t successes, std::uint64_t trials, double confidence) {
    if (trials == 0) return {0, 1};
    using Binomial = boost::math::binomial;
    const double tail = (1 - confidence) / 2;
    const auto n = static_cast<double>(trials);
    const auto k = static_cast<double>(successes);
    return {successes == 0 ? 0 : Binomial::find_lower_bound_on_p(n, k, tail),
            successes == trials ? 1 : Binomial::find_upper_bound_on_p(n, k, tail)};
}

}  // namespace arena

#include "engine/heaps/wythoff_table.hpp"

#include "engine/base/wide.hpp"

namespace engine {

using protocol::Number;

namespace {

// k * phi <= x, which is 5k^2 <= (2x - k)^2 where 2x >= k.
bool fits(Number k, Number x) {
    const auto wide_k = static_cast<SignedWide>(k);
    const auto wide_x = static_cast<SignedWide>(x);
    return wide_x * wide_x - wide_x * wide_k - wide_k * wide_k >= 0;
}

}  // namespace

// A guess that is off by some units at most, put right.
Number floor_over_phi(Number x) {
    constexpr long double kOverPhi = 0.618033988749894848204586834365638118L;
    auto k = static_cast<Number>(static_cast<long double>(x) * kOverPhi);
    while (k > 0 && !fits(k, x)) --k;
    while (fits(k + 1, x)) ++k;
    return k;
}

// Among 1..n, floor((n + 1) / phi) numbers have the form A_k, the others A_k + k.
Number wythoff_partner(Number n) {
    if (n == 0) return 0;
    const Number smaller = floor_over_phi(n + 1);
    return wythoff_smaller(smaller) == n ? n + smaller : smaller;
}

Number wythoff_smaller(Number k) { return k + floor_over_phi(k); }

}  // namespace engine

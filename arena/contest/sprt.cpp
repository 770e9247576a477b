#include "arena/contest/sprt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/tools/roots.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/counted.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;
using Cells = std::array<double, 5>;

constexpr double kPrior = 1e-3;  // pairs, in a cell without any
constexpr Cells kScores{0, 0.25, 0.5, 0.75, 1};

// ---- the generalized likelihood ratio ----

// x with sum p_i a_i / (1 + x a_i) = 0: falls from +inf to -inf between its poles, as there are
// values a_i on both sides of 0 and every p_i is positive.
double secular_root(const Cells& shares, const Cells& values) {
    const auto f = [&](double x) {
        double sum = 0;
        for (std::size_t i = 0; i < 5; ++i) sum += shares[i] * values[i] / (1 + x * values[i]);
        return sum;
    };
    // The root is where no share exceeds 1: 1 + x a_i >= p_i.
    double low = -std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < 5; ++i) {
        if (values[i] > 0) low = std::max(low, (shares[i] - 1) / values[i]);
        if (values[i] < 0) high = std::min(high, (shares[i] - 1) / values[i]);
    }
    const double at_low = f(low), at_high = f(high);
    if (!(at_low > 0)) return low;
    if (!(at_high < 0)) return high;
    std::uintmax_t steps = 200;
    const auto [left, right] = boost::math::tools::toms748_solve(
        f, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(48), steps);
    return (left + right) / 2;
}

// The distribution with a mean `t` deviations above 1/2 that is nearest to the data. Each step
// linearizes the condition around the last distribution and solves it exactly.
Cells nearest_with(double t, const Cells& seen) {
    Cells fit;
    fit.fill(0.2);
    for (int step = 0; step < 100; ++step) {
        double mean = 0, square = 0;
        for (std::size_t i = 0; i < 5; ++i) mean += fit[i] * kScores[i];
        for (std::size_t i = 0; i < 5; ++i) square += fit[i] * std::pow(kScores[i] - mean, 2);
        const double deviation = std::sqrt(square);

        Cells values{};
        for (std::size_t i = 0; i < 5; ++i) {
            const double off = (mean - kScores[i]) / deviation;
            values[i] = kScores[i] - 0.5 - t * deviation * (1 + off * off) / 2;
        }
        const double x = secular_root(seen, values);
        double change = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            const double next = seen[i] / (1 + x * values[i]);
            change = std::max(change, std::abs(next - fit[i]));
            fit[i] = next;
        }
        if (change < 1e-12) break;
    }
    return fit;
}

// ---- reading ----

std::optional<double> parse_real(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Four numbers between commas; the last two are error probabilities.
Result<std::array<double, 4>> parse_four(std::string_view text, std::string_view form) {
    std::array<double, 4> numbers{};
    std::string_view rest = text;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto comma = rest.find(',');
        if ((comma == rest.npos) != (i == 3))
            return bad_input("read {}, expected {}", protocol::quoted(text), form);
        const std::string_view word = protocol::trim(rest.substr(0, comma));
        const auto number = parse_real(word);
        if (!number)
            return bad_input("read {}, expected a number, in {}", protocol::quoted(word), form);
        numbers[i] = *number;
        if (i < 3) rest.remove_prefix(comma + 1);
    }
    for (const std::size_t i : {2, 3}) {
        if (numbers[i] > 0 && numbers[i] < 0.5) continue;
        return bad_input("read '{} {}', expected a probability above 0 and below 0.5",
                         i == 2 ? "alpha" : "beta", numbers[i]);
    }
    return numbers;
}

Interval wald_bounds(double alpha, double beta) {
    return {std::log(beta / (1 - alpha)), std::log((1 - beta) / alpha)};
}

TestState judge(double ratio, double alpha, double beta) {
    TestState state;
    state.ratio = ratio;
    state.bounds = wald_bounds(alpha, beta);
    if (ratio <= state.bounds.low) state.verdict = TestVerdict::H0;
    if (ratio >= state.bounds.high) state.verdict = TestVerdict::H1;
    return state;
}

}  // namespace

double log_likelihood_ratio(const PairCounts& counts, double elo0, double elo1) {
    Cells seen{};
    for (std::size_t i = 0; i < 5; ++i) {
        seen[i] = counts[i] == 0 ? kPrior : static_cast<double>(counts[i]);
    }
    const double pairs = std::accumulate(seen.begin(), seen.end(), 0.0);
    for (double& share : seen) share /= pairs;
    // In deviations of a pair, of which there are sqrt(2) fewer than of a game.
    const double scale = std::sqrt(2.0) / kNormalizedElo;
    const Cells h0 = nearest_with(elo0 * scale, seen);
    const Cells h1 = nearest_with(elo1 * scale, seen);
    double ratio = 0;
    for (std::size_t i = 0; i < 5; ++i) ratio += seen[i] * std::log(h1[i] / h0[i]);
    return pairs * ratio;
}

TestState judge(const TestSetting& test, const PairCounts& counts) {
    if (total_pairs(counts) == 0) return judge(0, test.alpha, test.beta);
    const double ratio = log_likelihood_ratio(counts, test.h0, test.h1);
    TestState state = judge(ratio, test.alpha, test.beta);
    state.no_difference = total_pairs(counts) == counts[2];
    return state;
}

TestState judge(const TestSetting& test, std::uint64_t mistakes, std::uint64_t decisions) {
    const auto wrong = static_cast<double>(mistakes);
    const auto right = static_cast<double>(decisions - mistakes);
    const double ratio =
        wrong * std::log(test.h1 / test.h0) + right * std::log((1 - test.h1) / (1 - test.h0));
    return judge(ratio, test.alpha, test.beta);
}

Result<TestSetting> parse_elo_test(std::string_view text) {
    const auto numbers =
        parse_four(text, "elo0,elo1,alpha,beta such as 0,10,0.05,0.05 (normalized Elo)");
    if (!numbers) return numbers.error();
    const auto [elo0, elo1, alpha, beta] = *numbers;
    if (!(-kMostElo <= elo0 && elo0 < elo1 && elo1 <= kMostElo)) {
        return bad_input("read '{},{}', expected elo0 below elo1, both -200..200", elo0, elo1);
    }
    return TestSetting{elo0, elo1, alpha, beta};
}

Result<TestSetting> parse_error_test(std::string_view text) {
    const auto numbers =
        parse_four(text, "e0,e1,alpha,beta such as 0.1,0.02,0.05,0.05 (mistakes per decision)");
    if (!numbers) return numbers.error();
    const auto [rate0, rate1, alpha, beta] = *numbers;
    for (const double rate : {rate0, rate1}) {
        if (!(rate > 0 && rate < 1)) {
            return bad_input("read '{}', expected a rate of mistakes above 0 and below 1",
                             rate);
        }
    }
    if (rate0 == rate1)
        return bad_input("read '{},{}', expected two different rates", rate0, rate1);
    return TestSetting{rate0, rate1, alpha, beta};
}

std::string to_string(const TestSetting& test) {
    return fmt::format("{},{},{},{}", test.h0, test.h1, test.alpha, test.beta);
}

std::string to_string(const TestState& state, std::string_view hypotheses) {
    std::string text = fmt::format("LLR {:.2f} ({:.2f}, {:.2f}) [{}]", state.ratio,
                                   state.bounds.low, state.bounds.high, hypotheses);
    if (state.no_difference) text += ", no difference seen";
    if (state.verdict == TestVerdict::H0) text += ": H0 accepted";
    if (state.verdict == TestVerdict::H1) text += ": H1 accepted";
    return text;
}

SequentialTest::SequentialTest(const std::string& elo, const std::string& error)
    : is_of_elo_(!elo.empty()) {
    if (!elo.empty()) test_ = *parse_elo_test(elo);
    if (!error.empty()) test_ = *parse_error_test(error);
}

void SequentialTest::add(const RoundPlan& plan) {
    if (!is_wanted()) return;
    for (const PlannedPair& pair : plan.pairs) waiting_.try_emplace(pair.key);
}

void SequentialTest::add(const GameResult& result, const std::optional<Decisions>& decisions) {
    const auto found = waiting_.find(result.key.pair);
    if (found == waiting_.end()) return;
    Pair& pair = found->second;
    auto& leg = pair.decisions[result.key.leg == 2 ? 1 : 0];
    if (leg) return;
    leg = decisions.value_or(Decisions());
    pair.halves += result.halves(result.players[0] == 0 ? 0 : 1);
    pair.is_void = pair.is_void || result.reason == Reason::Void;
    while (!is_decided() && !waiting_.empty() && waiting_.begin()->second.is_played())
        read(waiting_.extract(waiting_.begin()).mapped());
}

// Pairs with a void game are ignored.
void SequentialTest::read(const Pair& pair) {
    games_read_ += 2;
    if (pair.is_void) return;
    ++pairs_[static_cast<std::size_t>(pair.halves)];
    for (const auto& played : pair.decisions) {
        for (const auto& [position, mistake] : *played) decisions_.add(position, mistake);
    }
    const ErrorRate rate = decisions_.error_rate();
    state_ = is_of_elo_ ? judge(*test_, pairs_) : judge(*test_, rate.mistakes, rate.decisions);
}

std::string SequentialTest::text() const {
    const std::string text = to_string(state_, to_string(*test_));
    return is_decided() ? text + " after " + counted(total_pairs(pairs_), "pair") : text;
}

}  // namespace arena

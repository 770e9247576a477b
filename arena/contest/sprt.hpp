// Sequential tests that end a match as soon as it is decided: Wald's SPRT ("Sequential Tests of
// Statistical Hypotheses", 1945). They read pairs in the order of the schedule (see InOrder);
// in the order of completion, quick games would count first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arena/contest/distributions.hpp"
#include "arena/contest/pentanomial.hpp"
#include "protocol/result.hpp"

namespace arena {

enum class TestVerdict { Open, H0, H1 };

// What `--sprt` asks for: the first player's normalized Elo over the second is elo0 (H0) or
// elo1 (H1). alpha: probability of accepting H1 if H0 holds; beta: of H0 if H1 holds.
struct EloTest {
    double elo0 = 0;
    double elo1 = 0;
    double alpha = 0.05;
    double beta = 0.05;

    friend bool operator==(const EloTest&, const EloTest&) = default;
};

// What `--sprt-error` asks for: the share of decisions that are mistakes is rate0 (H0) or rate1
// (H1).
struct ErrorTest {
    double rate0 = 0;
    double rate1 = 0;
    double alpha = 0.05;
    double beta = 0.05;

    friend bool operator==(const ErrorTest&, const ErrorTest&) = default;
};

// "0,10,0.05,0.05": -200 <= elo0 < elo1 <= 200; 0 < alpha, beta < 0.5.
protocol::Result<EloTest> parse_elo_test(std::string_view text);
// "0.1,0.02,0.05,0.05": 0 < rates < 1, different ones.
protocol::Result<ErrorTest> parse_error_test(std::string_view text);
// As they are parsed.
std::string to_string(const EloTest& test);
std::string to_string(const ErrorTest& test);

struct TestState {
    double ratio = 0;  // log-likelihood ratio of H1 to H0; always finite
    Interval bounds;   // H0 is accepted at `low` or below, H1 at `high` or above
    TestVerdict verdict = TestVerdict::Open;
    // --sprt: all pairs came to one point each, so that nothing speaks for a difference.
    bool no_difference = false;
};
// "LLR 1.23 (-2.94, 2.94) [0, 10]", "…: H1 accepted", "…, no difference seen".
std::string to_string(const TestState& state, std::string_view hypotheses);

// Up to this bound the iteration always has a solution.
inline constexpr double kMostElo = 200;

// The generalized SPRT of fishtest: the likelihood of the pairs seen, each hypothesis with the
// distribution over the five scores of a pair that fits them best (Van den Bergh, "A practical
// introduction to normalized Elo", section 4.1). A cell without pairs counts as 0.001 pairs.
// Both Elos are -kMostElo..kMostElo. O(1).
double log_likelihood_ratio(const PairCounts& counts, double elo0, double elo1);
TestState judge(const EloTest& test, const PairCounts& counts);

// `mistakes` of `decisions`, all of them independent (see ErrorRate for repeats).
TestState judge(const ErrorTest& test, std::uint64_t mistakes, std::uint64_t decisions);

}  // namespace arena

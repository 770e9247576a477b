// Sequential tests that end a match as soon as it is decided: Wald's SPRT ("Sequential Tests of
// Statistical Hypotheses", 1945). They read pairs in the order of the schedule, whatever the
// order in which games end: else quick games would count first.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "arena/contest/accuracy.hpp"
#include "arena/contest/pentanomial.hpp"
#include "arena/contest/plan.hpp"
#include "protocol/result.hpp"

namespace arena {

enum class TestVerdict { Open, H0, H1 };

// What `--sprt` asks for: the first player's normalized Elo over the second is h0 (H0) or h1
// (H1). What `--sprt-error` asks for: the share of decisions that are mistakes is.
// alpha: probability of accepting H1 if H0 holds; beta: of H0 if H1 holds.
struct TestSetting {
    double h0 = 0;
    double h1 = 0;
    double alpha = 0.05;
    double beta = 0.05;

    friend bool operator==(const TestSetting&, const TestSetting&) = default;
};

// "0,10,0.05,0.05": -200 <= h0 < h1 <= 200; 0 < alpha, beta < 0.5.
protocol::Result<TestSetting> parse_elo_test(std::string_view text);
// "0.1,0.02,0.05,0.05": 0 < rates < 1, different ones.
protocol::Result<TestSetting> parse_error_test(std::string_view text);
std::string to_string(const TestSetting& test);  // as it is parsed

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
TestState judge(const TestSetting& test, const PairCounts& counts);

// `mistakes` of `decisions`, all of them independent (see ErrorRate for repeats).
TestState judge(const TestSetting& test, std::uint64_t mistakes, std::uint64_t decisions);

// The test of a contest while it is played. Holds games back until their pair and all pairs
// before it are complete; memory is linear in them.
class SequentialTest {
  public:
    // The texts of --sprt and --sprt-error, which are valid: at most one of them is not empty.
    SequentialTest(const std::string& elo, const std::string& error);

    bool is_wanted() const { return test_.has_value(); }
    bool is_decided() const { return state_.verdict != TestVerdict::Open; }
    TestVerdict verdict() const { return state_.verdict; }
    // Up to its decision.
    std::uint64_t games_read() const { return games_read_; }

    void add(const RoundPlan& plan);
    // `decisions`: those of player 0 in this game, for --sprt-error.
    void add(const GameResult& result, const std::optional<Decisions>& decisions);

    // "LLR 1.23 (-2.94, 2.94) [0, 10]", and after how many pairs it is decided.
    std::string text() const;

  private:
    // What a test reads of a pair, as far as it is played.
    struct Pair {
        int halves = 0;  // half points of player 0
        bool is_void = false;
        std::array<std::optional<Decisions>, 2> decisions;  // of player 0, by leg; once played

        bool is_played() const { return decisions[0] && decisions[1]; }
    };
    void read(const Pair& pair);

    std::optional<TestSetting> test_;
    bool is_of_elo_;
    std::map<PairKey, Pair> waiting_;  // planned and not read; keys sort as the schedule does
    PairCounts pairs_{};
    DecisionCount decisions_;
    std::uint64_t games_read_ = 0;
    TestState state_;
};

}  // namespace arena

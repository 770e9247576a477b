// Sequential tests that end a match as soon as it is decided: Wald's SPRT ("Sequential Tests of
// Statistical Hypotheses", 1945). They read pairs in the order of the schedule, whatever the
// order in which games end: else quick games would count first.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "arena/contest/accuracy.hpp"
#include "arena/contest/pentanomial.hpp"
#include "arena/contest/plan.hpp"
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

// Holds games back until their pair and all pairs before it are complete. `Value` is the datum
// kept of a game.
template <typename Value>
class InOrder {
  public:
    struct Pair {
        PairKey key;
        std::array<Value, 2> games;  // by leg
    };

    // Appends the next pair of the schedule. Call it before adding its games.
    void expect(const PairKey& key) {
        schedule_.push_back(key);
        expected_.try_emplace(key);
    }

    // Adds a played game. Unexpected or repeated games are ignored.
    void add(const GameKey& key, Value value) {
        const auto pair = expected_.find(key.pair);
        if (pair == expected_.end()) return;
        auto& game = pair->second[key.leg == 2 ? 1 : 0];
        if (!game) game = std::move(value);
    }

    // The next pair, once it is complete. Call until there is none.
    std::optional<Pair> next() {
        if (schedule_.empty()) return std::nullopt;
        const auto found = expected_.find(schedule_.front());
        auto& [first, second] = found->second;
        if (!first || !second) return std::nullopt;
        Pair pair{found->first, {*std::move(first), *std::move(second)}};
        expected_.erase(found);
        schedule_.pop_front();
        return pair;
    }

  private:
    std::deque<PairKey> schedule_;
    std::map<PairKey, std::array<std::optional<Value>, 2>> expected_;
};

// The test of a contest while it is played. Memory is linear in the games that wait for others
// before them.
class SequentialTest {
  public:
    // The texts of --sprt and --sprt-error, which are valid: at most one of them is not empty.
    SequentialTest(const std::string& elo, const std::string& error);

    bool is_wanted() const { return elo_ || error_; }
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
    // The part of a game of player 0 that a test reads.
    struct Game {
        int halves = 0;  // half points, of 2
        Decisions decisions;
    };

    std::optional<EloTest> elo_;
    std::optional<ErrorTest> error_;
    InOrder<std::optional<Game>> order_;  // none: a void game
    PairCounts pairs_{};
    DecisionCount decisions_;
    std::uint64_t games_read_ = 0;
    TestState state_;
};

}  // namespace arena

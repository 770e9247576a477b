#include "engine/solver/subtraction_law.hpp"

#include <algorithm>

namespace engine {
namespace {

// What the next nimbers depend on besides the window: the values before it.
struct State {
    std::uint32_t least_missing = 0;
    std::vector<std::uint32_t> above;  // the larger ones, counted from least_missing
};

State state_before(const std::vector<std::uint32_t>& values, std::size_t end) {
    std::vector<bool> seen(end + 1);
    for (std::size_t i = 0; i < end; ++i)
        seen[values[i]] = true;  // a value is at most its heap
    State state;
    while (seen[state.least_missing]) ++state.least_missing;
    for (std::size_t value = state.least_missing; value < seen.size(); ++value) {
        if (seen[value]) {
            state.above.push_back(static_cast<std::uint32_t>(value) - state.least_missing);
        }
    }
    return state;
}

// Looks for the least p after which the last `window` values come back, raised by a constant.
class Recurrence {
  public:
    Recurrence(const TakeSet& set, const std::vector<std::uint32_t>& values)
        : values_(values), steps_(values.size() - 1), open_(set.is_open()) {
        window_ = open_ ? set.intervals().back().first - 1 : set.intervals().back().last;
    }

    // The Z function of the steps between the values, read backwards.
    std::optional<PeriodLaw> find(const Budget& budget) {
        if (window_ >= steps_) return std::nullopt;
        std::vector<std::uint32_t> matches(steps_ - window_ + 1);
        std::size_t left = 0;
        std::size_t right = 0;  // steps [left, right) are known to match the first ones
        for (std::size_t period = 1; period < matches.size(); ++period) {
            if (period % kPollEvery == 0 && budget.is_spent()) return std::nullopt;
            std::size_t match = 0;
            if (period < right) {
                match = std::min<std::size_t>(right - period, matches[period - left]);
            }
            while (period + match < steps_ && step(match) == step(period + match)) ++match;
            matches[period] = static_cast<std::uint32_t>(match);
            if (period + match > right) {
                left = period;
                right = period + match;
            }
            if (match < window_) continue;
            if (const auto law = check(period, match)) return law;
            if (++refuted_ == kMaxRefuted) return std::nullopt;
        }
        return std::nullopt;
    }

  private:
    static constexpr std::size_t kPollEvery = 1 << 16;
    static constexpr int kMaxRefuted = 8;  // each costs a pass over all values

    std::uint32_t step(std::size_t i) const {
        return values_[steps_ - i] -
               values_[steps_ - i - 1];  // modulo 2^32, for comparing only
    }

    // The last `match` steps are those `period` before: does the law hold for ever?
    std::optional<PeriodLaw> check(std::size_t period, std::size_t match) {
        const std::size_t last = steps_;
        if (values_[last] < values_[last - period]) return std::nullopt;
        const Number saltus = values_[last] - values_[last - period];
        if (open_ ? !same_state(period, saltus) : saltus != 0) return std::nullopt;
        return PeriodLaw{steps_ - match - period, period, saltus};
    }

    bool same_state(std::size_t period, Number saltus) {
        const std::size_t end = values_.size() - window_;
        const State now = state_before(values_, end);
        const State then = state_before(values_, end - period);
        return now.least_missing == then.least_missing + saltus && now.above == then.above;
    }

    const std::vector<std::uint32_t>& values_;
    std::size_t steps_;
    bool open_;
    std::size_t window_ = 0;
    int refuted_ = 0;
};

}  // namespace

std::optional<PeriodLaw> prove_law(const TakeSet& set, const std::vector<std::uint32_t>& values,
                                   const Budget& budget) {
    if (values.empty()) return std::nullopt;
    return Recurrence(set, values).find(budget);
}

}  // namespace engine

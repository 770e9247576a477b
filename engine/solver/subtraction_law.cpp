#include "engine/solver/subtraction_law.hpp"

#include <span>
#include <vector>

namespace engine {
namespace {

// Looks for the least p after which the last values come back, raised by a constant.
template <typename Value>
class Recurrence {
  public:
    Recurrence(const TakeSet& set, std::span<const Value> values)
        : values_(values), open_(set.is_open()) {
        const Interval& last = set.intervals().back();
        window_ = open_ ? last.first - 1 : last.last;
        // Raised values are compared by their steps, the first of which has none before it.
        size_ = open_ ? values.size() - 1 : values.size();
    }

    // Rolls a hash of a window down from the end (Karp, Rabin); hits are compared.
    std::optional<PeriodLaw> find(const Budget& budget) {
        if (window_ >= size_) return std::nullopt;
        const std::size_t last = size_ - static_cast<std::size_t>(window_);
        std::uint64_t hash = 0;
        std::uint64_t leading = 1;  // the factor of a window's last item
        for (std::size_t i = size_; i-- > last;) hash = hash * kBase + item(i);
        for (std::size_t i = 1; i < window_; ++i) leading *= kBase;
        const std::uint64_t wanted = hash;
        for (std::size_t begin = last; begin-- > 0;) {
            if (begin % kPollEvery == 0 && budget.is_spent()) return std::nullopt;
            if (window_ > 0) {
                hash -= leading * item(begin + static_cast<std::size_t>(window_));
                hash = hash * kBase + item(begin);
            }
            if (hash != wanted || !comes_back(last, last - begin)) continue;
            if (const auto law = check(last - begin)) return law;
            if (++refuted_ == kMaxRefuted) return std::nullopt;
        }
        return std::nullopt;
    }

  private:
    static constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15;
    static constexpr std::size_t kPollEvery = 1 << 16;
    static constexpr int kMaxRefuted = 8;  // each costs a pass over all values

    // Modulo 2^32, for comparing only.
    std::uint32_t item(std::size_t i) const {
        return open_ ? std::uint32_t{values_[i + 1]} - values_[i] : values_[i];
    }

    bool comes_back(std::size_t begin, std::size_t period) const {
        for (std::size_t i = begin; i < size_; ++i) {
            if (item(i) != item(i - period)) return false;
        }
        return true;
    }

    // The last window came before: does the law hold for ever, and from where on?
    std::optional<PeriodLaw> check(std::size_t period) const {
        const Value last = values_.back();
        const Value before = values_[values_.size() - 1 - period];
        if (last < before) return std::nullopt;
        const Number saltus = last - before;
        if (open_ ? !same_state(period, saltus) : saltus != 0) return std::nullopt;
        std::size_t preperiod = values_.size() - period;
        while (preperiod > 0 &&
               values_[preperiod - 1] + saltus == values_[preperiod - 1 + period]) {
            --preperiod;
        }
        return PeriodLaw{preperiod, period, saltus};
    }

    // What the next nimbers depend on besides the window: the values before it.
    struct State {
        std::size_t least_missing = 0;
        std::vector<std::size_t> above;  // the larger ones, counted from least_missing
    };

    State state_before(std::size_t end) const {
        std::vector<bool> seen(end + 1);
        for (std::size_t i = 0; i < end; ++i) seen[values_[i]] = true;  // at most its heap
        State state;
        while (seen[state.least_missing]) ++state.least_missing;
        for (std::size_t value = state.least_missing; value < seen.size(); ++value) {
            if (seen[value]) state.above.push_back(value - state.least_missing);
        }
        return state;
    }

    bool same_state(std::size_t period, Number saltus) const {
        const std::size_t end = values_.size() - static_cast<std::size_t>(window_);
        const State now = state_before(end);
        const State then = state_before(end - period);
        return now.least_missing == then.least_missing + saltus && now.above == then.above;
    }

    std::span<const Value> values_;
    bool open_;
    Number window_ = 0;
    std::size_t size_ = 0;  // of what is compared
    int refuted_ = 0;
};

}  // namespace

std::optional<PeriodLaw> prove_law(const TakeSet& set, const NimberArray& values,
                                   std::size_t size, const Budget& budget) {
    if (size == 0) return std::nullopt;
    return values.visit([&]<typename Value>(const Value* first) {
        return Recurrence<Value>(set, std::span(first, size)).find(budget);
    });
}

}  // namespace engine

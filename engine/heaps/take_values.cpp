#include "engine/heaps/take_values.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/heaps/subtraction_table.hpp"

namespace engine {

using protocol::kMaxNumber;

namespace {

ProvenLaw formula(const Law& law) { return {law, "formula", 0}; }

// ---- formulas: each is a theorem, which tests compare with play ----

// S = {a..b}: G(n) = floor((n mod (a+b)) / a). With a = 1 this is bounded nim, n mod (b+1);
// with a = b floor(n/a) mod 2; with b beyond every heap floor(n/a). Members may be added that
// are a..b modulo a+b: as a+b is a period, G(n-s) differs from G(n) for s+k(a+b) as it does for
// s.
class IntervalValues : public TakeValues, public Occurrences {
  public:
    explicit IntervalValues(const Interval& interval)
        : first_(interval.first),
          period_(interval.first + interval.last),
          is_open_(interval.last == protocol::kMaxNumber) {}

    std::optional<Number> value(Number heap, const Budget&) const override {
        return heap % period_ / first_;
    }

    const Occurrences* occurrences() const override { return this; }
    Count count_below(Number end, Number value) const override {
        const Run in_period = run(value);
        const Number rest = end % period_;
        const Number behind = rest > in_period.first ? rest - in_period.first : 0;
        return end / period_ * in_period.length + std::min(behind, in_period.length);
    }

    Number heap_with(Number value, Count index) const override {
        const Run in_period = run(value);
        return index / in_period.length * period_ + in_period.first + index % in_period.length;
    }

    std::optional<ProvenLaw> law(Number, const Budget&) const override {
        return formula(is_open_ ? Law{0, first_, 1} : Law{0, period_, 0});
    }

  private:
    // Heaps of a value are one run in each period.
    struct Run {
        Number first = 0;
        Number length = 0;
    };
    Run run(Number value) const {
        if (value > (period_ - 1) / first_) return {};
        const Number begin = value * first_;
        return {begin, std::min(first_, period_ - begin)};
    }

    Number first_;
    Number period_;  // below 2^64
    bool is_open_;   // then no heap reaches the period, and G(n) = floor(n/a)
};

// S = {a,b}, b = 2ha+r, r < 2a, r != a (Winning Ways, chapter 4). The period is a+b, and in it
// r < a: (0^a 1^a)^h 0^r 2^(a-r) 1^r        r > a: (0^a 1^a)^(h+1) 2^(r-a)
class TwoElementValues : public TakeValues {
  public:
    TwoElementValues(Number a, Number b)
        : a_(a), period_(a + b), repeats_(b / (2 * a)), rest_(b % (2 * a)) {
        if (rest_ < a) return;
        ++repeats_;
        rest_ = 0;
    }

    std::optional<Number> value(Number heap, const Budget&) const override {
        const Number place = heap % period_;
        const Number block = 2 * a_ * repeats_;
        if (place < block) return place / a_ % 2;
        const Number tail = place - block;
        if (tail < rest_) return 0;
        return rest_ > 0 && tail >= a_ ? 1 : 2;
    }

    std::optional<ProvenLaw> law(Number, const Budget&) const override {
        return formula({0, period_, 0});
    }

  private:
    Number a_;
    Number period_;
    Number repeats_;  // of 0^a 1^a
    Number rest_;     // r where r < a, else 0: then the tail is 2s alone
};

// S = all numbers but a: G(n) = a*floor(n/2a) + n mod a. For then each value belongs to two
// heaps, which are a apart: the one distance that cannot be taken.
class OneGapValues : public TakeValues, public Occurrences {
  public:
    explicit OneGapValues(Number gap) : gap_(gap) {}

    std::optional<Number> value(Number heap, const Budget&) const override {
        return heap / gap_ / 2 * gap_ + heap % gap_;
    }

    const Occurrences* occurrences() const override { return this; }
    Count count_below(Number end, Number value) const override {
        if (value / gap_ > kMaxNumber / gap_ / 2) return 0;  // beyond every heap
        const Number lower = heap_with(value, 0);
        if (end <= lower) return 0;
        return end - lower <= gap_ ? 1 : 2;
    }

    Number heap_with(Number value, Count index) const override {
        return value / gap_ * 2 * gap_ + value % gap_ + index * gap_;
    }

    std::optional<ProvenLaw> law(Number, const Budget&) const override {
        return formula({0, 2 * gap_, gap_});
    }

  private:
    Number gap_;
};

// S = g*T: G_S(n) = G_T(floor(n/g)).
class ScaledValues : public TakeValues {
  public:
    ScaledValues(Number factor, std::shared_ptr<const TakeValues> values)
        : factor_(factor), values_(std::move(values)) {}

    std::optional<Number> value(Number heap, const Budget& budget) const override {
        return values_->value(heap / factor_, budget);
    }

    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override {
        auto proven = values_->law(limit / factor_, budget);
        if (!proven) return std::nullopt;
        const auto scale = [&](Number& number) {
            const bool fits = number <= std::numeric_limits<Number>::max() / factor_;
            number *= factor_;
            return fits;
        };
        const bool fits = scale(proven->law.preperiod) && scale(proven->law.period);
        if (!fits || !scale(proven->heaps)) return std::nullopt;
        return proven;
    }

  private:
    Number factor_;
    std::shared_ptr<const TakeValues> values_;
};

// The greatest common divisor of all members; 1 where some are neighbours.
Number common_factor(const TakeSet& set) {
    Number factor = 0;
    for (const Interval& interval : set.intervals()) {
        if (interval.first != interval.last) return 1;
        factor = std::gcd(factor, interval.first);
    }
    return factor;
}

TakeSet divided(const TakeSet& set, Number factor) {
    std::vector<Interval> quotients = set.intervals();
    for (Interval& interval : quotients)
        interval = {interval.first / factor, interval.last / factor};
    return TakeSet(std::move(quotients));
}

}  // namespace

std::shared_ptr<const TakeValues> closed_form(const TakeSet& set) {
    const std::vector<Interval>& intervals = set.intervals();
    const Interval least = intervals.front();
    const Number period = least.first + least.last;
    const bool like_one_interval = std::ranges::all_of(intervals, [&](const Interval& other) {
        return other.first / period == other.last / period &&
               other.first % period >= least.first && other.last % period <= least.last;
    });
    if (like_one_interval) return std::make_shared<IntervalValues>(least);
    if (intervals.size() != 2) return nullptr;

    const Interval second = intervals.back();
    if (least.first == least.last && second.first == second.last) {
        return std::make_shared<TwoElementValues>(least.first, second.first);
    }
    if (least.first == 1 && second.first == least.last + 2 && second.last == kMaxNumber) {
        return std::make_shared<OneGapValues>(least.last + 1);
    }
    return nullptr;
}

std::shared_ptr<const TakeValues> make_take_values(const TakeSet& set) {
    if (auto formula = closed_form(set)) return formula;
    const Number factor = common_factor(set);
    if (factor == 1) return std::make_shared<SubtractionTable>(set);
    return std::make_shared<ScaledValues>(factor, make_take_values(divided(set, factor)));
}

}  // namespace engine

#include "engine/heaps/take_values.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/heaps/subtraction_table.hpp"

namespace engine {

using protocol::kMaxNumber;

namespace {

ProvenLaw formula(const Law& law) { return {law, "formula", 0}; }

}  // namespace

std::optional<Number> IntervalValues::value(Number heap, const Budget&) const {
    return heap % period_ / first_;
}

IntervalValues::Run IntervalValues::run(Number value) const {
    if (value > (period_ - 1) / first_) return {};
    const Number begin = value * first_;
    return {begin, std::min(first_, period_ - begin)};
}

Count IntervalValues::count_below(Number end, Number value) const {
    const Run in_period = run(value);
    const Number rest = end % period_;
    const Number behind = rest > in_period.first ? rest - in_period.first : 0;
    return end / period_ * in_period.length + std::min(behind, in_period.length);
}

Number IntervalValues::heap_with(Number value, Count index) const {
    const Run in_period = run(value);
    return index / in_period.length * period_ + in_period.first + index % in_period.length;
}

std::optional<ProvenLaw> IntervalValues::law(Number, const Budget&) const {
    return formula(is_open_ ? Law{0, first_, 1} : Law{0, period_, 0});
}

TwoElementValues::TwoElementValues(Number a, Number b)
    : a_(a), period_(a + b), repeats_(b / (2 * a)), rest_(b % (2 * a)) {
    if (rest_ < a) return;
    ++repeats_;
    rest_ = 0;
}

std::optional<Number> TwoElementValues::value(Number heap, const Budget&) const {
    const Number place = heap % period_;
    const Number block = 2 * a_ * repeats_;
    if (place < block) return place / a_ % 2;
    const Number tail = place - block;
    if (tail < rest_) return 0;
    return rest_ > 0 && tail >= a_ ? 1 : 2;
}

std::optional<ProvenLaw> TwoElementValues::law(Number, const Budget&) const {
    return formula({0, period_, 0});
}

std::optional<Number> OneGapValues::value(Number heap, const Budget&) const {
    return heap / gap_ / 2 * gap_ + heap % gap_;
}

Count OneGapValues::count_below(Number end, Number value) const {
    if (value / gap_ > kMaxNumber / gap_ / 2) return 0;  // beyond every heap
    const Number lower = heap_with(value, 0);
    if (end <= lower) return 0;
    return end - lower <= gap_ ? 1 : 2;
}

Number OneGapValues::heap_with(Number value, Count index) const {
    return value / gap_ * 2 * gap_ + value % gap_ + index * gap_;
}

std::optional<ProvenLaw> OneGapValues::law(Number, const Budget&) const {
    return formula({0, 2 * gap_, gap_});
}

std::optional<Number> ScaledValues::value(Number heap, const Budget& budget) const {
    return values_->value(heap / factor_, budget);
}

std::optional<ProvenLaw> ScaledValues::law(Number limit, const Budget& budget) const {
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

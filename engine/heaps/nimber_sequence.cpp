#include "engine/heaps/nimber_sequence.hpp"

#include <algorithm>
#include <numeric>

namespace engine {
namespace {

constexpr std::size_t kSweepWork = 1 << 19;  // well below a millisecond, as are these:
constexpr std::size_t kSearchSteps = 1 << 17;
constexpr int kMaxRefuted = 8;  // each costs a pass over all values

// What the next nimbers depend on besides a window: the set of the values before it.
struct State {
    std::size_t least_missing = 0;
    std::vector<std::size_t> above;  // the larger ones, counted from least_missing
};

template <typename Value>
State state_of(std::span<const Value> values) {
    std::vector<bool> seen(values.size() + 1);
    for (const Value value : values) seen[value] = true;  // at most its heap
    State state;
    while (seen[state.least_missing]) ++state.least_missing;
    for (std::size_t value = state.least_missing; value < seen.size(); ++value) {
        if (seen[value]) state.above.push_back(value - state.least_missing);
    }
    return state;
}

}  // namespace

NimberSequence::NimberSequence(std::unique_ptr<NimberSweep> sweep, const LawPlan& laws,
                               const GrowthPlan& growth)
    : laws_(laws),
      growth_(growth),
      known_(KnownNimbers::make(sweep->values(), sweep->size(), std::nullopt, false)),
      sweep_(std::move(sweep)),
      target_(sweep_->size()) {}

std::shared_ptr<const KnownNimbers> NimberSequence::known() const {
    const std::lock_guard lock(known_mutex_);
    return known_;
}

std::optional<Number> NimberSequence::value(Number heap, const Budget& budget,
                                            std::size_t most) const {
    for (;;) {
        if (const auto value = known()->value(heap)) return value;
        if (budget.is_spent() || !grow(most)) return known()->value(heap);
    }
}

std::optional<Law> NimberSequence::law(Number limit, const Budget& budget,
                                       std::size_t most) const {
    for (;;) {
        const auto seen = known();
        if (seen->law()) return seen->law();
        if (seen->size() >= limit || budget.is_spent()) return std::nullopt;
        if (!grow(most)) return known()->law();
    }
}

bool NimberSequence::grow(std::size_t most) const {
    const std::unique_lock growing(growth_mutex_, std::chrono::milliseconds(1));
    if (!growing) return true;  // another thread is at it
    if (!sweep_) return false;
    if (search_) return look_for_law();
    if (sweep_->size() >= target_) {
        if (target_ >= most) return false;
        const std::size_t next = std::max(growth_.first, target_ * growth_.percent / 100);
        target_ = std::min(next, most);
    }
    const bool grows = sweep_->extend(target_, kSweepWork);
    if (!grows) {
        if (sweep_->size() > known()->size()) publish(std::nullopt);
        return false;
    }
    const bool is_reached = sweep_->size() >= target_;
    if (is_reached && laws_.is_known) {
        const std::size_t size = sweep_->size();
        const bool is_one_less = laws_.rises || laws_.parts > 1;
        const auto window = laws_.rises ? static_cast<std::size_t>(laws_.reach)
                                        : window_to_prove(size, laws_.parts, laws_.reach);
        search_.emplace(size - (is_one_less ? 1 : 0), window);
        refuted_ = 0;
    } else if (is_reached || !growth_.listed) {
        publish(std::nullopt);
    }
    return true;
}

// Looks at the nimbers from heap 0 on. With splits from heap 1 on, where the theorem begins;
// with a rising law at the differences of consecutive nimbers.
bool NimberSequence::look_for_law() const {
    const auto values = sweep_->values();
    const bool done = values->visit([&](const auto* first) {
        if (laws_.rises) {
            return search_->advance(kSearchSteps, [first](std::size_t i) {
                return std::uint32_t{first[i + 1]} - first[i];  // modulo 2^32
            });
        }
        if (laws_.parts > 1) ++first;
        return search_->advance(kSearchSteps, [first](std::size_t i) { return first[i]; });
    });
    if (!done) return true;
    const std::size_t period = search_->period();
    const auto law = period > 0 ? law_of(*values, period) : std::nullopt;
    if (period > 0 && !law && ++refuted_ < kMaxRefuted) return true;
    search_.reset();
    if (!publish(law)) return false;
    if (law) sweep_.reset();
    return true;
}

// The last window also occurs a period earlier. Does a law hold for ever, and from where on?
std::optional<Law> NimberSequence::law_of(const NimberArray& values, std::size_t period) const {
    const std::size_t size = sweep_->size();
    return values.visit([&]<typename Value>(const Value* first) -> std::optional<Law> {
        const Value last = first[size - 1];
        const Value before = first[size - 1 - period];
        if (last < before) return std::nullopt;
        const Number saltus = last - before;
        if (laws_.rises) {
            const std::size_t end = size - static_cast<std::size_t>(laws_.reach);
            const State now = state_of(std::span(first, end));
            const State then = state_of(std::span(first, end - period));
            if (now.least_missing != then.least_missing + saltus || now.above != then.above) {
                return std::nullopt;
            }
        } else if (saltus != 0) {
            return std::nullopt;
        }
        Law law{0, period, saltus};
        law.preperiod = least_preperiod(std::span(first, size), law);
        return law;
    });
}

bool NimberSequence::publish(const std::optional<Law>& law) const {
    auto next = KnownNimbers::make(sweep_->values(), sweep_->size(), law, growth_.listed);
    if (next == nullptr) return false;
    const std::lock_guard lock(known_mutex_);
    known_ = std::move(next);
    return true;
}

namespace {

template <typename Heaps>
Count count_less(const Heaps& heaps, Number end) {
    return static_cast<Count>(std::ranges::lower_bound(heaps, end) - heaps.begin());
}

}  // namespace

std::shared_ptr<const KnownNimbers> KnownNimbers::make(
    std::shared_ptr<const NimberArray> values, std::size_t size, std::optional<Law> law,
    bool listed) {
    std::shared_ptr<KnownNimbers> made(new KnownNimbers);
    made->values_ = std::move(values);
    made->size_ = made->made_from_ = size;
    made->law_ = law;
    if (law) {
        made->size_ = static_cast<std::size_t>(law->preperiod + law->period);
        auto enough =
            NimberArray::copy(*made->values_, made->size_, made->size_, made->values_->width());
        if (enough) made->values_ = std::move(enough);
    }
    if (listed && !made->list_heaps()) return nullptr;
    return made;
}

bool KnownNimbers::list_heaps() {
    const NimberArray& values = *values_;
    std::uint32_t largest = 0;
    for (std::size_t heap = 0; heap < size_; ++heap) largest = std::max(largest, values[heap]);
    const std::size_t numbers = size_ + 2 * (std::size_t{largest} + 2);
    if (!memory_.resize(numbers * sizeof(std::uint32_t))) return false;

    starts_.resize(std::size_t{largest} + 2);
    for (std::size_t heap = 0; heap < size_; ++heap) ++starts_[values[heap] + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    std::vector<std::uint32_t> next = starts_;
    heaps_.resize(size_);
    for (std::uint32_t heap = 0; heap < size_; ++heap) heaps_[next[values[heap]]++] = heap;
    return true;
}

std::span<const std::uint32_t> KnownNimbers::listed(Number value) const {
    if (starts_.empty() || value >= starts_.size() - 1) return {};
    return std::span(heaps_).subspan(starts_[value], starts_[value + 1] - starts_[value]);
}

std::vector<KnownNimbers::Run> KnownNimbers::runs(Number value) const {
    const Law& law = *law_;
    const Number largest = starts_.size() - 2;
    const Number first = value > largest ? (value - largest - 1) / law.saltus + 1 : 0;
    const Number last = std::min(value / law.saltus, protocol::kMaxNumber / law.period);
    std::vector<Run> found;
    for (Number periods = first; periods <= last; ++periods) {
        const Number shift = periods * law.period;
        auto heaps = listed(value - periods * law.saltus);
        if (periods > 0) heaps = heaps.subspan(count_less(heaps, law.preperiod));
        heaps = heaps.first(count_less(heaps, protocol::kMaxNumber - shift + 1));
        if (!heaps.empty()) found.push_back({heaps, shift});
    }
    return found;
}

Count KnownNimbers::count_below(Number end, Number value) const {
    if (law_ && law_->saltus > 0) {
        Count count = 0;
        for (const auto& [heaps, shift] : runs(value)) {
            if (end > shift) count += count_less(heaps, end - shift);
        }
        return count;
    }
    const auto heaps = listed(value);
    if (!law_ || end <= size_) return count_less(heaps, end);

    const Count before = count_less(heaps, law_->preperiod);
    const Number beyond = end - law_->preperiod;
    return beyond / law_->period * (heaps.size() - before) +
           count_less(heaps, law_->preperiod + beyond % law_->period);
}

Number KnownNimbers::heap_with(Number value, Count index) const {
    if (law_ && law_->saltus > 0) {
        const auto all = runs(value);
        auto run = all.begin();
        for (; index >= run->heaps.size(); ++run) index -= run->heaps.size();
        return run->heaps[index] + run->shift;
    }
    const auto heaps = listed(value);
    if (index < heaps.size()) return heaps[index];

    const Count before = count_less(heaps, law_->preperiod);
    const Count per_period = heaps.size() - before;
    return heaps[before + (index - before) % per_period] +
           (index - before) / per_period * law_->period;
}

}  // namespace engine

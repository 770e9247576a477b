#include "engine/solver/value_index.hpp"

#include <algorithm>
#include <numeric>

namespace engine {
namespace {

template <typename Heaps>
Count count_less(const Heaps& heaps, Number end) {
    return static_cast<Count>(std::ranges::lower_bound(heaps, end) - heaps.begin());
}

}  // namespace

ValueIndex::ValueIndex(std::vector<std::uint32_t> values, std::optional<PeriodLaw> law)
    : values_(std::move(values)), made_from_(values_.size()), law_(law) {
    if (law_) values_.resize(law_->preperiod + law_->period);
    values_.shrink_to_fit();

    const std::uint32_t largest = values_.empty() ? 0 : std::ranges::max(values_);
    starts_.resize(largest + 2);
    for (const std::uint32_t value : values_) ++starts_[value + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    std::vector<std::uint32_t> next = starts_;
    heaps_.resize(values_.size());
    for (std::uint32_t heap = 0; heap < values_.size(); ++heap)
        heaps_[next[values_[heap]]++] = heap;
}

std::size_t ValueIndex::bytes() const {
    return (values_.size() + heaps_.size() + starts_.size()) * sizeof(std::uint32_t);
}

std::optional<Number> ValueIndex::value(Number heap) const {
    if (heap < values_.size()) return values_[heap];
    if (!law_) return std::nullopt;
    const Number beyond = heap - law_->preperiod;
    return values_[law_->preperiod + beyond % law_->period] +
           beyond / law_->period * law_->saltus;
}

std::span<const std::uint32_t> ValueIndex::listed(Number value) const {
    if (value + 1 >= starts_.size()) return {};
    return std::span(heaps_).subspan(starts_[value], starts_[value + 1] - starts_[value]);
}

std::vector<Number> ValueIndex::occurrences(Number value) const {
    std::vector<Number> found;
    for (const std::uint32_t heap : listed(value)) {
        if (heap < law_->preperiod) found.push_back(heap);
    }
    const Number largest = starts_.size() - 2;
    for (Number base = value % law_->saltus; base <= std::min(value, largest);
         base += law_->saltus) {
        const Number periods = (value - base) / law_->saltus;
        for (const std::uint32_t heap : listed(base)) {
            const bool too_far = periods > (protocol::kMaxNumber - heap) / law_->period;
            if (heap < law_->preperiod || too_far) continue;
            found.push_back(heap + periods * law_->period);
        }
    }
    std::ranges::sort(found);
    return found;
}

Count ValueIndex::count_below(Number end, Number value) const {
    if (law_ && law_->saltus > 0) return count_less(occurrences(value), end);
    const auto heaps = listed(value);
    if (!law_ || end <= values_.size()) return count_less(heaps, end);

    const Count before = count_less(heaps, law_->preperiod);
    const Number beyond = end - law_->preperiod;
    return beyond / law_->period * (heaps.size() - before) +
           count_less(heaps, law_->preperiod + beyond % law_->period);
}

Number ValueIndex::heap_with(Number value, Count index) const {
    if (law_ && law_->saltus > 0) return occurrences(value)[index];
    const auto heaps = listed(value);
    if (index < heaps.size()) return heaps[index];

    const Count before = count_less(heaps, law_->preperiod);
    const Count per_period = heaps.size() - before;
    return heaps[before + (index - before) % per_period] +
           (index - before) / per_period * law_->period;
}

}  // namespace engine

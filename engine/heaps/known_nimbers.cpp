#include "engine/heaps/known_nimbers.hpp"

#include <algorithm>
#include <numeric>

namespace engine {
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
    if (value + 1 >= starts_.size()) return {};
    return std::span(heaps_).subspan(starts_[value], starts_[value + 1] - starts_[value]);
}

std::vector<Number> KnownNimbers::occurrences(Number value) const {
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

Count KnownNimbers::count_below(Number end, Number value) const {
    if (law_ && law_->saltus > 0) return count_less(occurrences(value), end);
    const auto heaps = listed(value);
    if (!law_ || end <= size_) return count_less(heaps, end);

    const Count before = count_less(heaps, law_->preperiod);
    const Number beyond = end - law_->preperiod;
    return beyond / law_->period * (heaps.size() - before) +
           count_less(heaps, law_->preperiod + beyond % law_->period);
}

Number KnownNimbers::heap_with(Number value, Count index) const {
    if (law_ && law_->saltus > 0) return occurrences(value)[index];
    const auto heaps = listed(value);
    if (index < heaps.size()) return heaps[index];

    const Count before = count_less(heaps, law_->preperiod);
    const Count per_period = heaps.size() - before;
    return heaps[before + (index - before) % per_period] +
           (index - before) / per_period * law_->period;
}

}  // namespace engine

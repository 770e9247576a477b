#include "engine/solver/subtraction_sweep.hpp"

#include <algorithm>
#include <bit>

namespace engine {

SubtractionSweep::SubtractionSweep(TakeSet set) : set_(std::move(set)) {
    const auto& intervals = set_.intervals();
    by_mask_ = intervals.size() < 64 &&
               std::ranges::all_of(
                   intervals, [](const Interval& item) { return item.first == item.last; });
}

void SubtractionSweep::extend(std::size_t end) {
    while (values_.size() < end)
        values_.push_back(by_mask_ ? next_by_mask() : next_by_counts());
}

std::size_t SubtractionSweep::bytes() const {
    return (values_.capacity() + option_counts_.capacity()) * sizeof(std::uint32_t);
}

std::uint32_t SubtractionSweep::next_by_mask() const {
    const std::size_t heap = values_.size();
    std::uint64_t mask = 0;
    for (const Interval& item : set_.intervals()) {
        if (item.first > heap) break;
        mask |= std::uint64_t{1} << values_[heap - item.first];
    }
    return static_cast<std::uint32_t>(std::countr_one(mask));
}

// From one heap to the next, the options of each interval move on by one heap.
std::uint32_t SubtractionSweep::next_by_counts() {
    const std::size_t heap = values_.size();
    for (const Interval& interval : set_.intervals()) {
        if (interval.first > heap) break;
        const std::uint32_t gained = values_[heap - interval.first];
        if (option_counts_.size() <= gained) option_counts_.resize(gained + 1);
        if (option_counts_[gained]++ == 0) option_values_.insert(gained);
        if (interval.last >= heap) continue;
        const std::uint32_t lost = values_[heap - interval.last - 1];
        if (--option_counts_[lost] == 0) option_values_.erase(lost);
    }
    return static_cast<std::uint32_t>(option_values_.least_missing());
}

}  // namespace engine

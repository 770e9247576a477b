// Nimbers of the first heaps, with a law for all others if there is one, and where each occurs.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/solver/period_law.hpp"

namespace engine {

// Never changes once it is made, so that threads can share it.
class ValueIndex {
  public:
    ValueIndex(std::vector<std::uint32_t> values, std::optional<PeriodLaw> law);

    const std::optional<PeriodLaw>& law() const { return law_; }
    std::size_t size() const { return values_.size(); }
    // How many nimbers it was made from.
    std::size_t heaps() const { return made_from_; }
    std::size_t bytes() const;

    std::optional<Number> value(Number heap) const;
    // See TakeValues.
    Count count_below(Number end, Number value) const;
    Number heap_with(Number value, Count index) const;

  private:
    // The heaps of the table that have the value.
    std::span<const std::uint32_t> listed(Number value) const;
    // All heaps that have the value, where there is a saltus: then they are few.
    std::vector<Number> occurrences(Number value) const;

    std::vector<std::uint32_t> values_;  // with a law, up to the end of the first period
    std::size_t made_from_;
    std::optional<PeriodLaw> law_;
    std::vector<std::uint32_t> heaps_;   // by value, then by size
    std::vector<std::uint32_t> starts_;  // where the heaps of each value begin, and the end
};

}  // namespace engine

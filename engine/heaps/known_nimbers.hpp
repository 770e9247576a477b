// Nimbers of the first heaps, with a law for all others if there is one, and where each occurs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/recurrence.hpp"
#include "engine/heaps/nimber_array.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {

// Never changes once it is made, so that threads can share it.
class KnownNimbers {
  public:
    // Keeps the first `size` values; with a law, those up to the end of its first period.
    // `listed`: also keeps what count_below() and heap_with() need, four bytes a heap. Null
    // where memory is short.
    static std::shared_ptr<const KnownNimbers> make(std::shared_ptr<const NimberArray> values,
                                                    std::size_t size, std::optional<Law> law,
                                                    bool listed);

    const std::optional<Law>& law() const { return law_; }
    std::size_t size() const { return size_; }
    // How many nimbers it was made from.
    std::size_t heaps() const { return made_from_; }

    const std::shared_ptr<const NimberArray>& values() const { return values_; }

    bool has(Number heap) const { return heap < size_ || law_; }
    // The heap of the table that stands for this one, which it has: by the law, it is whole
    // periods smaller.
    std::size_t place(Number heap) const {
        if (heap < size_) return static_cast<std::size_t>(heap);
        return static_cast<std::size_t>(law_->preperiod +
                                        (heap - law_->preperiod) % law_->period);
    }
    // The nimber of a heap that it has.
    Number operator[](Number heap) const {
        const Number value = (*values_)[place(heap)];
        if (heap < size_) return value;
        return value + (heap - law_->preperiod) / law_->period * law_->saltus;
    }
    std::optional<Number> value(Number heap) const {
        return has(heap) ? std::optional((*this)[heap]) : std::nullopt;
    }
    // See TakeValues.
    Count count_below(Number end, Number value) const;
    Number heap_with(Number value, Count index) const;

  private:
    KnownNimbers() = default;
    bool list_heaps();
    // The heaps of the table that have the value.
    std::span<const std::uint32_t> listed(Number value) const;
    // All heaps that have the value, where there is a saltus: then they are few.
    std::vector<Number> occurrences(Number value) const;

    std::shared_ptr<const NimberArray> values_;
    std::size_t size_ = 0;
    std::size_t made_from_ = 0;
    std::optional<Law> law_;
    std::vector<std::uint32_t> heaps_;   // by value, then by size
    std::vector<std::uint32_t> starts_;  // where the heaps of each value begin, and the end
    Reservation memory_;
};

}  // namespace engine

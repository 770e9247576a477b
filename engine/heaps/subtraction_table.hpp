// Nimbers of a subtraction set by table, grown on demand until a law for all heaps is proven.
#pragma once

#include <optional>

#include "engine/heaps/nimber_sequence.hpp"
#include "engine/heaps/take_values.hpp"

namespace engine {

class SubtractionTable : public TakeValues, public Occurrences {
  public:
    // The table stops growing where memory is short, at a quarter of all memory, and at this
    // length; at kFewHeaps where it could not reach the heap that is asked for.
    static constexpr std::size_t kMaxHeaps = std::size_t{1} << 31;
    static constexpr std::size_t kFewHeaps = std::size_t{1} << 22;

    explicit SubtractionTable(const TakeSet& set);

    std::optional<Number> value(Number heap, const Budget& budget) const override;
    Count count_below(Number end, Number value) const override;
    Number heap_with(Number value, Count index) const override;

    // Grows the table until a law is proven.
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;
    const Occurrences* occurrences() const override { return is_listed_ ? this : nullptr; }

  private:
    // How long the table may grow in order to reach this heap.
    std::size_t most_heaps(Number heap) const;

    const TakeSet set_;
    const bool is_listed_;  // the set is large
    const NimberSequence sequence_;
};

}  // namespace engine

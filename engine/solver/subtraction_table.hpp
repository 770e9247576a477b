// Nimbers of a subtraction set by table, grown on demand until a law for all heaps is proven.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "engine/solver/period_law.hpp"
#include "engine/solver/subtraction_sweep.hpp"
#include "engine/solver/take_values.hpp"
#include "engine/solver/value_index.hpp"

namespace engine {

// Shared by threads: they read what is published, and take turns in growing it.
class SubtractionTable : public TakeValues, public Occurrences {
  public:
    // It ends where memory is short, where it takes a quarter of all memory, and here; at
    // kFewHeaps where it could not reach what it is asked for.
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
    std::shared_ptr<const ValueIndex> known() const;
    // How long the table may become for the sake of this heap.
    std::size_t most_heaps(Number heap) const;
    // One step of work on a table that was seen to be too short. False: memory is short, or
    // there is no more to be done.
    bool grow(const ValueIndex& seen, std::size_t most, const Budget& budget) const;

    const TakeSet set_;
    const bool is_listed_;  // the set is large

    mutable std::mutex known_mutex_;
    mutable std::shared_ptr<const ValueIndex> known_;

    mutable std::timed_mutex growth_mutex_;
    mutable std::optional<SubtractionSweep> sweep_;  // gone once there is a law
    mutable std::size_t target_ = 0;
};

}  // namespace engine

// Nimbers of a subtraction set by table, grown on demand until a law for all heaps is proven.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/solver/period_law.hpp"
#include "engine/solver/subtraction_sweep.hpp"
#include "engine/solver/take_values.hpp"
#include "engine/solver/value_index.hpp"

namespace engine {

// Shared by threads: they read what is published, and take turns in growing it.
class SubtractionTable : public TakeValues {
  public:
    // Heaps from here on are unknown where no law has been found. A table of this length takes
    // some 50 MB at its largest.
    static constexpr std::size_t kMaxHeaps = std::size_t{1} << 22;

    explicit SubtractionTable(const TakeSet& set);

    std::optional<Number> value(Number heap, const Budget& budget) const override;
    Count count_below(Number end, Number value) const override;
    Number heap_with(Number value, Count index) const override;

    // Grows the table until a law is proven.
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;

    std::size_t bytes() const { return bytes_; }

  private:
    std::shared_ptr<const ValueIndex> known() const;
    // One step of work on a table that was seen to be too short.
    void grow(const ValueIndex& seen, const Budget& budget) const;

    const TakeSet set_;
    mutable std::atomic<std::size_t> bytes_ = 0;

    mutable std::mutex known_mutex_;
    mutable std::shared_ptr<const ValueIndex> known_;

    mutable std::mutex growth_mutex_;
    mutable std::optional<SubtractionSweep> sweep_;  // gone once there is nothing left to do
};

}  // namespace engine

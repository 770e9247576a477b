// The P-positions of a subtraction set, found on demand: a bit a heap, so that heaps are
// decided that are beyond tables of nimbers.
#pragma once

#include <mutex>
#include <optional>

#include "engine/solver/budget.hpp"
#include "engine/solver/outcome_sweep.hpp"

namespace engine {

// Shared by threads, which take turns. It takes a quarter of all memory at most.
class OutcomeTable {
  public:
    // See OutcomeSweep::serves().
    explicit OutcomeTable(const TakeSet& set) : sweep_(set) {}

    // nullopt: not known within the budget or the memory. Some 10^9 heaps a second, each once.
    std::optional<bool> is_p_position(Number heap, const Budget& budget) const;

  private:
    mutable std::timed_mutex mutex_;
    mutable OutcomeSweep sweep_;
};

}  // namespace engine

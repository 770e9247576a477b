// Labels of the heaps of a ruleset where play can come back to a heap, shared by threads.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "engine/solver/heap_labels.hpp"

namespace engine {

// HeapLabels behind a lock: threads take turns, each within its budget. Where too many heaps
// are reached from one, that is remembered, and what had been found is let go of.
class ExploredLabels {
  public:
    explicit ExploredLabels(std::shared_ptr<const Ruleset> rules) : rules_(std::move(rules)) {}

    // nullopt: there is no label (see HeapLabels), or it is not known within the budget, the
    // memory, or HeapLabels::kMostHeaps. A call that ends too early is gone on with by the next
    // one for the same heap.
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const;

    // See HeapSolver::counter. 0 where the heap has no finite label, or none that is known.
    std::uint64_t counter(const Heap& heap, const Budget& budget) const;

  private:
    // Gives `labels_` with all that can be found out about the heap; no lock where the budget
    // ends before it is this thread's turn.
    std::unique_lock<std::mutex> explore(const Heap& heap, const Budget& budget) const;

    const std::shared_ptr<const Ruleset> rules_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<HeapLabels> labels_;
    mutable std::set<Heap> hopeless_;  // from where too many heaps are reached
};

}  // namespace engine

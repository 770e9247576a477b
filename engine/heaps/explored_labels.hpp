// Labels of the heaps of a ruleset with loops, shared by threads.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "engine/heaps/heap_labels.hpp"

namespace engine {

// HeapLabels behind a lock: threads take turns, each within its budget. If too many heaps are
// reachable from one, that is remembered, and the results are dropped.
class ExploredLabels {
  public:
    explicit ExploredLabels(std::shared_ptr<const Ruleset> rules) : rules_(std::move(rules)) {}

    // nullopt: there is no label (see HeapLabels), or it is not found within the budget, the
    // memory, or HeapLabels::kMostHeaps. A call that ends too early is resumed by the next call
    // for the same heap.
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const;

    // See HeapSolver::counter. 0 where the heap has no finite label, or none that is known.
    std::uint64_t counter(const Heap& heap, const Budget& budget) const;

  private:
    // Explores and labels the heap, and returns the lock under which `labels_` may be read; a
    // lock that is not held if the budget ends before this thread's turn.
    std::unique_lock<std::timed_mutex> explore(const Heap& heap, const Budget& budget) const;

    const std::shared_ptr<const Ruleset> rules_;
    mutable std::timed_mutex mutex_;
    mutable std::unique_ptr<HeapLabels> labels_;
    mutable std::set<Heap> hopeless_;  // from where too many heaps are reached
};

}  // namespace engine

// Labels of heaps whose ruleset is known only by its moves: explores all reachable heaps, then
// labels them as a graph.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "engine/base/budget.hpp"
#include "engine/heaps/nimber.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {

// Labels of the heaps of one ruleset, found as they are asked for. Thread-safe: threads take
// turns, each within its budget. If too many heaps are reachable from one, that is remembered,
// and all labels found so far are dropped.
//
// Heaps that can come back to each other (strongly connected components, by Tarjan's algorithm)
// are labelled together by Smith's theory, see smith_labels.hpp, after all that they lead to.
// Where a move splits a heap, its label is the sum of the labels of the parts. But the theory
// is one of sums of graphs: it says nothing of heaps that split into heaps that can come back
// to them. Those, and what leads to them, have a label here where it is finite and can be
// proven answer by answer, as in a graph; else none.
class HeapLabels {
  public:
    explicit HeapLabels(std::shared_ptr<const Ruleset> rules);
    ~HeapLabels();

    // nullopt: there is no label, or it is not found within the budget or the memory, or from
    // more than 2^20 reachable heaps. A call that ends too early is resumed by the next call
    // for the same heap.
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const;

    // See HeapSolver::counter. 0 where the heap has no finite label, or none that is known. The
    // sum of the counters falls with each move to a sum of smaller label, and with the right
    // answer to any other move.
    std::uint64_t counter(const Heap& heap, const Budget& budget) const;

  private:
    class Exploration;

    // Explores and labels the heap, and returns the lock under which `exploration_` may be
    // read; a lock that is not held if the budget ends before this thread's turn.
    std::unique_lock<std::timed_mutex> explore(const Heap& heap, const Budget& budget) const;

    const std::shared_ptr<const Ruleset> rules_;
    mutable std::timed_mutex mutex_;
    mutable std::unique_ptr<Exploration> exploration_;
    mutable std::set<Heap> hopeless_;  // from where too many heaps are reached
};

}  // namespace engine

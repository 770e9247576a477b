// The outcome of a single heap.
#pragma once

#include <algorithm>

#include "engine/heaps/heap_solver.hpp"
#include "engine/sums/analyst.hpp"

namespace engine {

// Under normal play. With loops, a heap is drawn unless a move leads to 0.
inline Outcome outcome_of_heap(const HeapSolver& solver, bool can_repeat, const Heap& heap,
                               const Budget& budget) {
    if (!can_repeat) {
        const auto is_lost = solver.has_nimber(heap, 0, budget);
        return !is_lost ? Outcome::Unknown : *is_lost ? Outcome::P : Outcome::N;
    }
    const auto nimber = solver.nimber(heap, budget);
    if (!nimber) return Outcome::Unknown;
    if (is_zero(*nimber)) return Outcome::P;
    const auto* loopy = std::get_if<Loopy>(&*nimber);
    return loopy == nullptr || std::ranges::count(loopy->values, 0U) > 0 ? Outcome::N
                                                                         : Outcome::D;
}

}  // namespace engine

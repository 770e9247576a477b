// The followers of a heap of a taking-and-breaking game that have a given nimber.
#pragma once

#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/function_ref.hpp"
#include "engine/heaps/break_moves.hpp"
#include "engine/heaps/known_nimbers.hpp"

namespace engine {

// Followers as arithmetic progressions, because a heap may have 10^18 of them.
struct FollowerFamily {
    unsigned heaps = 0;  // that are left
    Number total = 0;    // of them
    // Two heaps: first + i * step and the rest of the total, i < count. Three heaps: these two
    // with a third of `least`. If row_step > 0, more rows follow until one is empty: each adds
    // row_step to `least` and to `first`, and has three followers fewer.
    Number least = 0;
    Number first = 0;
    Number step = 1;
    Count count = 1;
    Number row_step = 0;

    Count size() const;  // saturates at kMany
    // Number `index` < size() of them, canonical.
    std::vector<Heap> at(Count index) const;
};

// Calls `visit` with each family until it returns false. Returns whether all were visited, that
// is, none was left out because the budget ended or a nimber was unknown.
// Costs, for each place of the code that leaves two heaps, O(heap), or O(preperiod + period)
// where a law holds for all heaps; for three heaps the square of that.
bool visit_families(const BreakMoves& moves, const KnownNimbers& known, Number heap,
                    Number value, const Budget& budget,
                    FunctionRef<bool(const FollowerFamily&)> visit);

}  // namespace engine

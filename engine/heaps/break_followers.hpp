// The followers of a heap of a taking-and-breaking game that have a given nimber.
#pragma once

#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/function_ref.hpp"
#include "engine/heaps/break_moves.hpp"
#include "engine/heaps/known_nimbers.hpp"

namespace engine {

// Similar followers as arithmetic progressions, because a heap may have 10^18 of them.
struct FollowerFamily {
    unsigned heaps = 0;  // that are left
    Number total = 0;    // of them
    // Two heaps: first + i * step and the rest, i < count. Three heaps: the same beside one of
    // `least`; with row_step > 0 then also beside least + row_step with `first` the same
    // further and three fewer, and so on, as long as there are some.
    Number least = 0;
    Number first = 0;
    Number step = 1;
    Count count = 1;
    Number row_step = 0;

    Count size() const;  // saturates at kMany
    // Number `index` < size() of them, canonical.
    std::vector<Heap> at(Count index) const;
};

// Calls `visit` with each family until it returns false. Returns whether all were visited: none
// was left out for the budget or because of an unknown nimber.
// For two heaps O(heap) a place, or with a law for all heaps O(preperiod + period); for three
// heaps the square of that.
bool visit_families(const BreakMoves& moves, const KnownNimbers& known, Number heap,
                    Number value, const Budget& budget,
                    FunctionRef<bool(const FollowerFamily&)> visit);

}  // namespace engine

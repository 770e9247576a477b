// The moves of a taking-and-breaking game as its tables use them: which numbers may be removed
// from a heap to leave none, one, two or three heaps.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/heaps/nimber_sequence.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {

// The places of a code by what their digits allow, each list ascending: octal, hex, and with
// `unequal` Grundy's game, whose code is 4. (remove nothing, leave two heaps).
struct BreakMoves {
    std::vector<std::uint32_t> to_none;  // remove that many, leave no heap
    std::vector<std::uint32_t> to_one;
    std::vector<std::uint32_t> to_two;
    std::vector<std::uint32_t> to_three;
    bool unequal = false;  // two heaps that are left must differ

    // Digit number j of a code tells by bit i whether j may be removed so that i heaps are
    // left.
    static BreakMoves of_digits(const std::vector<std::uint8_t>& digits, bool unequal = false);

    bool splits() const { return !to_two.empty() || !to_three.empty(); }
    // The largest number that can be removed.
    Number last_place() const;
    // No move leaves more heaps: 2 or 3.
    Number most_heaps() const { return to_three.empty() ? 2 : 3; }
    // The number of places, which is the least work that a heap takes.
    std::size_t size() const {
        return to_none.size() + to_one.size() + to_two.size() + to_three.size();
    }
};

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
                    const std::function<bool(const FollowerFamily&)>& visit);

}  // namespace engine

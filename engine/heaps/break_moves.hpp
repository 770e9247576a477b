// The moves of a taking-and-breaking game as its tables use them: which numbers may be removed
// from a heap to leave none, one, two or three heaps.
#pragma once

#include <cstdint>
#include <vector>

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
    static BreakMoves of_grundy() { return of_digits({4}, true); }

    bool splits() const { return !to_two.empty() || !to_three.empty(); }
    // The largest number that can be removed.
    Number last_place() const;
    // No move leaves more heaps: 2 or 3.
    Number most_heaps() const;
    // The number of places, which is the least work that a heap takes.
    std::size_t size() const;
};

}  // namespace engine

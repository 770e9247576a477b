// Does play under these rules always end?
#pragma once

#include "engine/rules/formula/syntax.hpp"

namespace engine::rules {

// True where that is proven, by a measure that each move lowers in every heap it leaves (a heap
// is replaced by lower ones, so that the heaps fall in the multiset order of Dershowitz and
// Manna, "Proving termination with multiset orderings", 1979). Measures tried: the sum of the
// entries, then single entries; a move that keeps one of these may lower the next
// (lexicographically). That a measure falls is shown from the conditions joined by "&" that are
// affine, by Fourier and Motzkin's elimination. Rules with many clauses or conditions are not
// looked at. Some ms at most.
bool always_ends(const Rules& rules);

}  // namespace engine::rules

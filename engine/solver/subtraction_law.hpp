// Proofs of laws for all heaps of a subtraction set, from the nimbers of finitely many.
#pragma once

#include <optional>

#include "engine/rules/take.hpp"
#include "engine/solver/budget.hpp"
#include "engine/solver/nimber_array.hpp"
#include "engine/solver/period_law.hpp"

namespace engine {

// The first `size` values are the nimbers of the first heaps. nullopt: these prove nothing, or
// the budget ended. O(size) time.
//
// A finite set: if G(n) = G(n+p) in a window as long as the largest member, then from there on,
// since each nimber comes from the window before it.
// A set that lacks finitely many numbers, the largest m: a nimber comes from the m values
// before it and from the set of all earlier ones, that is, from its mex k and its finitely many
// elements above k. Where all that comes back, raised by s, then so do all later values.
std::optional<PeriodLaw> prove_law(const TakeSet& set, const NimberArray& values,
                                   std::size_t size, const Budget& budget);

}  // namespace engine

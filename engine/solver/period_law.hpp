// Laws of the nimbers of a subtraction set that hold for all heaps, proven from finitely many.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/rules/take.hpp"
#include "engine/solver/budget.hpp"

namespace engine {

// G(n+period) = G(n) + saltus for all n >= preperiod.
struct PeriodLaw {
    Number preperiod = 0;
    Number period = 0;
    Number saltus = 0;

    friend bool operator==(const PeriodLaw&, const PeriodLaw&) = default;
};

// `values` are the nimbers of the first heaps. nullopt: these prove nothing, or the budget
// ended.
//
// A finite set: if G(n) = G(n+p) in a window as long as the largest member, then from there on,
// since each nimber comes from the window before it.
// A set that lacks finitely many numbers, the largest m: a nimber comes from the m values
// before it and from the set of all earlier ones, that is, from its mex k and its finitely many
// elements above k. Where all that comes back, raised by s, then so do all later values.
std::optional<PeriodLaw> prove_law(const TakeSet& set, const std::vector<std::uint32_t>& values,
                                   const Budget& budget);

}  // namespace engine

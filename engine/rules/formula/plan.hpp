// In which order the loops over a clause's free variables run, between which bounds, and what
// is checked on the way.
#pragma once

#include <optional>
#include <span>

#include "engine/base/wide.hpp"
#include "engine/rules/formula/syntax.hpp"

namespace engine::rules {

// constant + the sum of coefficient * value over the terms, in exact arithmetic. A value is a
// variable (each in one term at most) or whatever else cannot be taken apart.
struct Affine {
    struct Term {
        std::int64_t coefficient = 0;
        Expression value;
        std::optional<std::uint32_t> variable;  // its slot
    };
    SignedWide constant = 0;  // below 2^95 in size, coefficients below 2^31, 8 terms at most
    std::vector<Term> terms;
};

// A larger condition is one term as a whole. Steps that fail stay in a term.
Affine find_affine(const Code& code, Expression expression);
// nullopt where it gets larger than that.
std::optional<Affine> difference(Affine left, const Affine& right);

// coefficient * x + rest `comparison` 0; `rest` tells no deeper variable than x.
struct Bound {
    std::int64_t coefficient = 1;
    Comparison comparison = Comparison::Equal;
    Affine rest;
};

struct Check {
    const Condition* condition = nullptr;
    bool is_bound = false;  // a Bound says the same, unless something overflows
};

// The loop over one variable. Its bounds, and every value 0..M, are what must hold; its checks
// are made for what is left.
struct Loop {
    std::uint32_t slot = 0;
    std::vector<Bound> bounds;
    std::vector<Check> checks;
};

struct Plan {
    std::vector<Check> checks;  // of the heap alone
    std::vector<Loop> loops;    // from the outermost in
};

// More loops than these have more than 10^7 bindings, unless every variable is 0. A plan for
// that has no loops.
inline constexpr std::size_t kMaxLoops = 23;

// `more` must hold besides the clause's conditions. The plan points into both.
Plan plan_loops(const Code& code, const Clause& clause, std::span<const Condition> more);

// Whether the first result goes up or down by 1 as the innermost variable does, on which there
// are no conditions besides its bounds.
bool leaves_a_range(const Code& code, const Clause& clause, const Plan& plan);

}  // namespace engine::rules

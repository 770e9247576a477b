// Bounds of the value of an expression: where nothing can overflow, it is computed without
// checks.
#pragma once

#include <functional>

#include "engine/rules/formula/syntax.hpp"

namespace engine::rules {

// Values lowest..highest. `overflows`: a step on the way may leave 64 bits.
struct Range {
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    bool overflows = false;
};

// Bounds of an expression when the variable of slot i lies in `variable(i)`. O(steps).
// Divisors that may be 0 are left out of account.
// Calls `visit_step` (may be empty) for every step that computes, with its operands' bounds.
using VariableRange = std::function<Range(std::uint32_t slot)>;
using VisitStep =
    std::function<void(std::uint32_t step, const Range& left, const Range& right)>;
Range find_range(const Code& code, Expression expression, const VariableRange& variable,
                 const VisitStep& visit_step = {});

// With all variables in 0..kSmall, divisions whose operands stay below 2^52 in size are marked
// `is_small`: doubles compute them exactly, and several times as fast. As loops run over less
// than kSmall values, these are all that matter.
inline constexpr std::int64_t kSmall = std::int64_t{1} << 24;
void mark_small(Code& code, const std::vector<Clause>& clauses);

// The largest of 0, 1, 3, 7, …, 2^63-1 such that no expression of the clause can overflow with
// all variables up to it.
std::int64_t safe_limit(const Code& code, const Clause& clause);

}  // namespace engine::rules

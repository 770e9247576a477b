// What the text of rules{…} says: clauses with patterns, results and conditions. How it is read
// (parser.cpp), and what can be told from it alone: whether play ends (termination.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "protocol/result.hpp"
#include "protocol/scanner.hpp"

namespace engine::rules {

enum class Operation : std::uint8_t {
    Constant,
    Variable,
    Add,
    Subtract,
    Multiply,
    Divide,     // rounds down
    Remainder,  // of Divide, as in Python: it has the divisor's sign
    Gcd,        // of the absolute values
    Min,
    Max,
    Xor,  // of two's complements, as in Python
};

// An expression is a run of steps in postfix order, so that a sum of a million terms is no
// tree a million deep.
struct Step {
    Operation operation;
    bool is_small = false;    // see mark_small() in evaluator.hpp
    std::uint32_t index = 0;  // of a constant, or a variable's slot in its clause
};

struct Code {
    std::vector<Step> steps;
    std::vector<std::int64_t> constants;
};

// Steps begin..end-1 of a Code.
struct Expression {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

enum class Comparison : std::uint8_t {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual
};

// The comparison that holds where this one does not.
constexpr Comparison opposite(Comparison comparison) {
    using enum Comparison;
    constexpr std::array kOpposite{NotEqual, Equal, GreaterEqual, Greater, LessEqual, Less};
    return kOpposite[static_cast<std::size_t>(comparison)];
}

// "!" is gone: the parser turns !(a|b) into !a&!b and !(a<b) into a>=b, which evaluate the
// same comparisons in the same order, and so fail on the same bindings.
struct Condition {
    enum class Kind : std::uint8_t { Compare, All, Any };

    Kind kind = Kind::Compare;
    Comparison comparison = Comparison::Equal;
    Expression left, right;        // of Compare
    std::vector<Condition> parts;  // of All ("&") and Any ("|"): two or more
};

// The slot of the variable of any Series.
inline constexpr std::uint32_t kSeriesSlot = std::numeric_limits<std::uint32_t>::max() - 1;

// "[i=first..last]" before a result: one heap for each i, all of which must lie in 0..M.
struct Series {
    std::size_t result = 0;  // its number among the clause's
    Expression variable, first, last;
};

// Slots of variables: first the entries of the heap as the pattern names them, then the other
// variables in the order in which they are met; not those of series.
struct Clause {
    bool is_stop = false;
    std::size_t variables = 0;
    std::size_t bound = 0;  // how many of these the pattern names

    // heap_count results of `entries` expressions each, one after the other; none in `stop`.
    std::vector<Expression> results;
    std::size_t heap_count = 0;
    std::vector<Series> series;         // in the order of their results
    std::vector<Condition> conditions;  // all must hold

    std::size_t free_count() const { return variables - bound; }
    // Of results[entry]; nullptr if that stands for one heap.
    const Series* series_of(std::size_t entry) const {
        const std::size_t result = entry / (results.size() / heap_count);
        const auto found = std::ranges::lower_bound(series, result, {}, &Series::result);
        return found != series.end() && found->result == result ? &*found : nullptr;
    }
};

// Calls `visit` with each expression of a condition, and of a clause.
template <typename Visit>
void visit_expressions(const Condition& condition, const Visit& visit) {
    for (const Condition& part : condition.parts) visit_expressions(part, visit);
    if (condition.kind != Condition::Kind::Compare) return;
    visit(condition.left);
    visit(condition.right);
}
template <typename Visit>
void visit_expressions(const Clause& clause, const Visit& visit) {
    for (const Expression result : clause.results) visit(result);
    for (const Series& series : clause.series) {
        visit(series.first);
        visit(series.last);
    }
    for (const Condition& condition : clause.conditions) visit_expressions(condition, visit);
}

struct Rules {
    std::size_t entries = 1;  // of every heap: 1 for a number, more for a tuple
    Code code;
    std::vector<Clause> clauses;
};

// The maximum nesting of brackets and "!".
inline constexpr std::size_t kMaxNesting = 100;

// Reads clauses up to the '}' after them. Linear in the text.
protocol::Result<Rules> parse_rules(protocol::Scanner& scanner);

// Whether play under these rules always ends: true where that is proven, by a measure that each
// move lowers in every heap it leaves (a heap is replaced by lower ones, so that the heaps fall
// in the multiset order of Dershowitz and Manna, "Proving termination with multiset orderings",
// 1979). Measures tried: the sum of the entries, then single entries; a move that keeps one of
// these may lower the next (lexicographically). That a measure falls is shown from the
// conditions joined by "&" that are affine, by Fourier and Motzkin's elimination. Rules with
// many clauses or conditions are not tried. At most some ms.
bool always_ends(const Rules& rules);

}  // namespace engine::rules

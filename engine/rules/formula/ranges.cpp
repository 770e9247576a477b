#include "engine/rules/formula/evaluator.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/rules/formula/plan.hpp"

namespace engine::rules {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

Range cut(SignedWide lowest, SignedWide highest) {
    Range range;
    range.overflows = lowest < kLowest || highest > kHighest;
    range.lowest = static_cast<std::int64_t>(std::clamp<SignedWide>(lowest, kLowest, kHighest));
    range.highest =
        static_cast<std::int64_t>(std::clamp<SignedWide>(highest, kLowest, kHighest));
    return range;
}

SignedWide size_of(const Range& range) {
    return std::max(range.highest > 0 ? SignedWide{range.highest} : -SignedWide{range.highest},
                    range.lowest > 0 ? SignedWide{range.lowest} : -SignedWide{range.lowest});
}

Range product(const Range& left, const Range& right) {
    const auto [lowest, highest] = std::minmax(
        {SignedWide{left.lowest} * right.lowest, SignedWide{left.lowest} * right.highest,
         SignedWide{left.highest} * right.lowest, SignedWide{left.highest} * right.highest});
    return cut(lowest, highest);
}

// Includes 0, which stands for the quotient by 0 until that is dropped.
Range quotient(const Range& left, const Range& right) {
    const SignedWide divisor = std::max<SignedWide>(1, right.lowest);
    if (right.lowest < 0) return cut(-size_of(left), size_of(left));
    const SignedWide lowest =
        left.lowest < 0 ? (left.lowest - divisor + 1) / divisor : SignedWide{0};
    return cut(lowest, std::max<SignedWide>(0, left.highest / divisor));
}

Range remainder(const Range& left, const Range& right) {
    SignedWide highest = right.highest > 0 ? SignedWide{right.highest} - 1 : 0;
    if (left.lowest >= 0 && right.lowest >= 0)
        highest = std::min<SignedWide>(highest, left.highest);
    return cut(right.lowest < 0 ? SignedWide{right.lowest} + 1 : 0, highest);
}

int bits_of(std::int64_t value) {
    return std::bit_width(static_cast<std::uint64_t>(value < 0 ? ~value : value));
}

Range exclusive_or(const Range& left, const Range& right) {
    const int bits = std::max({bits_of(left.lowest), bits_of(left.highest),
                               bits_of(right.lowest), bits_of(right.highest)});
    const SignedWide end = SignedWide{1} << bits;
    return cut(left.lowest >= 0 && right.lowest >= 0 ? SignedWide{0} : -end, end - 1);
}

Range combine(Operation operation, const Range& left, const Range& right) {
    switch (operation) {
        case Operation::Add:
            return cut(SignedWide{left.lowest} + right.lowest,
                       SignedWide{left.highest} + right.highest);
        case Operation::Subtract:
            return cut(SignedWide{left.lowest} - right.highest,
                       SignedWide{left.highest} - right.lowest);
        case Operation::Multiply:
            return product(left, right);
        case Operation::Divide:
            return quotient(left, right);
        case Operation::Remainder:
            return remainder(left, right);
        case Operation::Gcd:
            return cut(0, std::max(size_of(left), size_of(right)));
        case Operation::Min:
            return cut(std::min(left.lowest, right.lowest),
                       std::min(left.highest, right.highest));
        case Operation::Max:
            return cut(std::max(left.lowest, right.lowest),
                       std::max(left.highest, right.highest));
        case Operation::Xor:
            return exclusive_or(left, right);
        case Operation::Constant:
        case Operation::Variable:
            break;
    }
    return {};
}

bool can_overflow(const Code& code, const Clause& clause, std::int64_t limit) {
    const auto variable = [limit](std::uint32_t) { return Range{0, limit, false}; };
    bool overflows = false;
    visit_expressions(clause, [&](Expression expression) {
        overflows = overflows || find_range(code, expression, variable).overflows;
    });
    return overflows;
}

void mark_small(Code& code, Expression expression) {
    constexpr SignedWide kExact = SignedWide{1} << 52;
    const auto variable = [](std::uint32_t) { return Range{0, kSmall, false}; };
    find_range(code, expression, variable,
               [&](std::uint32_t step, const Range& left, const Range& right) {
                   code.steps[step].is_small =
                       size_of(left) < kExact && size_of(right) < kExact;
               });
}

}  // namespace

Range find_range(const Code& code, Expression expression, const VariableRange& variable,
                 const VisitStep& visit_step) {
    std::vector<Range> stack;
    bool overflows = false;
    for (std::uint32_t i = expression.begin; i < expression.end; ++i) {
        const Step& step = code.steps[i];
        if (step.operation == Operation::Constant) {
            const std::int64_t constant = code.constants[step.index];
            stack.push_back({constant, constant, false});
        } else if (step.operation == Operation::Variable) {
            stack.push_back(variable(step.index));
        } else {
            const Range right = stack.back();
            stack.pop_back();
            if (visit_step) visit_step(i, stack.back(), right);
            stack.back() = combine(step.operation, stack.back(), right);
            overflows = overflows || stack.back().overflows;
        }
    }
    Range range = stack.back();
    range.overflows = overflows;
    return range;
}

void mark_small(Code& code, const std::vector<Clause>& clauses) {
    for (const Clause& clause : clauses) {
        visit_expressions(clause, [&](Expression expression) { mark_small(code, expression); });
    }
}

std::int64_t safe_limit(const Code& code, const Clause& clause) {
    int low = 0;  // 2^low - 1 is safe, or nothing is
    int high = 64;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        const auto limit = static_cast<std::int64_t>((std::uint64_t{1} << middle) - 1);
        (can_overflow(code, clause, limit) ? high : low) = middle;
    }
    if (low == 0 && can_overflow(code, clause, 0)) return -1;
    return static_cast<std::int64_t>((std::uint64_t{1} << low) - 1);
}

}  // namespace engine::rules

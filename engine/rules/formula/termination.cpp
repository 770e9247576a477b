#include "engine/rules/formula/syntax.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "engine/rules/formula/plan.hpp"

namespace engine::rules {
namespace {

constexpr std::size_t kMaxFacts = 150;
constexpr std::int64_t kMaxNumber = std::int64_t{1} << 31;

// constant + the sum of coefficients * unknowns >= 0, all integers below kMaxNumber in size.
struct Fact {
    std::map<std::size_t, std::int64_t> coefficients;  // none is 0
    std::int64_t constant = 0;
};

// Divides by what all coefficients have in common; an integer above -1/2 is one above -1.
void tighten(Fact& fact) {
    std::int64_t common = 0;
    for (const auto& [unknown, coefficient] : fact.coefficients) {
        common = std::gcd(common, coefficient);
    }
    if (common <= 1) return;
    for (auto& [unknown, coefficient] : fact.coefficients) coefficient /= common;
    const std::int64_t rest = fact.constant % common;
    fact.constant = fact.constant / common - (rest < 0 ? 1 : 0);
}

// left * left_factor + right * right_factor, with factors above 0.
std::optional<Fact> combine(const Fact& left, std::int64_t left_factor, const Fact& right,
                            std::int64_t right_factor) {
    Fact sum;
    bool is_moderate = true;
    const auto add = [&](std::int64_t& to, std::int64_t number, std::int64_t factor) {
        to += number * factor;  // below 2^31 each: no overflow
        is_moderate = is_moderate && to < kMaxNumber && to > -kMaxNumber;
    };
    for (const auto& [fact, factor] :
         {std::pair(&left, left_factor), std::pair(&right, right_factor)}) {
        add(sum.constant, fact->constant, factor);
        for (const auto& [unknown, coefficient] : fact->coefficients) {
            add(sum.coefficients[unknown], coefficient, factor);
        }
    }
    std::erase_if(sum.coefficients, [](const auto& entry) { return entry.second == 0; });
    if (!is_moderate) return std::nullopt;
    tighten(sum);
    return sum;
}

// Whether it is proven that no integers fulfil all facts. `work`: the steps that may still be
// spent on the proof.
bool is_contradiction(std::vector<Fact> facts, std::size_t& work) {
    for (;;) {
        for (const Fact& fact : facts) {
            if (fact.coefficients.empty() && fact.constant < 0) return true;
        }
        // Eliminates the unknown that takes the fewest new facts.
        std::map<std::size_t, std::pair<std::size_t, std::size_t>> signs;
        for (const Fact& fact : facts) {
            for (const auto& [unknown, coefficient] : fact.coefficients) {
                ++(coefficient > 0 ? signs[unknown].first : signs[unknown].second);
            }
        }
        if (signs.empty()) return false;
        const std::size_t unknown = std::ranges::min_element(signs, {}, [](const auto& entry) {
                                        return entry.second.first * entry.second.second;
                                    })->first;
        std::vector<Fact> next;
        for (const Fact& lower : facts) {
            const auto found = lower.coefficients.find(unknown);
            if (found == lower.coefficients.end()) {
                next.push_back(lower);
                continue;
            }
            if (found->second < 0) continue;
            for (const Fact& upper : facts) {
                const auto other = upper.coefficients.find(unknown);
                if (other == upper.coefficients.end() || other->second > 0) continue;
                if (work == 0) return false;
                --work;
                auto sum = combine(lower, -other->second, upper, found->second);
                if (sum) next.push_back(*std::move(sum));
                if (next.size() > kMaxFacts) return false;
            }
        }
        facts = std::move(next);
    }
}

// What is known of a binding that is a move: unknowns are variables and values that cannot be
// taken apart. An expression is exact in a move, as nothing overflows there.
class Knowledge {
  public:
    // `series` (may be null): what is known besides of one of its heaps.
    Knowledge(const Code& code, const Clause& clause, const Series* series, std::size_t& work)
        : code_(code), work_(work) {
        std::vector<Condition> conditions = clause.conditions;
        if (series != nullptr) {
            using enum Comparison;
            const auto kind = Condition::Kind::Compare;
            conditions.push_back({kind, GreaterEqual, series->variable, series->first, {}});
            conditions.push_back({kind, LessEqual, series->variable, series->last, {}});
        }
        // What is said of variables alone helps to understand the rest.
        for (const bool is_simple : {true, false}) {
            for (const Condition& condition : conditions) {
                if (condition.kind == Condition::Kind::Compare) learn(condition, is_simple);
            }
        }
        for (std::size_t i = 0; i < clause.results.size(); ++i) {
            const Series* const own = clause.series_of(i);
            if (own == nullptr || own == series) {
                learn_not_negative(find_affine(code, clause.results[i]));
            }
        }
    }

    // Is it at least `least` in every move?
    bool proves(const std::optional<Affine>& affine, std::int64_t least) {
        if (!affine) return false;
        auto fact = fact_of(*affine, -1);
        if (!fact) return false;
        fact->constant += least - 1;  // affine <= least - 1 is to be impossible
        if (facts_.size() >= kMaxFacts) return false;
        std::vector<Fact> facts = facts_;
        facts.push_back(*std::move(fact));
        return is_contradiction(std::move(facts), work_);
    }

  private:
    // factor * affine >= 0.
    std::optional<Fact> fact_of(const Affine& affine, std::int64_t factor) {
        constexpr SignedWide kLimit = kMaxNumber;
        if (affine.constant >= kLimit || affine.constant <= -kLimit) return std::nullopt;
        Fact fact;
        fact.constant = static_cast<std::int64_t>(affine.constant) * factor;
        for (const Affine::Term& term : affine.terms) {
            std::int64_t& coefficient = fact.coefficients[unknown_of(term)];
            coefficient += term.coefficient * factor;
            if (coefficient >= kMaxNumber || coefficient <= -kMaxNumber) return std::nullopt;
        }
        std::erase_if(fact.coefficients, [](const auto& entry) { return entry.second == 0; });
        return fact;
    }

    void add(const Affine& affine, std::int64_t factor, std::int64_t constant) {
        auto fact = fact_of(affine, factor);
        if (!fact) return;
        fact->constant += constant;
        if (fact->constant >= kMaxNumber || fact->constant <= -kMaxNumber) return;
        tighten(*fact);
        facts_.push_back(*std::move(fact));
    }

    void learn_not_negative(const Affine& affine) { add(affine, 1, 0); }

    // Only where it is of variables alone, or only where it is not.
    void learn(const Condition& condition, bool is_simple) {
        const auto affine =
            difference(find_affine(code_, condition.left), find_affine(code_, condition.right));
        if (!affine) return;
        const bool has_variables_alone = std::ranges::all_of(
            affine->terms, [](const Affine::Term& term) { return term.variable.has_value(); });
        if (has_variables_alone != is_simple) return;
        switch (condition.comparison) {
            case Comparison::Equal:
                add(*affine, 1, 0);
                add(*affine, -1, 0);
                break;
            case Comparison::NotEqual: {
                // If it cannot be negative, it is positive; and the other way round.
                const bool is_above = proves(*affine, 0);
                if (is_above || proves(difference(Affine(), *affine), 0)) {
                    add(*affine, is_above ? 1 : -1, -1);
                }
                break;
            }
            case Comparison::Less:
                add(*affine, -1, -1);
                break;
            case Comparison::LessEqual:
                add(*affine, -1, 0);
                break;
            case Comparison::Greater:
                add(*affine, 1, -1);
                break;
            case Comparison::GreaterEqual:
                add(*affine, 1, 0);
                break;
        }
    }

    std::size_t unknown_of(const Affine::Term& term) {
        std::vector<std::pair<Operation, std::int64_t>> text;
        for (std::uint32_t i = term.value.begin; i < term.value.end; ++i) {
            const Step& step = code_.steps[i];
            text.emplace_back(step.operation, step.operation == Operation::Constant
                                                  ? code_.constants[step.index]
                                                  : step.index);
        }
        const auto [found, is_new] = unknowns_.try_emplace(std::move(text), unknowns_.size());
        const std::size_t unknown = found->second;
        if (is_new && term.variable) facts_.push_back({{{unknown, 1}}, 0});
        constexpr std::size_t kMaxDepth = 20;
        if (is_new && !term.variable && depth_ < kMaxDepth) {
            ++depth_;
            learn_value(term);
            --depth_;
        }
        return unknown;
    }

    // What an operation says of its value; conditions on the operands' signs are proven first.
    void learn_value(const Affine::Term& term) {
        const auto [left_range, right_range] = operands(term.value);
        Affine value;
        value.terms.push_back({1, term.value, std::nullopt});
        const Affine left = find_affine(code_, left_range);
        const Affine right = find_affine(code_, right_range);
        const auto at_least = [&](const Affine& more, const Affine& less, std::int64_t by = 0) {
            if (const auto rest = difference(more, less)) add(*rest, 1, -by);
        };
        const Affine zero;
        switch (code_.steps[term.value.end - 1].operation) {
            case Operation::Min:
                at_least(left, value);
                at_least(right, value);
                break;
            case Operation::Max:
                at_least(value, left);
                at_least(value, right);
                break;
            case Operation::Gcd:
                at_least(value, zero);
                break;
            case Operation::Multiply:
                if (!proves(left, 0) || !proves(right, 0)) break;
                at_least(value, zero);
                if (proves(left, 1)) at_least(value, right);
                if (proves(right, 1)) at_least(value, left);
                break;
            case Operation::Divide:
                learn_quotient(value, left, right);
                break;
            case Operation::Remainder:
                // A divisor that cannot be negative cannot be 0 either.
                if (!proves(right, 0)) break;
                at_least(value, zero);
                at_least(right, value, 1);
                at_least(right, zero, 1);
                if (proves(left, 0)) at_least(left, value);
                break;
            default:
                break;
        }
    }

    void learn_quotient(const Affine& value, const Affine& left, const Affine& right) {
        if (!proves(right, 0)) return;
        add(right, 1, -1);
        if (proves(left, 0)) {
            add(value, 1, 0);
            Affine most = value;
            if (proves(right, 2)) most.terms.front().coefficient = 2;
            if (const auto rest = difference(left, most)) add(*rest, 1, 0);
        }
        if (!right.terms.empty() || right.constant >= kMaxNumber) return;
        // divisor * value <= left <= divisor * value + divisor - 1
        Affine multiple = value;
        multiple.terms.front().coefficient = static_cast<std::int64_t>(right.constant);
        if (const auto rest = difference(left, multiple)) {
            add(*rest, 1, 0);
            add(*rest, -1, static_cast<std::int64_t>(right.constant) - 1);
        }
    }

    // The operands of the last step.
    std::pair<Expression, Expression> operands(Expression value) const {
        std::uint32_t begin = value.end - 1;
        for (std::size_t missing = 1; missing > 0;) {
            const Operation operation = code_.steps[--begin].operation;
            const bool is_leaf =
                operation == Operation::Constant || operation == Operation::Variable;
            missing += is_leaf ? 0 : 2;
            --missing;
        }
        return {{value.begin, begin}, {begin, value.end - 1}};
    }

    const Code& code_;
    std::size_t& work_;
    std::size_t depth_ = 0;
    std::map<std::vector<std::pair<Operation, std::int64_t>>, std::size_t> unknowns_;
    std::vector<Fact> facts_;
};

// Entry number `entry` of a heap, or the sum of all entries if there is no such entry.
std::optional<Affine> measure(const Code& code, const Rules& rules, std::size_t entry,
                              std::span<const Expression> heap) {
    if (entry < rules.entries) return find_affine(code, heap[entry]);
    std::optional<Affine> sum = Affine();
    for (const Expression expression : heap) {
        // sum - (0 - expression)
        const auto negative = difference(Affine(), find_affine(code, expression));
        if (sum && negative) sum = difference(*std::move(sum), *negative);
    }
    return sum;
}

}  // namespace

bool always_ends(const Rules& rules) {
    constexpr std::size_t kMaxSteps = 3000;
    constexpr std::size_t kMaxConditions = 40;
    constexpr std::size_t kMaxMoves = 40;
    constexpr std::size_t kMaxEntries = 16;
    std::size_t work = 50000;  // sums of two facts
    struct Move {
        std::size_t clause;
        std::span<const Expression> heap;  // one that it leaves
    };
    std::vector<Move> moves;
    std::vector<Knowledge> knowledge;
    // The heap before the move, as expressions after all others.
    Code code = rules.code;
    if (code.steps.size() > kMaxSteps || rules.entries > kMaxEntries) return false;
    std::vector<Expression> before;
    for (std::size_t i = 0; i < rules.entries; ++i) {
        const auto at = static_cast<std::uint32_t>(code.steps.size());
        code.steps.push_back({Operation::Variable, false, static_cast<std::uint32_t>(i)});
        before.push_back({at, at + 1});
    }
    for (const Clause& clause : rules.clauses) {
        if (clause.conditions.size() > kMaxConditions) return false;
        if (clause.is_stop) continue;
        knowledge.emplace_back(code, clause, nullptr, work);
        const std::size_t of_clause = knowledge.size() - 1;
        for (std::size_t i = 0; i < clause.heap_count && moves.size() <= kMaxMoves; ++i) {
            const std::size_t entry = i * rules.entries;
            const Series* const series = clause.series_of(entry);
            if (series != nullptr) knowledge.emplace_back(code, clause, series, work);
            moves.push_back({series == nullptr ? of_clause : knowledge.size() - 1,
                             std::span(clause.results).subspan(entry, rules.entries)});
        }
        if (moves.size() > kMaxMoves) return false;
    }
    // Each round looks for a measure that no move left raises, and drops those it proves lower.
    for (bool progress = true; progress && !moves.empty();) {
        progress = false;
        for (std::size_t entry = rules.entries + 1; entry-- > 0;) {
            const auto fall = [&](const Move& move) -> std::optional<Affine> {
                auto from = measure(code, rules, entry, before);
                const auto to = measure(code, rules, entry, move.heap);
                if (!from || !to) return std::nullopt;
                return difference(*std::move(from), *to);
            };
            const bool never_rises = std::ranges::all_of(moves, [&](const Move& move) {
                return knowledge[move.clause].proves(fall(move), 0);
            });
            if (!never_rises) continue;
            progress = std::erase_if(moves, [&](const Move& move) {
                           return knowledge[move.clause].proves(fall(move), 1);
                       }) > 0;
            if (progress) break;
        }
    }
    return moves.empty();
}

}  // namespace engine::rules

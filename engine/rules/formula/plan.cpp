#include "engine/rules/formula/plan.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace engine::rules {
namespace {

constexpr std::int64_t kMaxCoefficient = std::int64_t{1} << 31;
constexpr SignedWide kMaxConstant = SignedWide{1} << 95;
constexpr std::size_t kMaxTerms = 8;

bool is_moderate(const Affine& affine) {
    if (affine.constant >= kMaxConstant || affine.constant <= -kMaxConstant) return false;
    if (affine.terms.size() > kMaxTerms) return false;
    return std::ranges::all_of(affine.terms, [](const Affine::Term& term) {
        return term.coefficient < kMaxCoefficient && term.coefficient > -kMaxCoefficient;
    });
}

// left += factor * right.
bool add(Affine& left, const Affine& right, std::int64_t factor) {
    left.constant += factor * right.constant;
    for (Affine::Term term : right.terms) {
        term.coefficient *= factor;
        const auto same = std::ranges::find_if(left.terms, [&](const Affine::Term& other) {
            return other.variable && other.variable == term.variable;
        });
        if (same == left.terms.end()) {
            left.terms.push_back(term);
        } else if ((same->coefficient += term.coefficient) == 0) {
            left.terms.erase(same);
        }
    }
    return is_moderate(left);
}

// The constant that an expression without variables was found to be.
std::optional<std::int64_t> small_constant(const Affine& affine) {
    if (!affine.terms.empty()) return std::nullopt;
    if (affine.constant >= kMaxCoefficient || affine.constant <= -kMaxCoefficient) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(affine.constant);
}

std::optional<Affine> scaled(const Affine& affine, std::int64_t factor) {
    Affine result;
    if (factor == 0) {
        // 0*(n/k) is not 0 where k is.
        const bool is_zero = std::ranges::all_of(
            affine.terms, [](const Affine::Term& term) { return term.variable.has_value(); });
        return is_zero ? std::optional(result) : std::nullopt;
    }
    if (!add(result, affine, factor)) return std::nullopt;
    return result;
}

std::optional<Affine> combine(Operation operation, const Affine& left, const Affine& right) {
    if (operation == Operation::Add || operation == Operation::Subtract) {
        Affine sum = left;
        if (!add(sum, right, operation == Operation::Add ? 1 : -1)) return std::nullopt;
        return sum;
    }
    if (operation != Operation::Multiply) return std::nullopt;
    if (const auto factor = small_constant(right)) return scaled(left, *factor);
    if (const auto factor = small_constant(left)) return scaled(right, *factor);
    return std::nullopt;
}

Affine single(Expression value, std::optional<std::uint32_t> variable) {
    Affine affine;
    affine.terms.push_back({1, value, variable});
    return affine;
}

// What a comparison, or a result that must not be negative, says of the free variables.
struct Relation {
    Comparison comparison = Comparison::Equal;
    Affine affine;               // compared with 0
    std::uint32_t free = 0;      // the free variables in it, one bit each
    std::uint32_t solvable = 0;  // the ones it can be solved for
};

class Planner {
  public:
    Planner(const Code& code, const Clause& clause, std::span<const Condition> more)
        : code_(code), clause_(clause), more_(more) {}

    Plan plan() {
        Plan plan;
        const bool has_loops = clause_.free_count() <= kMaxLoops;
        if (has_loops) find_relations();
        while (has_loops && std::popcount(chosen_) < static_cast<int>(clause_.free_count())) {
            plan.loops.push_back(next_loop());
        }
        for (const auto conditions : {std::span(clause_.conditions), more_}) {
            for (const Condition& condition : conditions) place(condition, plan);
        }
        return plan;
    }

  private:
    std::uint32_t bit_of(std::uint32_t slot) const {
        if (slot < clause_.bound || slot >= clause_.variables) return 0;
        return std::uint32_t{1} << (slot - clause_.bound);
    }

    std::uint32_t free_in(Expression expression) const {
        std::uint32_t free = 0;
        for (std::uint32_t i = expression.begin; i < expression.end; ++i) {
            const Step& step = code_.steps[i];
            if (step.operation == Operation::Variable) free |= bit_of(step.index);
        }
        return free;
    }

    std::uint32_t free_in(const Condition& condition) const {
        std::uint32_t free = free_in(condition.left) | free_in(condition.right);
        for (const Condition& part : condition.parts) free |= free_in(part);
        return free;
    }

    void find_relations() {
        constexpr std::size_t kMaxRelations = 200;  // of more, some are checked only
        for (const auto conditions : {more_, std::span(clause_.conditions)}) {
            for (const Condition& condition : conditions) {
                if (relations_.size() == kMaxRelations) return;
                if (condition.kind != Condition::Kind::Compare) continue;
                add_relation(condition.comparison,
                             difference(find_affine(code_, condition.left),
                                        find_affine(code_, condition.right)),
                             &condition);
            }
        }
        for (std::size_t i = 0; i < clause_.results.size(); ++i) {
            if (relations_.size() == kMaxRelations) return;
            if (clause_.series_of(i) != nullptr) continue;  // there may be no such heap
            add_relation(Comparison::GreaterEqual, find_affine(code_, clause_.results[i]),
                         nullptr);
        }
    }

    void add_relation(Comparison comparison, std::optional<Affine> affine,
                      const Condition* condition) {
        if (!affine || comparison == Comparison::NotEqual) return;
        Relation relation{comparison, *std::move(affine)};
        std::uint32_t hidden = 0;
        for (const Affine::Term& term : relation.affine.terms) {
            if (term.variable) relation.solvable |= bit_of(*term.variable);
            relation.free |= free_in(term.value);
            if (!term.variable) hidden |= free_in(term.value);
        }
        relation.solvable &= ~hidden;
        if (relation.solvable == 0) return;
        if (condition != nullptr) solvable_.emplace(condition, relation.solvable);
        relations_.push_back(std::move(relation));
    }

    bool bounds(const Relation& relation, std::uint32_t bit) const {
        return (relation.solvable & bit) != 0 && (relation.free & ~(chosen_ | bit)) == 0;
    }

    // The next variable: the one that the variables before it narrow most.
    Loop next_loop() {
        std::uint32_t best = 0;
        int most = -1;
        for (std::uint32_t i = 0; i < clause_.free_count(); ++i) {
            const std::uint32_t bit = std::uint32_t{1} << i;
            if ((chosen_ & bit) != 0) continue;
            const int narrowed = narrowing(bit);
            if (narrowed <= most) continue;
            most = narrowed;
            best = i;
        }
        const std::uint32_t bit = std::uint32_t{1} << best;
        Loop loop;
        loop.slot = static_cast<std::uint32_t>(clause_.bound) + best;
        for (const Relation& relation : relations_) {
            if (bounds(relation, bit)) loop.bounds.push_back(bound_of(relation, loop.slot));
        }
        chosen_ |= bit;
        order_.push_back(chosen_);
        return loop;
    }

    int narrowing(std::uint32_t bit) const {
        bool solved = false;
        bool narrowed = false;
        for (const Relation& relation : relations_) {
            if (!bounds(relation, bit)) continue;
            solved = solved || relation.comparison == Comparison::Equal;
            narrowed = true;
        }
        return solved ? 2 : narrowed ? 1 : 0;
    }

    static Bound bound_of(const Relation& relation, std::uint32_t slot) {
        Bound bound{1, relation.comparison, relation.affine};
        const auto own =
            std::ranges::find(bound.rest.terms, std::optional(slot), &Affine::Term::variable);
        bound.coefficient = own->coefficient;
        bound.rest.terms.erase(own);
        return bound;
    }

    // As far out as all of its variables are known.
    void place(const Condition& condition, Plan& plan) const {
        const std::uint32_t free = plan.loops.empty() ? 0 : free_in(condition);
        if (free == 0) {
            plan.checks.push_back({&condition});
            return;
        }
        std::size_t depth = 0;
        while ((free & ~order_[depth]) != 0) ++depth;
        plan.loops[depth].checks.push_back(
            {&condition, is_bound(condition, bit_of(plan.loops[depth].slot))});
    }

    bool is_bound(const Condition& condition, std::uint32_t bit) const {
        const auto found = solvable_.find(&condition);
        return found != solvable_.end() && (found->second & bit) != 0;
    }

    const Code& code_;
    const Clause& clause_;
    std::span<const Condition> more_;
    std::vector<Relation> relations_;
    std::unordered_map<const Condition*, std::uint32_t> solvable_;  // of the relations
    std::uint32_t chosen_ = 0;          // one bit for each variable that has its loop
    std::vector<std::uint32_t> order_;  // chosen_ after each loop
};

}  // namespace

std::optional<Affine> difference(Affine left, const Affine& right) {
    if (!add(left, right, -1)) return std::nullopt;
    return left;
}

Affine find_affine(const Code& code, Expression expression) {
    struct Part {
        Affine affine;
        std::uint32_t begin;
    };
    std::vector<Part> stack;
    for (std::uint32_t i = expression.begin; i < expression.end; ++i) {
        const Step& step = code.steps[i];
        if (step.operation == Operation::Constant) {
            Affine constant;
            constant.constant = code.constants[step.index];
            stack.push_back({std::move(constant), i});
        } else if (step.operation == Operation::Variable) {
            stack.push_back({single({i, i + 1}, step.index), i});
        } else {
            const Affine right = std::move(stack.back().affine);
            stack.pop_back();
            Part& left = stack.back();
            auto combined = combine(step.operation, left.affine, right);
            left.affine =
                combined ? *std::move(combined) : single({left.begin, i + 1}, std::nullopt);
        }
    }
    return std::move(stack.back().affine);
}

Plan plan_loops(const Code& code, const Clause& clause, std::span<const Condition> more) {
    return Planner(code, clause, more).plan();
}

bool leaves_a_range(const Code& code, const Clause& clause, const Plan& plan) {
    if (plan.loops.empty()) return false;
    const Loop& loop = plan.loops.back();
    if (!std::ranges::all_of(loop.checks, &Check::is_bound)) return false;
    bool is_one_step = false;
    for (const Affine::Term& term : find_affine(code, clause.results.front()).terms) {
        if (term.variable == loop.slot) {
            is_one_step = term.coefficient == 1 || term.coefficient == -1;
            continue;
        }
        for (std::uint32_t i = term.value.begin; i < term.value.end; ++i) {
            const Step& step = code.steps[i];
            if (step.operation == Operation::Variable && step.index == loop.slot) return false;
        }
    }
    return is_one_step;
}

}  // namespace engine::rules

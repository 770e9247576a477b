// The speed of move generation in rules{…}: bindings per second, as a ratio to a plain
// evaluator that walks a tree for each binding, in loops over 0..largest entry.
//
//   engine_bench rules
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/catalogue.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"
#include "engine/rules/formula/syntax.hpp"
#include "tests/bench/sections.hpp"

namespace {

using engine::Number;
using namespace engine::rules;

// ---- the plain evaluator ----

struct Failure {};

struct Tree {
    virtual ~Tree() = default;
    virtual std::int64_t value(const std::vector<std::int64_t>& variables) const = 0;
};

struct Leaf : Tree {
    bool is_variable = false;
    std::int64_t number = 0;
    std::int64_t value(const std::vector<std::int64_t>& variables) const override {
        return is_variable ? variables[static_cast<std::size_t>(number)] : number;
    }
};

struct Node : Tree {
    Operation operation = Operation::Add;
    std::unique_ptr<Tree> left, right;

    std::int64_t value(const std::vector<std::int64_t>& variables) const override {
        const std::int64_t a = left->value(variables);
        const std::int64_t b = right->value(variables);
        std::int64_t c = 0;
        bool fails = false;
        switch (operation) {
            case Operation::Add:
                fails = __builtin_add_overflow(a, b, &c);
                break;
            case Operation::Subtract:
                fails = __builtin_sub_overflow(a, b, &c);
                break;
            case Operation::Multiply:
                fails = __builtin_mul_overflow(a, b, &c);
                break;
            case Operation::Divide:
                fails = b == 0 || (b == -1 && a == INT64_MIN);
                if (!fails) c = a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
                break;
            case Operation::Remainder:
                fails = b == 0;
                if (!fails && b != -1) c = a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
                break;
            default:
                fails = true;  // not in the rules below
        }
        if (fails) throw Failure();
        return c;
    }
};

std::unique_ptr<Tree> tree_of(const Code& code, Expression expression) {
    std::vector<std::unique_ptr<Tree>> stack;
    for (std::uint32_t i = expression.begin; i < expression.end; ++i) {
        const Step& step = code.steps[i];
        if (step.operation == Operation::Constant || step.operation == Operation::Variable) {
            auto leaf = std::make_unique<Leaf>();
            leaf->is_variable = step.operation == Operation::Variable;
            leaf->number = leaf->is_variable ? step.index : code.constants[step.index];
            stack.push_back(std::move(leaf));
            continue;
        }
        auto node = std::make_unique<Node>();
        node->operation = step.operation;
        node->right = std::move(stack.back());
        stack.pop_back();
        node->left = std::move(stack.back());
        stack.back() = std::move(node);
    }
    return std::move(stack.back());
}

struct PlainClause {
    struct Compared {
        Comparison comparison;
        std::unique_ptr<Tree> left, right;
    };
    std::size_t bound = 0;
    std::size_t variables = 0;
    std::vector<Compared> conditions;
    std::vector<std::unique_ptr<Tree>> results;
};

bool is_true(const PlainClause::Compared& compared,
             const std::vector<std::int64_t>& variables) {
    return engine::rules::holds(compared.comparison, compared.left->value(variables),
                                compared.right->value(variables));
}

bool is_move(const PlainClause& clause, const std::vector<std::int64_t>& variables) {
    try {
        for (const auto& condition : clause.conditions) {
            if (!is_true(condition, variables)) return false;
        }
        for (const auto& result : clause.results) {
            if (result->value(variables) < 0) return false;
        }
        return true;
    } catch (const Failure&) {
        return false;
    }
}

std::size_t count_plainly(const PlainClause& clause, std::vector<std::int64_t>& variables,
                          std::size_t slot, std::int64_t largest) {
    if (slot == clause.variables) return is_move(clause, variables) ? 1 : 0;
    std::size_t count = 0;
    for (std::int64_t value = 0; value <= largest; ++value) {
        variables[slot] = value;
        count += count_plainly(clause, variables, slot + 1, largest);
    }
    return count;
}

std::size_t count_plainly(const std::string& text, const std::vector<Number>& heap) {
    protocol::Scanner scanner(text);
    const auto rules = parse_rules(scanner);
    std::size_t count = 0;
    for (const Clause& clause : rules->clauses) {
        PlainClause plain{clause.bound, clause.variables.size(), {}, {}};
        for (const Condition& condition : clause.conditions) {
            plain.conditions.push_back({condition.comparison,
                                        tree_of(rules->code, condition.left),
                                        tree_of(rules->code, condition.right)});
        }
        for (const Expression result : clause.results) {
            plain.results.push_back(tree_of(rules->code, result));
        }
        std::vector<std::int64_t> variables(heap.begin(), heap.end());
        variables.resize(plain.variables);
        count += count_plainly(plain, variables, plain.bound,
                               static_cast<std::int64_t>(std::ranges::max(heap)));
    }
    return count;
}

// ---- measuring ----

// CPU time, so that other load of the machine matters less.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Case {
    const char* parameters;
    std::vector<Number> heap;
    double bindings;  // of all clauses
};

void measure(const Case& measured) {
    const std::string text = std::string(measured.parameters) + '}';
    const auto found = engine::find_ruleset({"rules{" + text});
    const auto rules = std::dynamic_pointer_cast<const engine::UserRules>(*found);

    double begin = seconds();
    std::size_t moves = 0;
    rules->visit_moves(measured.heap, [&](const MoveBlock& block) {
        moves += block.count;
        return true;
    });
    const double visit = seconds() - begin;

    begin = seconds();
    const std::size_t plain_moves = count_plainly(text, measured.heap);
    const double plain = seconds() - begin;

    begin = seconds();
    const auto different =
        rules->list_followers(measured.heap, [](std::size_t) { return false; })->size();
    const double list = seconds() - begin;

    fmt::print("{:<44} {:>9.0f} {:>9} {:>8.1f} {:>8.1f} {:>7.1f} {:>9} {:>8.1f}{}\n",
               measured.parameters, measured.bindings, moves, measured.bindings / visit / 1e6,
               measured.bindings / plain / 1e6, plain / visit, different, list * 1e3,
               moves == plain_moves ? "" : "  WRONG");
}

// Nimbers of heaps that any share of up to a third may be taken from: the table of the solver,
// and the obvious one that marks every option.
void measure_table(Number heaps) {
    const protocol::RulesetText text{"rules{n->n-k:k>=1&3*k<=n}"};
    const auto solver = engine::find_solver(text, *engine::find_ruleset(text));
    double begin = seconds();
    const auto value = solver->nimber(engine::Heap(heaps - 1), {});
    const double table = std::max(seconds() - begin, 1e-9);

    begin = seconds();
    std::vector<std::uint32_t> nimbers, marks(heaps);
    for (Number heap = 0; heap < heaps; ++heap) {
        const auto mark = static_cast<std::uint32_t>(heap + 1);
        for (Number k = 1; 3 * k <= heap; ++k) marks[nimbers[heap - k]] = mark;
        std::uint32_t mex = 0;
        while (marks[mex] == mark) ++mex;
        nimbers.push_back(mex);
    }
    const double plain = seconds() - begin;
    fmt::print("{} to {}: {:.3f} s, plain {:.3f} s, ratio {:.1f}{}\n", text.text, heaps, table,
               plain, plain / table, value == engine::finite(nimbers.back()) ? "" : "  WRONG");
}

}  // namespace

int bench::rules(int, char**) {
    fmt::print("{:<44} {:>9} {:>9} {:>8} {:>8} {:>7} {:>9} {:>8}\n", "rules", "bindings",
               "moves", "M/s", "plain", "ratio", "different", "list ms");
    const Case cases[] = {
        {"n->n-k:k>=1&n%k=0&k<n", {9999990}, 9999991},
        {"n->n-k:k>=1", {9999990}, 9999991},
        {"n->n-k:k>=1&k*k<=n&(n+k)%3!=1", {9999990}, 9999991},
        {"n->x,n-x:0<x&x<n-x", {9999990}, 9999991},
        {"n->n-k*j:k>=1&j>=1&k*j%7=n%7", {3000}, 3001.0 * 3001},
        {"n->x,y,z:x+y+z+1=n&x<=y&y<=z", {200}, 201.0 * 201 * 201},
        {"(a,b)->(a-k,b):k>=1;(a,b)->(a,b-k):k>=1;(a,b)->(a-k,b-k):k>=1",
         {1000000, 800000},
         3000003},
    };
    for (const Case& measured : cases) measure(measured);
    measure_table(100000);
    return 0;
}

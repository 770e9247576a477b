// The speed of move generation in rules{…}: bindings per second, as a ratio to the same
// conditions in C++, in loops over 0..largest entry.
//
//   engine_bench rules
#include <fmt/format.h>

#include <ctime>

#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/catalogue.hpp"
#include "engine/rules/entries.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"
#include "tests/bench/sections.hpp"

namespace {

using engine::Number;
using namespace engine::rules;

// CPU time, so that other load of the machine matters less.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Case {
    const char* parameters;
    std::vector<Number> heap;
    double bindings;  // of all clauses
    std::function<std::size_t()> plain;
};

// How many of the tuples of so many numbers 0..largest a condition holds for.
template <typename Holds, typename... Numbers>
std::size_t count_plainly(std::int64_t largest, const Holds& holds, Numbers... numbers) {
    if constexpr (std::is_invocable_v<Holds, Numbers...>) {
        return holds(numbers...) ? 1 : 0;
    } else {
        std::size_t count = 0;
        for (std::int64_t next = 0; next <= largest; ++next)
            count += count_plainly(largest, holds, numbers..., next);
        return count;
    }
}

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
    const std::size_t plain_moves = measured.plain();
    const double plain = seconds() - begin;

    begin = seconds();
    const auto different = rules
                               ->list_followers(engine::heap_with(measured.heap),
                                                [](std::size_t) { return false; })
                               ->size();
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
    using Int = std::int64_t;
    const Int n = 9999990, a = 1000000, b = 800000;
    const Case cases[] = {
        {"n->n-k:k>=1&n%k=0&k<n",
         {9999990},
         9999991,
         [=] {
             return count_plainly(n, [=](Int k) { return k >= 1 && n % k == 0 && k < n; });
         }},
        {"n->n-k:k>=1",
         {9999990},
         9999991,
         [=] { return count_plainly(n, [=](Int k) { return k >= 1 && n - k >= 0; }); }},
        {"n->n-k:k>=1&k*k<=n&(n+k)%3!=1",
         {9999990},
         9999991,
         [=] {
             return count_plainly(
                 n, [=](Int k) { return k >= 1 && k * k <= n && (n + k) % 3 != 1; });
         }},
        {"n->x,n-x:0<x&x<n-x",
         {9999990},
         9999991,
         [=] { return count_plainly(n, [=](Int x) { return 0 < x && x < n - x; }); }},
        {"n->n-k*j:k>=1&j>=1&k*j%7=n%7",
         {3000},
         3001.0 * 3001,
         [] {
             return count_plainly(3000, [](Int k, Int j) {
                 return k >= 1 && j >= 1 && k * j % 7 == 3000 % 7 && k * j <= 3000;
             });
         }},
        {"n->x,y,z:x+y+z+1=n&x<=y&y<=z",
         {200},
         201.0 * 201 * 201,
         [] {
             return count_plainly(200, [](Int x, Int y, Int z) {
                 return x + y + z + 1 == 200 && x <= y && y <= z;
             });
         }},
        {"(a,b)->(a-k,b):k>=1;(a,b)->(a,b-k):k>=1;(a,b)->(a-k,b-k):k>=1",
         {1000000, 800000},
         3000003,
         [=] {
             const auto take = [=](Int from) {
                 return count_plainly(a, [=](Int k) { return k >= 1 && k <= from; });
             };
             return take(a) + take(b) + take(std::min(a, b));
         }},
    };
    for (const Case& measured : cases) measure(measured);
    measure_table(100000);
    return 0;
}

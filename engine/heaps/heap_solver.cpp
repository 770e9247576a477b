#include "engine/heaps/heap_solver.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "engine/base/cache.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/rules/moves.hpp"

namespace engine {
namespace {

// What is known of a ruleset beyond its shape.
struct Theory {
    std::string_view ruleset;
    SolverPtr (*make)(const RulesetPtr& rules);
};
constexpr std::array kTheories{
    Theory{"nim", [](const RulesetPtr&) { return make_nim_solver(); }},
    Theory{"wythoff", [](const RulesetPtr&) { return make_wythoff_solver(); }},
    Theory{"cookie", make_cookie_solver},
    Theory{"welter", make_welter_solver},
    Theory{"cram", make_cram_solver},
    Theory{"chomp", make_chomp_solver},
    Theory{"hackenbush", make_hackenbush_solver},
};

// The solver for a shape, which lives in the rules.
struct SolverByShape {
    const RulesetPtr& rules;

    SolverPtr operator()(shape::Anything) const { return make_search_solver(rules); }
    SolverPtr operator()(shape::Formula) const { return make_search_solver(rules); }
    SolverPtr operator()(shape::Subtraction take) const { return make_take_solver(take.set); }
    SolverPtr operator()(shape::TakeAndBreak moves) const {
        if (moves.repeated > 0) return forever(moves);
        return make_octal_solver(BreakMoves::of_digits(moves.digits, moves.unequal));
    }
    SolverPtr operator()(shape::Digraph) const { return make_graph_solver(rules); }
    SolverPtr operator()(shape::Lowering) const { return make_moore_solver(rules); }
    SolverPtr operator()(shape::Vertices) const { return make_vertex_solver(rules); }

    // 0.[3] is nim and 4.[3] is Lasker's nim.
    SolverPtr forever(shape::TakeAndBreak moves) const {
        const bool takes_any = std::all_of(moves.digits.begin() + 1, moves.digits.end(),
                                           [](unsigned digit) { return digit == 3; });
        if (takes_any && moves.digits[0] == 0) return make_nim_solver();
        if (takes_any && moves.digits[0] == 4) return make_lasker_solver();
        return make_repeating_solver(rules, moves);
    }
};

SolverPtr make_solver(std::string_view name, const RulesetPtr& rules) {
    const auto theory = std::ranges::find(kTheories, name, &Theory::ruleset);
    if (theory != kTheories.end()) return theory->make(rules);
    return std::visit(SolverByShape{rules}, rules->shape());
}

// The solvers of this process by the text of their ruleset.
using Solvers = Cache<std::string, const HeapSolver, TextHash>;

Solvers& solvers() {
    // A solver holds its ruleset, many bytes for each of its text: all solvers together no more
    // than those of one position, which fits a line.
    static Solvers all(1024, 1 << 20);
    return all;
}

}  // namespace

std::optional<bool> HeapSolver::has_nimber(const Heap& heap, std::uint64_t wanted,
                                           const Budget& budget) const {
    const auto known = nimber(heap, budget);
    if (!known) return std::nullopt;
    return *known == finite(wanted);
}

HeapSolver::Tally HeapSolver::count_followers(const Heap& heap, const Nimber& nimber,
                                              const Budget& budget) const {
    Tally tally;
    tally.complete = visit_followers(heap, nimber, budget, [&](Count more, FollowerAt) {
        tally.count = saturating_sum(tally.count, more);
        return true;
    });
    return tally;
}

std::vector<Heap> HeapSolver::follower(const Heap& heap, const Nimber& nimber, Count index,
                                       const Budget& budget) const {
    std::vector<Heap> found;
    visit_followers(heap, nimber, budget, [&](Count count, FollowerAt at) {
        if (index >= count) {
            index -= count;
            return true;
        }
        found = at(index);
        return false;
    });
    return found;
}

std::vector<std::vector<Heap>> HeapSolver::list_followers(const Heap& heap,
                                                          const Nimber& nimber,
                                                          std::size_t limit,
                                                          const Budget& budget) const {
    std::vector<std::vector<Heap>> found;
    if (limit == 0) return found;
    visit_followers(heap, nimber, budget, [&](Count count, FollowerAt at) {
        for (Count i = 0; i < count && found.size() < limit; ++i) found.push_back(at(i));
        return found.size() < limit;
    });
    return found;
}

std::optional<std::vector<Heap>> HeapSolver::find_follower(const Heap& heap,
                                                           const Nimber& nimber,
                                                           const Budget& budget) const {
    std::optional<std::vector<Heap>> found;
    visit_followers(heap, nimber, budget, [&](Count count, FollowerAt at) {
        if (count > 0) found = at(0);
        return !found;
    });
    return found;
}

SolverPtr find_solver(const RulesetText& text, const RulesetPtr& ruleset) {
    if (auto known = solvers().find(text.text)) return known;
    return solvers().add(text.text, make_solver(text.name(), ruleset), text.text.size());
}

namespace {

constexpr std::size_t kPollFollowers = 256;  // units of the text of followers

}  // namespace

std::optional<bool> EnumeratingSolver::have_nimber(const std::vector<Heap>& heaps,
                                                   const Nimber& nimber_wanted,
                                                   const Budget& budget) const {
    NimSum rest;
    rest.add(nimber_wanted);
    for (std::size_t i = 0; i + 1 < heaps.size(); ++i) {
        const auto known = nimber(heaps[i], budget);
        if (!known) return std::nullopt;
        if (is_loopy(*known)) return false;
        rest.add(*known);
    }
    const Nimber last = rest.value();
    if (heaps.empty()) return is_zero(last);
    if (const auto* number = std::get_if<std::uint64_t>(&last)) {
        return has_nimber(heaps.back(), *number, budget);
    }
    const auto known = nimber(heaps.back(), budget);
    if (!known) return std::nullopt;
    return *known == last;
}

bool EnumeratingSolver::visit_followers(const Heap& heap, const Nimber& nimber,
                                        const Budget& budget, VisitFollowers visit) const {
    bool complete = true;
    const auto followers = find_followers(rules(), heap, budget);
    if (!followers) return false;
    BudgetPoll poll(budget, kPollFollowers);
    const std::size_t units = text_units(heap);
    for (Count i = 0; i < followers->count; ++i) {
        if (poll.is_spent(units)) return false;
        const std::vector<Heap> next = followers->at(i);
        const auto has = have_nimber(next, nimber, budget);
        if (!has) complete = false;
        if (has && *has && !visit(1, [&](Count) { return next; })) return complete;
    }
    return complete;
}

}  // namespace engine

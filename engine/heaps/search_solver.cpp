#include "engine/heaps/search_solver.hpp"

#include <algorithm>

#include "engine/base/sort_in_pieces.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"
#include "engine/rules/moves.hpp"

namespace engine {
namespace {

constexpr std::uint64_t kFewNodes = 1000;  // some milliseconds

}  // namespace

SearchSolver::SearchSolver(const std::shared_ptr<const Ruleset>& rules)
    : EnumeratingSolver(rules), search_(RulesetGame(rules)) {
    const auto formula = shape_as<shape::Formula>(*rules);
    if (formula && formula->rules.entries() == 1) {
        numbers_.emplace(std::shared_ptr<const UserRules>(rules, &formula->rules));
    }
    if (rules->can_repeat()) labels_.emplace(rules);
}

std::vector<SearchSolver::State> SearchSolver::states_of(const std::vector<Heap>& heaps) const {
    std::vector<State> states;
    for (const Heap& heap : heaps) {
        std::ranges::move(search_.game().states_of(heap), std::back_inserter(states));
    }
    return states;
}

std::uint64_t SearchSolver::effort(const Heap& heap) const {
    std::uint64_t most = 0;
    for (const State& state : search_.game().states_of(heap)) {
        most = std::max(most, search_.game().size(state));
    }
    return most;
}

// ---- one state ----

std::optional<std::uint64_t> SearchSolver::look_up(const State& state,
                                                   const Budget& budget) const {
    return numbers_->nimber(std::get<Number>(RulesetGame::heap_of(state)), budget);
}

std::optional<Nimber> SearchSolver::nimber_of(const State& state, const Budget& budget) const {
    if (labels_) {
        if (auto label = labels_->nimber(RulesetGame::heap_of(state), budget)) return label;
    }
    auto value = search_.nimber(state, budget, numbers_ ? kFewNodes : kAnyNodes);
    if (!value && numbers_) {
        value = look_up(state, budget);
        if (!value && !budget.is_spent()) value = search_.nimber(state, budget);
    }
    if (!value) return std::nullopt;
    return finite(*value);
}

std::optional<bool> SearchSolver::has_nimber(const State& state, std::uint64_t wanted,
                                             const Budget& budget) const {
    if (labels_) {
        const auto label = labels_->nimber(RulesetGame::heap_of(state), budget);
        if (label) return *label == finite(wanted);
    }
    auto has = search_.has_nimber(state, wanted, budget, numbers_ ? kFewNodes : kAnyNodes);
    if (!has && numbers_) {
        if (const auto value = look_up(state, budget)) return *value == wanted;
        if (!budget.is_spent()) has = search_.has_nimber(state, wanted, budget);
    }
    return has;
}

// ---- sums of states ----

std::optional<Nimber> SearchSolver::nimber(const Heap& heap, const Budget& budget) const {
    NimSum sum;
    for (const State& state : search_.game().states_of(heap)) {
        const auto value = nimber_of(state, budget);
        if (!value) return std::nullopt;
        sum.add(*value);
    }
    return sum.value();
}

std::optional<bool> SearchSolver::has_nimber(const Heap& heap, std::uint64_t wanted,
                                             const Budget& budget) const {
    return have_nimber(search_.game().states_of(heap), wanted, budget, true);
}

std::uint64_t SearchSolver::counter(const Heap& heap, const Budget& budget) const {
    return labels_ ? labels_->counter(heap, budget) : 0;
}

std::optional<bool> SearchSolver::have_nimber(std::vector<State> states, std::uint64_t wanted,
                                              const Budget& budget, bool search) const {
    std::ranges::sort(states, {},
                      [&](const State& state) { return search_.game().size(state); });
    for (std::size_t i = 0; i < states.size(); ++i) {
        const bool is_last = i + 1 == states.size();
        if (!search) {
            const NimberFacts facts = search_.known(states[i]);
            if (is_last && facts.excludes(wanted)) return false;
            if (!facts.is_exact()) return std::nullopt;
            wanted ^= facts.low();
        } else if (is_last) {
            return has_nimber(states[i], wanted, budget);
        } else {
            const auto value = nimber_of(states[i], budget);
            if (!value) return std::nullopt;
            if (is_loopy(*value)) return false;
            wanted ^= std::get<std::uint64_t>(*value);
        }
    }
    return wanted == 0;
}

std::optional<std::vector<Heap>> SearchSolver::find_follower(const Heap& heap,
                                                             const Nimber& nimber,
                                                             const Budget& budget) const {
    const auto* wanted = std::get_if<std::uint64_t>(&nimber);
    if (wanted == nullptr) return std::nullopt;
    struct Candidate {
        std::uint64_t effort;
        Count index;
    };
    std::vector<Candidate> candidates;
    const auto followers = find_followers(rules(), heap, budget);
    if (!followers) return std::nullopt;
    for (Count i = 0; i < followers->count; ++i) {
        if (budget.is_spent()) return std::nullopt;
        auto next = followers->at(i);
        const auto known = have_nimber(states_of(next), *wanted, budget, false);
        if (known && *known) return next;
        if (known) continue;
        std::uint64_t most = 0;
        for (const Heap& part : next) most = std::max(most, effort(part));
        candidates.push_back({most, i});
    }
    const auto is_easier = [](const Candidate& left, const Candidate& right) {
        return left.effort < right.effort;
    };
    if (!sort_in_pieces(candidates, is_easier, [&] { return budget.is_spent(); })) {
        return std::nullopt;
    }
    for (const auto& candidate : candidates) {
        if (budget.is_spent()) return std::nullopt;
        auto next = followers->at(candidate.index);
        if (have_nimber(states_of(next), *wanted, budget, true).value_or(false)) return next;
    }
    return std::nullopt;
}

}  // namespace engine

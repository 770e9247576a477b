#include "engine/solver/rules_solver.hpp"

#include <algorithm>

#include "engine/rules/sort_in_pieces.hpp"
#include "engine/solver/followers.hpp"

namespace engine {
namespace {

constexpr std::uint64_t kFewNodes = 1000;  // some milliseconds

}  // namespace

RulesSolver::RulesSolver(const std::shared_ptr<const UserRules>& rules)
    : EnumeratingSolver(rules), user_rules_(rules), search_(RulesGame(rules)) {
    if (rules->entries() == 1) numbers_.emplace(rules);
    if (rules->can_repeat()) labels_.emplace(rules);
}

RulesGame::State RulesSolver::state_of(const Heap& heap) const {
    return RulesGame::state_of(user_rules_->entries_of(heap));
}

std::uint64_t RulesSolver::effort(const Heap& heap) const {
    return search_.game().size(state_of(heap));
}

std::optional<Nimber> RulesSolver::nimber(const Heap& heap, const Budget& budget) const {
    if (labels_) {
        if (auto label = labels_->nimber(heap, budget)) return label;
    }
    const RulesGame::State state = state_of(heap);
    auto value = search_.nimber(state, budget, numbers_ ? kFewNodes : kAnyNodes);
    if (!value && numbers_) {
        value = numbers_->nimber(std::get<Number>(heap), budget);
        if (!value && !budget.is_spent()) value = search_.nimber(state, budget);
    }
    if (!value) return std::nullopt;
    return finite(*value);
}

std::optional<bool> RulesSolver::has_nimber(const Heap& heap, std::uint64_t wanted,
                                            const Budget& budget) const {
    if (labels_) {
        if (const auto label = labels_->nimber(heap, budget)) return *label == finite(wanted);
    }
    const RulesGame::State state = state_of(heap);
    auto has = search_.has_nimber(state, wanted, budget, numbers_ ? kFewNodes : kAnyNodes);
    if (!has && numbers_) {
        if (const auto value = numbers_->nimber(std::get<Number>(heap), budget)) {
            return *value == wanted;
        }
        if (!budget.is_spent()) has = search_.has_nimber(state, wanted, budget);
    }
    return has;
}

std::uint64_t RulesSolver::counter(const Heap& heap, const Budget& budget) const {
    return labels_ ? labels_->counter(heap, budget) : 0;
}

std::optional<bool> RulesSolver::have_nimber(std::vector<Heap> heaps, std::uint64_t wanted,
                                             const Budget& budget, bool search) const {
    std::ranges::sort(heaps, {}, [&](const Heap& heap) { return effort(heap); });
    for (std::size_t i = 0; i < heaps.size(); ++i) {
        const bool is_last = i + 1 == heaps.size();
        if (!search) {
            const NimberFacts facts = search_.known(state_of(heaps[i]));
            if (is_last && facts.excludes(wanted)) return false;
            if (!facts.is_exact()) return std::nullopt;
            wanted ^= facts.low();
        } else if (is_last) {
            return has_nimber(heaps[i], wanted, budget);
        } else {
            const auto value = nimber(heaps[i], budget);
            if (!value) return std::nullopt;
            if (is_loopy(*value)) return false;
            wanted ^= std::get<std::uint64_t>(*value);
        }
    }
    return wanted == 0;
}

std::optional<std::vector<Heap>> RulesSolver::find_follower(const Heap& heap,
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
        const auto known = have_nimber(next, *wanted, budget, false);
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
        if (have_nimber(next, *wanted, budget, true).value_or(false)) return next;
    }
    return std::nullopt;
}

}  // namespace engine

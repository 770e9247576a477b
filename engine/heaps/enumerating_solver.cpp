#include "engine/heaps/enumerating_solver.hpp"

#include "engine/rules/moves.hpp"

namespace engine {
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

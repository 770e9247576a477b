#include "engine/misere/state_closure.hpp"

#include <algorithm>

namespace engine::misere {

SumState sum(const Monoid& monoid, const SumState& left, const SumState& right) {
    SumState result{monoid.product(left.element, right.element), ElementSet(monoid.order())};
    for (std::size_t r = 0; r < monoid.order(); ++r) {
        const auto element = static_cast<Element>(r);
        result.wins[r] = left.wins[monoid.product(right.element, element)] ||
                         right.wins[monoid.product(left.element, element)];
    }
    return result;
}

StateClosure::StateClosure(const Monoid& monoid)
    : monoid_(monoid), of_element_(monoid.order()) {
    states_.push_back({0, ElementSet(monoid.order())});
    of_element_[0].push_back(0);
}

bool StateClosure::has_move_to_p_or_is_p(const State& state) const {
    return state.wins[0] || monoid_.is_p(state.element);
}

// Whether an earlier state stands for this one. The empty sum may: the condition that it is
// exempt from has been checked for this one.
bool StateClosure::is_covered(const State& state) const {
    return std::ranges::any_of(of_element_[state.element], [&](std::uint32_t earlier) {
        return states_[earlier].wins.is_subset_of(state.wins);
    });
}

bool StateClosure::allows(Element element, const ElementSet& wins) const {
    if (wins.intersects(monoid_.partners(element))) return false;
    return std::ranges::all_of(states_, [&](const State& state) {
        const bool won = state.wins[element] || wins[state.element];
        return won != monoid_.is_p(monoid_.product(state.element, element));
    });
}

void StateClosure::shrink(std::size_t size) {
    for (; states_.size() > size; states_.pop_back()) {
        of_element_[states_.back().element].pop_back();
    }
}

Verdict StateClosure::add(Element element, const ElementSet& wins, const Budget& budget) {
    const std::size_t known = states_.size();
    const std::size_t state_bytes = 2 * (sizeof(State) + monoid_.order() / 8) + 32;
    if (wins.intersects(monoid_.partners(element))) return Verdict::Fails;
    State heap{element, wins};
    if (!has_move_to_p_or_is_p(heap)) return Verdict::Fails;
    if (is_covered(heap)) return Verdict::Holds;  // so are all sums with it
    heaps_.push_back(std::move(heap));
    BudgetPoll poll(budget, 1 + 20000 / monoid_.order());
    const auto give_up = [&](Verdict verdict) {
        shrink(known);
        heaps_.pop_back();
        return verdict;
    };
    for (std::size_t i = 0; i < states_.size(); ++i) {
        for (std::size_t h = i < known ? heaps_.size() - 1 : 0; h < heaps_.size(); ++h) {
            if (poll.is_spent()) {
                return give_up(Verdict::Unknown);
            }
            State next = sum(monoid_, states_[i], heaps_[h]);
            if (!has_move_to_p_or_is_p(next)) {
                return give_up(Verdict::Fails);
            }
            if (is_covered(next)) continue;
            if (const std::size_t bytes = (states_.size() + 1) * state_bytes;
                !reservation_.cover(bytes, bytes / 2)) {
                return give_up(Verdict::Unknown);
            }
            of_element_[next.element].push_back(static_cast<std::uint32_t>(states_.size()));
            states_.push_back(std::move(next));
        }
    }
    return Verdict::Holds;
}

}  // namespace engine::misere

#include "engine/misere/state_closure.hpp"

#include <algorithm>

namespace engine::misere {

StateClosure::StateClosure(const Monoid& monoid)
    : monoid_(monoid), of_element_(monoid.order()) {
    states_.push_back({0, ElementSet(monoid.order())});
    origins_.push_back({0, 0});
    of_element_[0].push_back(0);
}

StateClosure::State StateClosure::sum(const State& left, const State& right) const {
    State result{monoid_.product(left.element, right.element), ElementSet(monoid_.order())};
    for (std::size_t r = 0; r < monoid_.order(); ++r) {
        const auto element = static_cast<Element>(r);
        result.wins[r] = left.wins[monoid_.product(right.element, element)] ||
                         right.wins[monoid_.product(left.element, element)];
    }
    return result;
}

bool StateClosure::has_move_to_p_or_is_p(const State& state) const {
    return state.wins[0] || monoid_.is_p(state.element);
}

// Does an earlier state stand for this one? The empty sum may: what is not to be asked of it
// has been asked of this one.
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
    origins_.resize(size);
}

void StateClosure::explain(std::size_t parent, std::size_t heap) {
    failure_ = {{numbers_[heap]}, 0};
    for (std::size_t i = parent; i != 0; i = origins_[i].parent) {
        failure_.heaps.push_back(numbers_[origins_[i].heap]);
    }
    std::ranges::sort(failure_.heaps);
}

Verdict StateClosure::add(Element element, const ElementSet& wins, const Budget& budget) {
    const std::size_t known = states_.size();
    const std::size_t state_bytes =
        2 * (sizeof(State) + sizeof(Origin) + monoid_.order() / 8) + 32;
    const ElementSet broken = wins & monoid_.partners(element);
    if (const auto rest = broken.find_first(); rest != ElementSet::npos) {
        failure_ = {{added_}, static_cast<Element>(rest)};
        return Verdict::Fails;
    }
    State heap{element, wins};
    if (!has_move_to_p_or_is_p(heap)) {
        failure_ = {{added_}, 0};
        return Verdict::Fails;
    }
    if (is_covered(heap)) {
        ++added_;  // so are all sums with it
        return Verdict::Holds;
    }
    heaps_.push_back(std::move(heap));
    numbers_.push_back(added_);
    BudgetPoll poll(budget, 1 + 20000 / monoid_.order());
    const auto give_up = [&](Verdict verdict) {
        shrink(known);
        heaps_.pop_back();
        numbers_.pop_back();
        return verdict;
    };
    for (std::size_t i = 0; i < states_.size(); ++i) {
        for (std::size_t h = i < known ? heaps_.size() - 1 : 0; h < heaps_.size(); ++h) {
            if (poll.is_spent()) {
                return give_up(Verdict::Unknown);
            }
            State next = sum(states_[i], heaps_[h]);
            if (!has_move_to_p_or_is_p(next)) {
                explain(i, h);
                return give_up(Verdict::Fails);
            }
            if (is_covered(next)) continue;
            if (const std::size_t bytes = (states_.size() + 1) * state_bytes;
                !reservation_.cover(bytes, bytes / 2)) {
                return give_up(Verdict::Unknown);
            }
            of_element_[next.element].push_back(static_cast<std::uint32_t>(states_.size()));
            states_.push_back(std::move(next));
            origins_.push_back({i, h});
        }
    }
    ++added_;
    return Verdict::Holds;
}

}  // namespace engine::misere

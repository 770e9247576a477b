#include "engine/misere/state_closure.hpp"

#include <algorithm>

namespace engine::misere {

std::size_t StateClosure::StateHash::operator()(const State& state) const {
    std::size_t seed = hash_value(state.wins);
    boost::hash_combine(seed, state.element);
    return seed;
}

StateClosure::StateClosure(const Monoid& monoid) : monoid_(monoid) {
    states_.push_back({0, ElementSet(monoid.order())});
    origins_.push_back({0, 0});
    index_.emplace(states_.front(), 0);
}

StateClosure::State StateClosure::sum(const State& left, const State& right) const {
    State result{monoid_.product(left.element, right.element), ElementSet(monoid_.order())};
    for (std::size_t r = 0; r < monoid_.order(); ++r) {
        const auto element = static_cast<Element>(r);
        result.wins[r] = left.wins[monoid_.product(element, right.element)] ||
                         right.wins[monoid_.product(element, left.element)];
    }
    return result;
}

bool StateClosure::holds(const State& state) const {
    return state.wins[0] != monoid_.is_p(state.element);
}

bool StateClosure::allows(Element element, const ElementSet& wins) const {
    if (wins.intersects(monoid_.partners(element))) return false;
    return std::ranges::all_of(states_, [&](const State& state) {
        const bool won = state.wins[element] || wins[state.element];
        return won != monoid_.is_p(monoid_.product(state.element, element));
    });
}

void StateClosure::shrink(std::size_t size) {
    for (std::size_t i = size; i < states_.size(); ++i) index_.erase(states_[i]);
    states_.resize(size, states_.front());
    origins_.resize(size);
}

void StateClosure::explain(std::size_t parent, std::size_t heap) {
    failure_.assign(1, numbers_[heap]);
    for (std::size_t i = parent; i != 0; i = origins_[i].parent) {
        failure_.push_back(numbers_[origins_[i].heap]);
    }
    std::ranges::sort(failure_);
}

Verdict StateClosure::add(Element element, const ElementSet& wins, const Budget& budget) {
    const std::size_t known = states_.size();
    const std::size_t state_bytes = 2 * (sizeof(State) + monoid_.order() / 8) + 32;
    State heap{element, wins};
    if (const auto found = index_.find(heap); found != index_.end() && found->second != 0) {
        ++added_;  // sums with it are sums of others
        return Verdict::Holds;
    }
    heaps_.push_back(std::move(heap));
    numbers_.push_back(added_);
    const std::size_t work_a_poll = 1 + 20000 / monoid_.order();
    std::size_t steps = 0;
    const auto give_up = [&](Verdict verdict) {
        shrink(known);
        heaps_.pop_back();
        numbers_.pop_back();
        return verdict;
    };
    for (std::size_t i = 0; i < states_.size(); ++i) {
        for (std::size_t h = i < known ? heaps_.size() - 1 : 0; h < heaps_.size(); ++h) {
            if (++steps % work_a_poll == 0 && budget.is_spent()) {
                return give_up(Verdict::Unknown);
            }
            State next = sum(states_[i], heaps_[h]);
            const auto [place, is_new] = index_.try_emplace(std::move(next), states_.size());
            if (!is_new && place->second != 0) continue;
            if (!is_new || !holds(place->first)) {
                if (is_new) index_.erase(place);
                explain(i, h);
                return give_up(Verdict::Fails);
            }
            if (const std::size_t bytes = (states_.size() + 1) * state_bytes;
                bytes > reservation_.bytes() && !reservation_.resize(bytes + bytes / 2)) {
                index_.erase(place);
                return give_up(Verdict::Unknown);
            }
            states_.push_back(place->first);
            origins_.push_back({i, h});
        }
    }
    ++added_;
    return Verdict::Holds;
}

}  // namespace engine::misere

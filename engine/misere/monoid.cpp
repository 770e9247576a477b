#include "engine/misere/monoid.hpp"

#include <algorithm>
#include <set>

namespace engine::misere {

std::optional<Monoid> Monoid::make(const std::vector<std::vector<Element>>& action,
                                   const std::vector<bool>& is_p, const Budget& budget) {
    Monoid monoid;
    const std::size_t order = action.size();
    const std::size_t generators = action.front().size();
    constexpr Element kNone = 0xffff;

    // Breadth first, words of one degree in their order: the first to reach an element is its
    // word.
    std::vector<Element> number(order, kNone);  // given -> own
    std::vector<Element> given{0};              // own -> given
    struct Origin {
        Element parent = 0;
        std::size_t generator = 0;
    };
    std::vector<Origin> origins{{}};
    number[0] = 0;
    auto& words = monoid.words_;
    words.emplace_back(generators, char8_t{0});
    for (std::size_t next = 0; next < given.size(); ++next) {
        // Adds no generator before the last one of the word, so that each word comes once, and
        // in order.
        std::size_t first = 0;
        for (std::size_t g = 0; g < generators; ++g) {
            if (words[next][g] > 0) first = g;
        }
        for (std::size_t g = first; g < generators; ++g) {
            const Element reached = action[given[next]][g];
            if (number[reached] != kNone) continue;
            number[reached] = static_cast<Element>(given.size());
            given.push_back(reached);
            origins.push_back({static_cast<Element>(next), g});
            words.push_back(words[next]);
            ++words.back()[g];
        }
    }

    for (const Element reached : action[0]) monoid.generators_.push_back(number[reached]);
    monoid.products_.resize(order * order);
    for (std::size_t left = 0; left < order; ++left) {
        if (budget.is_spent()) return std::nullopt;
        Element* row = &monoid.products_[left * order];
        row[0] = static_cast<Element>(left);
        for (std::size_t right = 1; right < order; ++right) {
            const auto [parent, generator] = origins[right];
            row[right] = number[action[given[row[parent]]][generator]];
        }
        monoid.partners_.emplace_back(order);
        for (std::size_t right = 0; right < order; ++right) {
            monoid.partners_.back()[right] = is_p[given[row[right]]];
        }
    }
    return monoid;
}

Element Monoid::product_of(const Word& word) const {
    Element element = 0;
    for (std::size_t g = 0; g < word.size(); ++g) {
        for (char8_t i = 0; i < word[g]; ++i) element = product(element, generators_[g]);
    }
    return element;
}

std::vector<Monoid::Relation> Monoid::relations() const {
    const std::set<Word> normal(words_.begin(), words_.end());
    std::set<Word> seen;
    std::vector<Relation> relations;
    for (const Word& word : words_) {
        for (std::size_t g = 0; g < generators_.size(); ++g) {
            Word left = word;
            ++left[g];
            if (normal.contains(left) || !seen.insert(left).second) continue;
            bool minimal = true;
            for (std::size_t h = 0; h < left.size() && minimal; ++h) {
                if (left[h] == 0) continue;
                --left[h];
                minimal = normal.contains(left);
                ++left[h];
            }
            if (minimal) relations.push_back({left, product_of(left)});
        }
    }
    return relations;
}

// ---- the proof ----

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
        for (; states_.size() > known; states_.pop_back()) {
            of_element_[states_.back().element].pop_back();
        }
        heaps_.pop_back();
        return verdict;
    };
    for (std::size_t i = 0; i < states_.size(); ++i) {
        for (std::size_t h = i < known ? heaps_.size() - 1 : 0; h < heaps_.size(); ++h) {
            if (poll.is_spent()) return give_up(Verdict::Unknown);
            State next = sum(monoid_, states_[i], heaps_[h]);
            if (!has_move_to_p_or_is_p(next)) return give_up(Verdict::Fails);
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

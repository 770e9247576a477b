#include "engine/misere/monoid.hpp"

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

std::size_t Monoid::p_count() const { return partners_[0].count(); }

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

}  // namespace engine::misere

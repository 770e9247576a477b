// A finite commutative monoid some of whose elements are P-positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/dynamic_bitset.hpp>

#include "engine/base/budget.hpp"

namespace engine::misere {

// A product of generators: how often each occurs. Not text, but a string, which keeps up to 15
// of them within itself.
using Word = std::u8string;

using Element = std::uint16_t;
using ElementSet = boost::dynamic_bitset<std::uint64_t>;

// Elements are numbered from 0, the identity, in the order of their words: by degree, then
// those with more of the first generators first. Each word is the first for its element.
class Monoid {
  public:
    static constexpr std::size_t kMaxOrder = 60000;

    // `action[x][g]`: the product of element x and generator g; elements in any order, but for
    // the identity, 0; all of them are products of generators. `is_p` tells which are
    // P-positions. O(order^2). nullopt: the budget ended.
    static std::optional<Monoid> make(const std::vector<std::vector<Element>>& action,
                                      const std::vector<bool>& is_p, const Budget& budget);

    std::size_t order() const { return words_.size(); }
    std::size_t generator_count() const { return generators_.size(); }
    Element generator(std::size_t index) const { return generators_[index]; }
    Element product(Element left, Element right) const {
        return products_[left * words_.size() + right];
    }
    Element product_of(const Word& word) const;

    bool is_p(Element element) const { return partners_[element][0]; }
    std::size_t p_count() const;
    // The elements whose product with this one is a P-position.
    const ElementSet& partners(Element element) const { return partners_[element]; }

    const Word& word(Element element) const { return words_[element]; }
    // Equations between words that suffice to multiply: each left side is a word of no element,
    // though all that divides it is, and equals the right side. With the generators they are a
    // presentation of the monoid (a Groebner basis).
    struct Relation {
        Word left;
        Element right;
    };
    std::vector<Relation> relations() const;

    std::size_t bytes() const { return order() * order() * 17 / 8; }

  private:
    Monoid() = default;

    std::vector<Word> words_;
    std::vector<Element> generators_;
    std::vector<Element> products_;
    std::vector<ElementSet> partners_;
};

// A heap, by the words its moves leave. Generator number i stands for it; the words use only
// generators before it. It has a move.
using WordMoves = std::vector<Word>;

// The limit that ended a search: the order, the budget, the memory.
enum class Shortage { Order, Time, Memory };

// The misere quotient of these heaps: two words are one element if in every sum with a third
// the same player wins. `smaller` is the quotient of all heaps but the last. nullopt: not
// found, and `shortage` says why; so it ends for infinite quotients.
std::optional<Monoid> extend_quotient(const Monoid& smaller, std::span<const WordMoves> heaps,
                                      std::size_t max_order, const Budget& budget,
                                      Shortage& shortage);

}  // namespace engine::misere

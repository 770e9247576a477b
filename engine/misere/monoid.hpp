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
#include "engine/base/memory.hpp"

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
    std::size_t p_count() const { return partners_[0].count(); }
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

enum class Verdict { Holds, Fails, Unknown };

// What is to be known of a sum X of heaps: its element F(X), and the set W(X) of elements r for
// which some move X -> X' gives a P-position r F(X').
struct SumState {
    Element element = 0;
    ElementSet wins;
};

// W(X + Y) = {r : r F(Y) in W(X) or r F(X) in W(Y)}.
SumState sum(const Monoid& monoid, const SumState& left, const SumState& right);

// A sum of heaps is known by its state. F tells the outcome of every sum, by
// induction, if
//   (1) no move leads from a P-position to a P-position: for each heap H, no r of W(H) gives a
//       P-position r F(H);
//   (2) in each sum X but the empty one, if F(X) is no P-position, some move leads to one: 1 is
//       in W(X).
// If two states have the same element, (2) need only be checked for the one with the smaller W:
// adding the same heaps to both keeps the one W within the other. So the closure keeps the
// states that no earlier one with a smaller W stands for; there are far fewer of these than
// states (Plambeck and Siegel, "Misere quotients for impartial games", 2008).
class StateClosure {
  public:
    explicit StateClosure(const Monoid& monoid);

    // Adds a heap that has moves, and all sums with it. Fails where a sum with it breaks a
    // condition; then, as where the answer is not known (the budget or memory ended), the heap
    // is not added.
    Verdict add(Element element, const ElementSet& wins, const Budget& budget);

    // Whether it can hold, by the sums of the heap and one added heap. O(size()).
    bool allows(Element element, const ElementSet& wins) const;

    std::size_t size() const { return states_.size(); }

  private:
    using State = SumState;

    bool has_move_to_p_or_is_p(const State& state) const {
        return state.wins[0] || monoid_.is_p(state.element);
    }
    bool is_covered(const State& state) const;

    const Monoid& monoid_;
    std::vector<State> states_;                           // the first: the empty sum
    std::vector<std::vector<std::uint32_t>> of_element_;  // the states with each element
    std::vector<State> heaps_;                            // those that no other state covers
    Reservation reservation_;
};

}  // namespace engine::misere

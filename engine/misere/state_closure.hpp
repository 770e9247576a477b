// Proves in finitely many steps that a monoid tells the outcome of every sum of some heaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/misere/monoid.hpp"

namespace engine::misere {

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

    bool has_move_to_p_or_is_p(const State& state) const;
    bool is_covered(const State& state) const;
    void shrink(std::size_t size);

    const Monoid& monoid_;
    std::vector<State> states_;                           // the first: the empty sum
    std::vector<std::vector<std::uint32_t>> of_element_;  // the states with each element
    std::vector<State> heaps_;                            // those that no other state covers
    Reservation reservation_;
};

}  // namespace engine::misere

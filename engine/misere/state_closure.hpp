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

// A sum X of heaps is known by its state: its element F(X), and the set W(X) of elements r for
// which some move X -> X' gives a P-position r F(X'). States add up:
// W(X + Y) = {r : r F(Y) in W(X) or r F(X) in W(Y)}. F tells the outcome of every sum, by
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

    // A sum that breaks a condition: these heaps, by the number of the call that added each
    // (calls that did not add are not counted; the failed one comes last), and besides any sum
    // that has the element `rest`.
    struct Failure {
        std::vector<std::size_t> heaps;
        Element rest = 0;
    };
    // The failure of the last call that failed.
    const Failure& failure() const { return failure_; }

    std::size_t size() const { return states_.size(); }

  private:
    struct State {
        Element element;
        ElementSet wins;
    };
    struct Origin {
        std::size_t parent;
        std::size_t heap;
    };

    State sum(const State& left, const State& right) const;
    bool has_move_to_p_or_is_p(const State& state) const;
    bool is_covered(const State& state) const;
    void shrink(std::size_t size);
    void explain(std::size_t parent, std::size_t heap);

    const Monoid& monoid_;
    std::vector<State> states_;  // the first: the empty sum
    std::vector<Origin> origins_;
    std::vector<std::vector<std::uint32_t>> of_element_;  // the states with each element
    std::vector<State> heaps_;                            // those that no other state covers
    std::vector<std::size_t> numbers_;                    // of those: which call added them
    std::size_t added_ = 0;
    Failure failure_;
    Reservation reservation_;
};

}  // namespace engine::misere

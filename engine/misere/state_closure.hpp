// Proves in finitely many steps that a monoid tells the outcome of every sum of some heaps.
#pragma once

#include <cstddef>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/misere/monoid.hpp"

namespace engine::misere {

enum class Verdict { Holds, Fails, Unknown };

// A sum X of heaps is known by its state: its element F(X), and the set W(X) of elements r for
// which some move X -> X' gives a P-position r F(X'). States add up:
// W(X + Y) = {r : r F(Y) in W(X) or r F(X) in W(Y)}; there are finitely many of them. If in
// each of them but that of the empty sum 1 is in W(X) exactly if F(X) is no P-position, then,
// by induction, F(X) tells the outcome of every sum (Plambeck and Siegel, "Misere quotients for
// impartial games", 2008).
class StateClosure {
  public:
    explicit StateClosure(const Monoid& monoid);

    // Adds a heap that has moves, and all sums with it. Fails where a sum with it breaks the
    // condition; then, as where the answer is not known (the budget or memory ended), the heap
    // is not added.
    Verdict add(Element element, const ElementSet& wins, const Budget& budget);

    // Whether it can hold, by the sums of the heap and one added heap. O(size()).
    bool allows(Element element, const ElementSet& wins) const;

    // Where the last call failed: the heaps of a sum that breaks the condition, by the number
    // of the call that added each (calls that did not add are not counted; the failed one
    // comes last).
    const std::vector<std::size_t>& failure() const { return failure_; }

    std::size_t size() const { return states_.size(); }

  private:
    struct State {
        Element element;
        ElementSet wins;

        friend bool operator==(const State&, const State&) = default;
    };
    struct StateHash {
        std::size_t operator()(const State& state) const;
    };
    struct Origin {
        std::size_t parent;
        std::size_t heap;
    };

    State sum(const State& left, const State& right) const;
    bool holds(const State& state) const;
    void shrink(std::size_t size);
    void explain(std::size_t parent, std::size_t heap);

    const Monoid& monoid_;
    std::vector<State> states_;  // the first: the empty sum
    std::vector<Origin> origins_;
    std::vector<State> heaps_;          // those that are sums of no others
    std::vector<std::size_t> numbers_;  // of those: which call added them
    std::size_t added_ = 0;
    boost::unordered_flat_map<State, std::size_t, StateHash> index_;
    std::vector<std::size_t> failure_;
    Reservation reservation_;
};

}  // namespace engine::misere

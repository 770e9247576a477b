// What the solver knows about the heaps of one ruleset. Each way to solve is a HeapSolver.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/rules/ruleset.hpp"
#include "engine/solver/budget.hpp"
#include "engine/solver/nimber.hpp"

namespace engine {

// How many moves play can last, as an ordinal in Cantor normal form; no terms stand for 0.
using Length = std::vector<protocol::Ordinal::Term>;

// Immutable to the eye and safe to share by threads: tables inside grow behind locks.
//
// All rulesets solved so far are tame under misere play (Ferguson 1974 for subtraction sets;
// the argument holds for infinite ones too): heaps of nimber 0 and 1 behave as nim heaps of 0
// and 1, all others as nim heaps of their nimber.
class HeapSolver {
  public:
    virtual ~HeapSolver() = default;

    // nullopt: not known within the budget or the limits of tables.
    virtual std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const = 0;

    // The followers of `heap` that have this nimber. Where the nimber of the heap itself is not
    // known, those among them whose nimber is: at least that many.
    virtual Count count_followers(const Heap& heap, const Nimber& nimber) const = 0;
    // Number `index` of them, from 0.
    virtual std::vector<Heap> follower(const Heap& heap, const Nimber& nimber,
                                       Count index) const = 0;
    // The first of them, `limit` at most.
    virtual std::vector<std::vector<Heap>> list_followers(const Heap& heap,
                                                          const Nimber& nimber,
                                                          std::size_t limit) const = 0;

    virtual Length longest_play(const Heap& heap) const = 0;
    // A follower from which play can last longest. The heap must have a move.
    virtual std::vector<Heap> longest_follower(const Heap& heap) const = 0;
};

std::shared_ptr<const HeapSolver> find_solver(const Ruleset& ruleset);

}  // namespace engine

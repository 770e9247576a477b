// Nim: the nimber of a heap is the heap (Bouton; for ordinals, Conway).
#pragma once

#include "engine/solver/heap_solver.hpp"

namespace engine {

class NimSolver : public HeapSolver {
  public:
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    bool is_quick() const override { return true; }
    Tally count_followers(const Heap& heap, const Nimber& nimber,
                          const Budget& budget) const override;
    std::vector<Heap> follower(const Heap& heap, const Nimber& nimber, Count index,
                               const Budget& budget) const override;
    std::vector<std::vector<Heap>> list_followers(const Heap& heap, const Nimber& nimber,
                                                  std::size_t limit,
                                                  const Budget& budget) const override;
    std::optional<ProvenLaw> law(Number, const Budget&) const override {
        return ProvenLaw{{0, 1, 1}, "formula", 0};
    }
    bool is_tame() const override { return true; }
    // As long as the heap itself: each move takes 1.
    std::optional<Length> longest_play(const Heap& heap, const Budget& budget) const override;
    // Behind a limit ordinal no follower is the longest: then one that is very long.
    std::optional<std::vector<Heap>> longest_follower(const Heap& heap,
                                                      const Budget& budget) const override;
};

}  // namespace engine

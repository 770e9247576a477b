// Nim: the nimber of a heap is the heap (Bouton; for ordinals, Conway).
#pragma once

#include "engine/solver/heap_solver.hpp"

namespace engine {

class NimSolver : public HeapSolver {
  public:
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    Count count_followers(const Heap& heap, const Nimber& nimber) const override;
    std::vector<Heap> follower(const Heap& heap, const Nimber& nimber,
                               Count index) const override;
    std::vector<std::vector<Heap>> list_followers(const Heap& heap, const Nimber& nimber,
                                                  std::size_t limit) const override;
    // As long as the heap itself: each move takes 1.
    Length longest_play(const Heap& heap) const override;
    // Behind a limit ordinal no follower is the longest: then one that is very long.
    std::vector<Heap> longest_follower(const Heap& heap) const override;
};

}  // namespace engine

// Nim: the nimber of a heap is the heap (Bouton; for ordinals, Conway).
#pragma once

#include "engine/heaps/heap_solver.hpp"

namespace engine {

class NimSolver : public HeapSolver {
  public:
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    bool is_quick() const override { return true; }
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override;
    std::optional<ProvenLaw> law(Number, const Budget&) const override {
        return ProvenLaw{{0, 1, 1}, "formula", 0};
    }
    bool is_tame() const override { return true; }
};

}  // namespace engine

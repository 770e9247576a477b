// Nim: the nimber of a heap is the heap (Bouton; for ordinals, Conway).
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/solvers.hpp"

namespace engine {
namespace {

Nimber nimber_of(const Heap& heap) {
    if (const auto* number = std::get_if<Number>(&heap)) return *number;
    return std::get<Ordinal>(heap);
}

Heap heap_of(const Nimber& nimber) {
    if (const auto* finite = std::get_if<std::uint64_t>(&nimber)) return Heap(*finite);
    return Heap(std::get<Ordinal>(nimber));
}

class NimSolver : public HeapSolver {
  public:
    std::optional<Nimber> nimber(const Heap& heap, const Budget&) const override {
        return nimber_of(heap);
    }

    bool is_quick() const override { return true; }

    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget&,
                         VisitFollowers visit) const override {
        if (nimber < nimber_of(heap))
            visit(1, [&](Count) { return std::vector{heap_of(nimber)}; });
        return true;
    }

    std::optional<ProvenLaw> law(Number, const Budget&) const override {
        return ProvenLaw{{0, 1, 1}, "formula", 0};
    }
    bool is_tame() const override { return true; }
};

}  // namespace

SolverPtr make_nim_solver() { return std::make_shared<NimSolver>(); }

}  // namespace engine

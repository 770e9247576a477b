// octal{CODE}, hex{CODE} and Grundy's game: nimbers by table, and by a law for all heaps where
// one is proven.
#pragma once

#include "engine/heaps/break_moves.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/nimber_sequence.hpp"

namespace engine {

// Grown by a quarter at a time: a search for a law costs a few nanoseconds a heap, and without
// splits as much as the heap itself.
NimberSequence octal_sequence(const BreakMoves& moves);

class OctalSolver : public HeapSolver {
  public:
    explicit OctalSolver(BreakMoves moves)
        : moves_(std::move(moves)), table_(octal_sequence(moves_)) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override;
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;

  private:
    const BreakMoves moves_;
    const NimberSequence table_;
};

}  // namespace engine

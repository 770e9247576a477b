// lasker: a closed form, and the followers of each nimber counted digit by digit.
#pragma once

#include "engine/heaps/heap_solver.hpp"

namespace engine {

// G(n) is n, except that 4k+3 and 4k+4 are swapped (Lasker 1931; Winning Ways, chapter 4).
// So each nimber belongs to one heap. Two heaps with nimbers u and v and u xor v = t satisfy
// u + v = t + 2(u and v): the sum tells which binary digits they share, and each digit of t
// goes to either of them.
class LaskerSolver : public HeapSolver {
  public:
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    bool is_quick() const override { return true; }
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override;
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;

    // Heap 2 is (2,2); from 3 on the heaps 0 and 1 give 0 and 1 to the options under both
    // conventions, and any other option has a part of 2 or more.
    bool is_tame() const override { return true; }
};

}  // namespace engine

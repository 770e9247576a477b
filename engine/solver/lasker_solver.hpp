// lasker: a closed form, and the followers of each nimber counted digit by digit.
#pragma once

#include "engine/solver/heap_solver.hpp"

namespace engine {

// G(n) is n, but for 4k+3 and 4k+4, which change places (Lasker 1931; Winning Ways, chapter 4).
// So a nimber stands for one heap. Of two heaps with nimbers u and v and u xor v = t, u + v = t
// + 2(u and v): what they share is known from the sum, and each digit of t goes to one of them.
class LaskerSolver : public HeapSolver {
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
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;

    // Heap 2 is (2,2); from 3 on the heaps 0 and 1 give 0 and 1 to the options under both
    // conventions, and any other option has a part of 2 or more.
    bool is_tame() const override { return true; }

    // Splitting off ones first, then taking them: 2n - 1 moves. No play is longer: each
    // move lowers 2 * (sum of heaps) - (number of heaps).
    std::optional<Length> longest_play(const Heap& heap, const Budget& budget) const override;
    std::optional<std::vector<Heap>> longest_follower(const Heap& heap,
                                                      const Budget& budget) const override;
};

}  // namespace engine

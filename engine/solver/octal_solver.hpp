// octal{CODE}, hex{CODE} and Grundy's game: nimbers by table, and by a law for all heaps where
// one is proven.
#pragma once

#include "engine/solver/heap_solver.hpp"
#include "engine/solver/longest_break.hpp"
#include "engine/solver/octal_table.hpp"

namespace engine {

class OctalSolver : public HeapSolver {
  public:
    explicit OctalSolver(BreakMoves moves) : table_(moves), longest_(std::move(moves)) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    Tally count_followers(const Heap& heap, const Nimber& nimber,
                          const Budget& budget) const override;
    std::vector<Heap> follower(const Heap& heap, const Nimber& nimber, Count index,
                               const Budget& budget) const override;
    std::vector<std::vector<Heap>> list_followers(const Heap& heap, const Nimber& nimber,
                                                  std::size_t limit,
                                                  const Budget& budget) const override;
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;
    std::optional<Length> longest_play(const Heap& heap, const Budget& budget) const override;
    std::optional<std::vector<Heap>> longest_follower(const Heap& heap,
                                                      const Budget& budget) const override;

  private:
    // Visits the followers with the nimber: see break_followers.hpp.
    template <typename Visit>
    bool visit(const Heap& heap, const Nimber& nimber, const Budget& budget, Visit visit) const;

    OctalTable table_;
    LongestBreak longest_;
};

}  // namespace engine

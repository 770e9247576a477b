// wythoff: who wins by formula, nimbers by table.
#pragma once

#include <list>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/wythoff_table.hpp"

namespace engine {

// Nimber 0 is O(1) for all heaps, the moves to it too. Any other takes the table up to the
// heap: some tens of millions of cells a second.
class WythoffSolver : public HeapSolver {
  public:
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t nimber,
                                   const Budget& budget) const override;
    // The cells of the table.
    std::uint64_t effort(const Heap& heap) const override;

    // Three at most: a nimber stands once in a row, a column and a diagonal.
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override;

  private:
    // Both in any order.
    struct Pair {
        Number first = 0;
        Number second = 0;
    };
    struct Found {
        std::vector<Pair> pairs;
        bool complete = true;
    };
    static Pair pair_of(const Heap& heap);

    Found find_pairs(const Heap& heap, const Nimber& nimber, const Budget& budget) const;
    static Found find_lost(Pair from);
    Found find_in_table(Pair from, std::uint64_t nimber, const Budget& budget) const;
    // Its nimber by the table.
    std::optional<std::uint64_t> look_up(Pair pair, const Budget& budget) const;
    // A table for this cell, a <= b; nullptr where it would be too large.
    WythoffTable* find_table(Number a, Number b) const;

    mutable std::timed_mutex mutex_;
    mutable std::list<WythoffTable> tables_;
};

}  // namespace engine

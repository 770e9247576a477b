// How long play can last in a heap of a taking-and-breaking game.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "engine/solver/break_moves.hpp"
#include "engine/solver/budget.hpp"
#include "engine/solver/period_law.hpp"

namespace engine {

// L(n) = 1 + max L(a) + L(b) + … over all moves, and 0 without a move. By table, until L(n+p) =
// L(n) + s is proven for all n from n0 on: the argument of octal periodicity (octal_law.hpp)
// holds for sums of lengths as for nimbers, since adding p to the largest part of an option
// adds s to its length. Grundy's game lasts n - 2 moves: no split of n into a and b lasts
// longer than 1 + (a - 2) + (b - 2), or 1 + (b - 2) with a = 1.
class LongestBreak {
  public:
    explicit LongestBreak(BreakMoves moves) : moves_(std::move(moves)) {}

    // nullopt: not known within the budget; or beyond the table, and no law was found.
    std::optional<Number> length(Number heap, const Budget& budget) const;
    // A move after which play lasts longest. nullopt where length() is, or there is no move.
    std::optional<std::vector<Heap>> follower(Number heap, const Budget& budget) const;

    static constexpr std::size_t kMaxHeaps = 4096;

  private:
    bool grow(Number heap, const Budget& budget) const;
    void add_heap() const;
    // The parts a move leaves at best, ascending; none where there is no move.
    std::optional<std::vector<Number>> best_parts(std::size_t heap) const;
    void look_for_law() const;
    std::size_t bound(std::size_t preperiod, std::size_t period) const;

    BreakMoves moves_;
    mutable std::mutex mutex_;
    mutable std::vector<Number> lengths_;
    mutable std::vector<Number> pairs_;  // the longest for two heaps of this total; 0: none
    mutable std::optional<PeriodLaw> law_;
};

}  // namespace engine

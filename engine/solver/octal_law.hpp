// The proof that the nimbers of a taking-and-breaking game repeat for ever.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/solver/break_moves.hpp"
#include "engine/solver/nimber_array.hpp"
#include "engine/solver/pair_values.hpp"
#include "engine/solver/period_law.hpp"

namespace engine {

// Octal periodicity (Guy and Smith 1956), for moves that leave d >= 2 heaps at most and take k
// at most: if n0 >= 1 and G(n+p) = G(n) for all n with n0 <= n < d*n0 + (d-1)*p + k, then for
// all n >= n0. For in an option of a larger heap n + p the largest part is n0 + p at least; so
// taking p from it, or adding p to the largest part of an option of n, leads from the options
// of one to options of the other of the same nimber. Not for unequal parts: they may become
// equal.
//
// Finds the least period that the first `size` nimbers prove, and from where on. O(size) time,
// four bytes of memory for each period that is possible.
class LawSearch {
  public:
    LawSearch(const BreakMoves& moves, std::shared_ptr<const NimberArray> values,
              std::size_t size);

    // False: memory is short.
    bool begin();
    // How many heaps it takes to prove the law.
    static Number heaps_needed(const BreakMoves& moves, Number preperiod, Number period);

    // Goes on for so much work; true at the end.
    bool advance(Work& work);
    // Where there is one, with the least preperiod.
    const std::optional<PeriodLaw>& law() const { return law_; }

  private:
    std::shared_ptr<const NimberArray> values_;
    std::size_t size_;
    BreakMoves moves_;
    std::size_t last_period_ = 0;
    std::optional<PeriodLaw> law_;

    // The Z function of the nimbers read backwards: how many of the last ones are as those
    // `period` before.
    std::vector<std::uint32_t> matches_;
    std::size_t period_ = 1;
    std::size_t match_ = 0;
    std::size_t left_ = 0;
    std::size_t right_ = 0;
    bool matching_ = false;
    Reservation memory_;
};

}  // namespace engine

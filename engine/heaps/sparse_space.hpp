// Rare and common nimbers: what makes the nimbers of octal games quick to find (Winning Ways,
// chapter 4; Gangolli and Plambeck, "A note on periodicity in some octal games", 1989; and
// Flammenkamp's computations).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/heaps/break_moves.hpp"
#include "engine/heaps/nimber_array.hpp"

namespace engine {

// A heap that belongs to the rare ones, and its nimber.
struct RareHeap {
    std::uint32_t heap;
    std::uint32_t value;
};

// Calls a value at a heap common or rare by the parity of the bits that it shares with a mask,
// and, where that is of use, of the heap. The parity adds up over a split, so that the options
// common + common and rare + rare are rare values at the heap that is split, and rare + common
// is a common one. A good mask leaves few heaps whose own nimber is rare. The common ones among
// the options are found from these heaps alone.
class SparseSpace {
  public:
    explicit SparseSpace(const BreakMoves& moves);

    // To be called with each heap in turn, from 1 on. False: memory is short.
    bool add(std::size_t heap, std::uint32_t value);

    // Chooses the mask anew, the one that leaves the fewest rare heaps. False: memory is short.
    // O(values log values), and O(heaps) where the mask changes.
    bool choose(const NimberArray& values);

    // Whether rare heaps are few enough for telling them apart to pay.
    bool is_useful() const { return useful_; }
    bool is_common(std::size_t heap, std::uint32_t value) const {
        const auto shared = static_cast<unsigned>(__builtin_parity(value & mask_));
        return ((shared + by_place_ * (heap + parity_)) & 1) != 0;
    }
    // In ascending order; empty where it is not useful.
    const std::vector<RareHeap>& rare() const { return rare_; }
    // Changes with the mask.
    std::uint32_t version() const { return version_; }

  private:
    std::optional<unsigned> place_parity_;  // of all places that split, if they share one
    std::vector<std::int64_t> counts_[2];   // heaps by value, even and odd
    std::size_t heaps_ = 0;
    bool useful_ = false;
    std::uint32_t mask_ = 0;
    std::size_t by_place_ = 0;  // 1: the parity of the heap counts too
    std::size_t parity_ = 0;
    std::vector<RareHeap> rare_;
    std::uint32_t version_ = 0;
    Reservation memory_;
};

}  // namespace engine

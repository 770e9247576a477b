// The values of all pairs of heaps of one total, found piece by piece.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/heaps/nimber_array.hpp"
#include "engine/heaps/sparse_space.hpp"

namespace engine {

// The work that may still be done before the clock is to be read; about a nanosecond a unit.
struct Work {
    std::ptrdiff_t left = 0;

    void spend(std::size_t units) { left -= static_cast<std::ptrdiff_t>(units); }
    bool is_spent() const { return left <= 0; }
};

// For a total M the set of nimbers G(a) xor G(b) with a + b = M, a and b at least 1, as bits.
// Each total remembers which pairs have been looked at, so that no pair is looked at twice,
// whichever heaps need its total.
class PairValues {
  public:
    // Keeps so many totals that follow each other, or more; 0: all.
    PairValues(std::size_t totals, bool unequal)
        : mask_(totals == 0 ? ~std::size_t{0} : std::bit_ceil(totals + kAhead) - 1),
          unequal_(unequal) {}

    // Room for values below `limit`, a power of two from 8 on, and for a total. False: memory
    // is short.
    bool make_room(std::size_t limit, std::size_t total);

    // Looks at the pairs of `total` with a rare heap, or at all pairs where heaps are not told
    // apart. False: the work that is left did not suffice.
    bool look_at_rare(std::size_t total, const NimberArray& values, const SparseSpace& space,
                      Work& work);
    // Looks at some pairs more, from both ends. False: there are no others.
    bool look_on(std::size_t total, const NimberArray& values, Work& work);
    // Have few pairs been looked at, so that most of what look_on() finds will be new?
    bool is_fresh(std::size_t total) { return row(total).low <= limit_; }
    // Looks for one value among the next pairs, some thousands: several at a time.
    bool find_near(std::size_t total, std::uint32_t value, const NimberArray& values,
                   Work& work);

    // What has been found.
    std::span<const std::uint64_t> found(std::size_t total) const {
        return std::span(bits_).subspan(slot(total) * words_, words_);
    }

  private:
    struct Row {
        std::size_t total = 0;
        std::size_t low = 0;  // the pairs a, total - a with low <= a < high are left
        std::size_t high = 0;
        std::size_t rare = 0;   // so many rare heaps have been looked at
        std::size_t ahead = 0;  // and those from kAhead on, up to number `ahead`
        std::uint32_t version = 0;
    };

    static constexpr std::size_t kAhead = 8;

    bool keeps_all() const { return mask_ == ~std::size_t{0}; }
    std::size_t slot(std::size_t total) const { return total & mask_; }
    Row& row(std::size_t total) {
        Row& row = rows_[slot(total)];
        if (row.total != total) start(row, total);
        return row;
    }
    void start(Row& row, std::size_t total);
    // Looks at `count` pairs with the values `pair(i)`; collect() to follow.
    template <typename Pair>
    void look_at(std::size_t total, std::size_t count, Pair pair);
    void look_between(std::size_t total, std::size_t first, std::size_t end,
                      const NimberArray& values);
    // Looks at the rare heaps from kAhead on, for this total and the next kAhead - 1. Their
    // nimbers are known already, and eight totals at a time cost little more than one.
    void look_ahead(std::size_t total, const NimberArray& values, const SparseSpace& space,
                    Work& work);
    void look_at_rare_between(std::size_t total, const RareHeap* first, const RareHeap* end,
                              const NimberArray& values);
    void collect(std::size_t total, std::size_t marks = 0);

    std::size_t mask_;
    bool unequal_;
    std::size_t limit_ = 0;
    std::size_t words_ = 0;
    std::vector<Row> rows_;
    std::vector<std::uint64_t> bits_;  // row after row
    std::unique_ptr<bool[]> marks_;    // of values, for kAhead totals; all clear between calls
    std::vector<std::uint8_t>
        near_;  // the first nimbers, backwards, as wide as they are stored
    NimberArray::Width near_width_ = NimberArray::Width::Byte;
    Reservation memory_;
};

}  // namespace engine

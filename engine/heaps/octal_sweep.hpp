// Nimbers of a taking-and-breaking game, heap after heap.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/heaps/break_moves.hpp"
#include "engine/heaps/nimber_array.hpp"
#include "engine/heaps/nimber_sequence.hpp"

namespace engine {

// Rare and common nimbers make the nimbers of octal games quick to find (Winning Ways, chapter
// 4; Gangolli and Plambeck, "A note on periodicity in some octal games", 1989; and
// Flammenkamp's computations). This is a rare heap, and its nimber.
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

    // To be called with each heap in turn, from 1 on. False, without a change: memory is short.
    bool add(std::size_t heap, std::uint32_t value);

    // Chooses the mask anew, the one that leaves the fewest rare heaps; where memory is short
    // it stays as it is. O(values log values), and O(heaps) where the mask changes.
    void choose(const NimberArray& values);

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

// The work that may still be done before the clock is to be read; about a nanosecond a unit.
struct Work {
    std::ptrdiff_t left = 0;

    void spend(std::size_t units) { left -= static_cast<std::ptrdiff_t>(units); }
    bool is_spent() const { return left <= 0; }
};

// The values of all pairs of heaps of one total, found piece by piece.
//
// For a total M the set of nimbers G(a) xor G(b) with a + b = M, a and b at least 1, as bits.
// Each total remembers which pairs have been visited, so that no pair is visited twice,
// whichever heaps need its total.
class PairValues {
  public:
    // Keeps the latest `totals` totals at least; 0: all of them.
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
    // Whether few pairs have been visited, so that most of those of look_on() will be new.
    bool is_fresh(std::size_t total) { return row(total).low <= limit_; }
    // Looks for one value among the next pairs, some thousands: several at a time.
    bool find_near(std::size_t total, std::uint32_t value, const NimberArray& values,
                   Work& work);

    // The result so far.
    std::span<const std::uint64_t> found(std::size_t total) const {
        return std::span(bits_).subspan(slot(total) * words_, words_);
    }

  private:
    struct Row {
        std::size_t total = 0;
        std::size_t low = 0;  // the pairs a, total - a with low <= a < high are left
        std::size_t high = 0;
        std::size_t rare = 0;   // the number of rare heaps visited
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
    std::vector<std::uint8_t> near_;   // the first nimbers, backwards, as wide as stored
    NimberArray::Width near_width_ = NimberArray::Width::Byte;
    Reservation memory_;
};

// Without splits: the mex of a window. With splits into two: the options that a rare heap takes
// part in (SparseSpace) give all common values among the options; if the mex so far is a
// common value, it is the nimber; if it is a rare one, pairs are visited, in turn at all
// places and from both ends, until it turns up or there are no others. With splits into three:
// all pairs of each total are kept. A value turns up where a heap and a pair make it; then all
// values that this heap makes with the pairs are marked at once, so that few values are left.
class OctalSweep final : public NimberSweep {
  public:
    // `sparse` false: the plain quadratic sweep, to compare with.
    explicit OctalSweep(BreakMoves moves, bool sparse = true);

    // One heap of a code with very many digits may take more than `work`. Where memory is
    // short, a later call goes on.
    bool extend(std::size_t end, std::size_t work) override;

    // The rare heaps; none where it does not pay to tell them apart.
    const std::vector<RareHeap>& rare() const { return space_.rare(); }
    std::size_t bytes() const { return values_ ? values_->bytes() : 0; }

  private:
    enum class Step { Done, Spent, Short };

    bool start();
    Step next(Work& work);
    std::uint32_t next_by_mask() const;
    Step find_options(std::size_t heap, Work& work);
    Step find_pair(std::size_t heap, std::uint32_t value, Work& work);
    bool find_near(std::size_t heap, std::uint32_t value, Work& work);
    bool mark_triples(std::size_t heap, std::uint32_t value, Work& work);
    bool append(std::size_t heap, std::uint32_t value);

    void mark(std::uint32_t value) { options_[value / 64] |= std::uint64_t{1} << (value % 64); }
    bool is_marked(std::uint32_t value) const {
        return (options_[value / 64] >> (value % 64) & 1) != 0;
    }
    void mark_pairs(std::size_t total);

    BreakMoves moves_;
    bool sparse_;
    bool by_mask_;  // no splits and few places: the nimbers of the options fit one word
    SparseSpace space_;
    PairValues pairs_;
    std::vector<std::uint64_t> options_;  // of the heap at hand; one bit more than values
    std::size_t limit_ = 8;               // a power of two above all values
    std::size_t third_ = 0;               // of mark_triples(): the heap to look at next, less 1
};

// Grown by a quarter at a time: a search for a law costs a few nanoseconds a heap, and without
// splits as much as the heap itself.
NimberSequence octal_sequence(const BreakMoves& moves);

}  // namespace engine

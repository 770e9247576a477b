// Subtraction sets by table: nimbers, grown on demand until a law for all heaps is proven; and,
// of sets of few numbers, P-positions far beyond them, 64 at a time: a bit a heap, no nimbers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/heaps/nimber_array.hpp"
#include "engine/heaps/nimber_sequence.hpp"
#include "engine/heaps/take_values.hpp"
#include "engine/rules/take.hpp"

namespace engine {

// A set of small numbers that finds the smallest missing number (the mex) in a few steps: a
// tree of 64-way words, where a bit of a level is set if the word below it is full.
class FreeValues {
  public:
    FreeValues() : levels_(1, std::vector<std::uint64_t>(1)) {}

    void insert(std::size_t value) {
        while (value >= levels_.front().size() * 64) grow();
        for (auto& level : levels_) {
            std::uint64_t& word = level[value / 64];
            word |= std::uint64_t{1} << (value % 64);
            if (word != ~std::uint64_t{0}) return;
            value /= 64;
        }
    }

    // `value` must be in the set.
    void erase(std::size_t value) {
        for (auto& level : levels_) {
            std::uint64_t& word = level[value / 64];
            const bool was_full = word == ~std::uint64_t{0};
            word &= ~(std::uint64_t{1} << (value % 64));
            if (!was_full) return;
            value /= 64;
        }
    }

    std::size_t least_missing() const {
        if (levels_.back().front() == ~std::uint64_t{0}) return levels_.front().size() * 64;
        std::size_t place = 0;
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
            place = place * 64 + static_cast<std::size_t>(std::countr_one((*level)[place]));
        }
        return place;
    }

  private:
    // A level on top, and every level below 64 times as long.
    void grow() {
        const bool full = levels_.back().front() == ~std::uint64_t{0};
        levels_.push_back({full ? std::uint64_t{1} : 0});
        std::size_t words = 64;
        for (std::size_t i = levels_.size() - 1; i-- > 0; words *= 64) levels_[i].resize(words);
    }

    std::vector<std::vector<std::uint64_t>> levels_;  // the values themselves first
};

// Heap after heap, by the nimbers of the options.
class SubtractionSweep final : public NimberSweep {
  public:
    explicit SubtractionSweep(TakeSet set);

    bool extend(std::size_t end, std::size_t work) override;
    // Whether the members are so few that each can be tested.
    static bool is_small(const TakeSet& set) { return !set.members(kFewMembers).empty(); }

  private:
    static constexpr Count kFewMembers = 63;

    bool reserve(std::size_t heaps);
    void note_options(std::size_t heap);
    bool make_room_for(std::uint32_t value);
    void extend_by_mask(std::size_t end);

    TakeSet set_;
    // Descending, where they are so few that the nimbers of the options fit the bits of a word.
    std::vector<Number> members_;
    std::vector<std::uint32_t> option_counts_;  // options of the heap at hand, by nimber
    FreeValues option_values_;                  // those with a count
    std::size_t noted_ = 0;                     // heaps whose options were counted
    Reservation counts_memory_;
};

// For sets of few numbers. A heap is an N-position where a member leaves a P-position,
// so the P-positions, moved up by each member, are the N-positions.
class OutcomeSweep {
  public:
    static bool serves(const TakeSet& set) { return !set.members(kMostMembers).empty(); }

    // `set` must be one that it serves.
    explicit OutcomeSweep(const TakeSet& set);

    // Makes room for this number of heaps. False: memory is short.
    bool reserve(std::size_t heaps);
    // Finds the outcomes of the heaps below `end`, and perhaps of some more. There must be
    // room.
    void extend(std::size_t end);
    // A multiple of 64.
    std::size_t size() const { return words_ * 64; }
    // `heap` must be below size().
    bool is_p_position(std::size_t heap) const { return p_[heap / 64] >> (heap % 64) & 1; }
    std::size_t bytes() const { return p_.capacity() * sizeof(std::uint64_t); }

  private:
    static constexpr Count kMostMembers = 256;

    std::uint64_t next_word() const;

    // A member of 64 or more, as whole words and bits.
    struct Shift {
        std::size_t words = 0;
        unsigned bits = 0;
    };
    std::vector<Shift> far_;
    std::vector<unsigned> near_;  // members below 64, ascending
    // For members below eight, which lead from one of eight heaps in a row to another: which of
    // the eight are P-positions, by the set of those known to be N-positions.
    std::array<std::uint8_t, 256> p_of_eight_{};
    std::vector<std::uint64_t> p_;
    std::size_t words_ = 0;
    Reservation memory_;
};

// The P-positions of a subtraction set, found on demand, so that heaps are decided that are
// beyond tables of nimbers. Shared by threads, which take turns. It takes a quarter of all
// memory at most.
class OutcomeTable {
  public:
    // See OutcomeSweep::serves().
    explicit OutcomeTable(const TakeSet& set) : sweep_(set) {}

    // nullopt: not known within the budget or the memory. Some 10^9 heaps a second, each once.
    std::optional<bool> is_p_position(Number heap, const Budget& budget) const;

  private:
    mutable std::timed_mutex mutex_;
    mutable OutcomeSweep sweep_;
};

// The nimbers of a subtraction set in a table, in which each nimber can be looked for.
class SubtractionTable : public TakeValues, public Occurrences {
  public:
    // The table stops growing where memory is short, at a quarter of all memory, and at this
    // length; at kFewHeaps where it could not reach the heap that is asked for.
    static constexpr std::size_t kMaxHeaps = std::size_t{1} << 31;
    static constexpr std::size_t kFewHeaps = std::size_t{1} << 22;

    explicit SubtractionTable(const TakeSet& set);

    std::optional<Number> value(Number heap, const Budget& budget) const override {
        return sequence_.value(heap, budget, most_heaps(heap));
    }
    Count count_below(Number end, Number value) const override {
        return sequence_.known()->count_below(end, value);
    }
    Number heap_with(Number value, Count index) const override {
        return sequence_.known()->heap_with(value, index);
    }

    // Grows the table until a law is proven.
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;
    const Occurrences* occurrences() const override { return is_listed_ ? this : nullptr; }

  private:
    // How long the table may grow in order to reach this heap.
    std::size_t most_heaps(Number heap) const;

    const TakeSet set_;
    const bool is_listed_;  // the set is large
    const NimberSequence sequence_;
};

}  // namespace engine

// Which heaps of a subtraction set are P-positions, 64 at a time: a bit a heap, and no nimbers.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/rules/take.hpp"

namespace engine {

// For sets of few numbers. A heap is an N-position where a member leaves a P-position,
// so the P-positions, moved up by each member, are the N-positions.
class OutcomeSweep {
  public:
    static bool serves(const TakeSet& set);

    // `set` must be one that it serves.
    explicit OutcomeSweep(const TakeSet& set);

    // Makes room for so many heaps. False: memory is short.
    bool reserve(std::size_t heaps);
    // Up to heap `end` at least, not included, for which there must be room.
    void extend(std::size_t end);
    // A multiple of 64.
    std::size_t size() const { return words_ * 64; }
    // Of a heap below size().
    bool is_p_position(std::size_t heap) const { return p_[heap / 64] >> (heap % 64) & 1; }
    std::size_t bytes() const { return p_.capacity() * sizeof(std::uint64_t); }

  private:
    std::uint64_t next_word() const;

    // A member of 64 or more, as whole words and bits.
    struct Shift {
        std::size_t words = 0;
        unsigned bits = 0;
    };
    std::vector<Shift> far_;
    std::vector<unsigned> near_;  // members below 64, ascending
    // Which of eight heaps in a row are P-positions, by which of them are N-positions already:
    // for members below eight, which lead from one of them to another.
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

}  // namespace engine

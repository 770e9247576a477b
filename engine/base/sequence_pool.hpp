// Sequences of 32-bit numbers, each kept once and known by its index.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/long_array.hpp"
#include "engine/base/memory.hpp"

namespace engine {

// Keys are exact: equal sequences have equal indices, different ones different.
class SequencePool {
  public:
    using Index = std::uint32_t;

    // The index of the sequence, which is added if it is new; nullopt if memory is short. O(its
    // length), and at times the growth of a part of the table, a fraction of a millisecond.
    std::optional<Index> intern(std::span<const std::uint32_t> sequence);
    std::optional<Index> find(std::span<const std::uint32_t> sequence) const;

    Index size() const { return static_cast<Index>(ends_.size()); }
    // The number of items of all sequences together.
    std::size_t item_count() const { return items_.size(); }
    std::size_t bytes() const { return memory_.bytes(); }
    // Valid until the next intern().
    std::span<const std::uint32_t> operator[](Index index) const {
        const std::uint64_t begin = index == 0 ? 0 : ends_[index - 1];
        return {items_.data() + begin, ends_[index] - begin};
    }

  private:
    static constexpr Index kFree = UINT32_MAX;
    struct Slot {
        Index index = kFree;
        std::uint32_t hash = 0;
    };
    // Sequences whose hashes begin alike.
    struct Table {
        std::vector<Slot> slots;  // 2^(32 - shift) of them, at most two thirds in use
        std::size_t used = 0;
        int shift = 32;
    };

    std::size_t table_of(std::uint32_t hash) const;
    // The first slot in its table for a sequence of this hash.
    std::size_t home(const Table& table, std::uint32_t hash) const;
    // The slot of the sequence, or the free slot for it.
    std::size_t slot_of(const Table& table, std::span<const std::uint32_t> sequence,
                        std::uint32_t hash) const;
    void put(Table& table, const Slot& slot) const;
    bool grow(Table& table);
    bool divide();

    Reservation memory_;
    LongArray<std::uint32_t> items_;  // of all sequences
    LongArray<std::uint64_t> ends_;
    std::vector<Table> tables_{1};  // one, then 2^kTableBits
};

}  // namespace engine

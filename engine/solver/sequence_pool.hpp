// Sequences of 32-bit numbers, each kept once and known by its index.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/solver/long_array.hpp"
#include "engine/solver/memory.hpp"

namespace engine {

// Makes room for `extra` more items, after the memory was asked; false where it is short. The
// reservation is for the vector's capacity and whatever else it was for before.
template <typename Array>
bool make_room(Array& items, std::size_t extra, Reservation& memory) {
    using Item = typename std::remove_reference_t<decltype(items[0])>;
    if (items.capacity() - items.size() >= extra) return true;
    const std::size_t old = items.capacity();
    const std::size_t wanted = std::max(items.size() + extra, old + old / 2 + 16);
    if (!memory.resize(memory.bytes() + wanted * sizeof(Item))) return false;
    items.reserve(wanted);  // a vector's old items and new ones are together for a moment
    return memory.resize(memory.bytes() - old * sizeof(Item));
}

// Keys are exact: equal sequences have equal indices, different ones different.
class SequencePool {
  public:
    using Index = std::uint32_t;

    // The index of the sequence, which joins if it is new; nullopt where memory is short. O(its
    // length), and at times the growth of a part of the table, a fraction of a millisecond.
    std::optional<Index> intern(std::span<const std::uint32_t> sequence);
    std::optional<Index> find(std::span<const std::uint32_t> sequence) const;

    Index size() const { return static_cast<Index>(ends_.size()); }
    // Of all sequences together.
    std::size_t item_count() const { return items_.size(); }
    // Good until the next intern().
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
    // Where in its table a sequence of this hash belongs first.
    std::size_t home(const Table& table, std::uint32_t hash) const;
    // Where the sequence stands, or the free slot where it belongs.
    std::size_t slot_of(const Table& table, std::span<const std::uint32_t> sequence,
                        std::uint32_t hash) const;
    void put(Table& table, const Slot& slot) const;
    bool grow(Table& table);
    bool divide();

    Reservation memory_;
    LongArray<std::uint32_t> items_;  // one behind the other
    LongArray<std::uint64_t> ends_;
    std::vector<Table> tables_{1};  // one, then kTables of them
};

}  // namespace engine

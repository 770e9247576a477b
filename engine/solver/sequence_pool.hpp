// Sequences of 32-bit numbers, each kept once and known by its index.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/solver/memory.hpp"

namespace engine {

// Makes room for `extra` more items, after the memory was asked; false where it is short. The
// reservation is for the vector's capacity and whatever else it was for before.
template <typename Item>
bool make_room(std::vector<Item>& items, std::size_t extra, Reservation& memory) {
    if (items.capacity() - items.size() >= extra) return true;
    const std::size_t old = items.capacity();
    const std::size_t wanted = std::max(items.size() + extra, old + old / 2 + 16);
    if (!memory.resize(memory.bytes() + wanted * sizeof(Item))) return false;
    items.reserve(wanted);  // the old items and the new ones are there together for a moment
    return memory.resize(memory.bytes() - old * sizeof(Item));
}

// Keys are exact: equal sequences have equal indices, different ones different.
class SequencePool {
  public:
    using Index = std::uint32_t;

    // The index of the sequence, which joins if it is new; nullopt where memory is short. O(its
    // length).
    std::optional<Index> intern(std::span<const std::uint32_t> sequence);
    std::optional<Index> find(std::span<const std::uint32_t> sequence) const;

    Index size() const { return static_cast<Index>(ends_.size() - 1); }
    // Of all sequences together.
    std::size_t item_count() const { return items_.size(); }
    // Good until the next intern().
    std::span<const std::uint32_t> operator[](Index index) const {
        return std::span(items_).subspan(ends_[index], ends_[index + 1] - ends_[index]);
    }

  private:
    static constexpr Index kFree = UINT32_MAX;
    struct Slot {
        Index index = kFree;
        std::uint32_t hash = 0;
    };

    // Where a sequence of this hash belongs first: slots are in the order of hashes, so that
    // growth goes through both tables from end to end.
    std::size_t home(std::uint32_t hash) const { return hash >> shift_; }
    // Where the sequence stands, or the free slot where it belongs.
    std::size_t slot_of(std::span<const std::uint32_t> sequence, std::uint32_t hash) const;
    bool grow();

    Reservation memory_;
    std::vector<std::uint32_t> items_;  // one behind the other
    std::vector<std::uint64_t> ends_{0};
    std::vector<Slot> slots_;  // 2^(32 - shift_) of them, at most two thirds in use
    int shift_ = 32;
};

}  // namespace engine

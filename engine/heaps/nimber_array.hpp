// The nimbers of heaps 0, 1, 2, … in one, two or four bytes each.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/base/memory.hpp"

namespace engine {

// One thread appends; others read the values below the size() that they got.
class NimberArray {
  public:
    enum class Width : std::uint8_t { Byte = 1, Short = 2, Word = 4 };
    static Width width_for(std::uint32_t largest);

    // An empty one; null if memory is short.
    static std::shared_ptr<NimberArray> make(std::size_t capacity, Width width);
    // A copy of the first `size`; null if memory is short.
    static std::shared_ptr<NimberArray> copy(const NimberArray& from, std::size_t size,
                                             std::size_t capacity, Width width);

    std::size_t size() const { return size_.load(std::memory_order_acquire); }
    std::size_t capacity() const { return capacity_; }
    std::size_t bytes() const { return capacity_ * static_cast<std::size_t>(width_); }
    Width width() const { return width_; }

    // Calls `use` with a pointer to the first value, of the type it is stored in: for loops.
    template <typename Use>
    decltype(auto) visit(Use use) const {
        switch (width_) {
            case Width::Byte:
                return use(static_cast<const std::uint8_t*>(data_.get()));
            case Width::Short:
                return use(reinterpret_cast<const std::uint16_t*>(data_.get()));
            default:
                return use(reinterpret_cast<const std::uint32_t*>(data_.get()));
        }
    }

    // `heap` < size().
    std::uint32_t operator[](std::size_t heap) const {
        return visit([heap](const auto* values) -> std::uint32_t { return values[heap]; });
    }

    // Replaces `values` by a longer or wider copy if there is no room for the value, or it is
    // too wide. Returns false if memory is short.
    static bool make_room_for(std::shared_ptr<NimberArray>& values, std::uint32_t value);
    // There must be room.
    void push_back(std::uint32_t value);

    // Appends `count` values, for which there must be room: `write` gets a pointer to the first
    // of all values, of the type they are stored in, and sets those from size() on.
    template <typename Write>
    void append(std::size_t count, Write write) {
        const std::size_t end = size_.load(std::memory_order_relaxed) + count;
        visit([&]<typename Value>(const Value* values) { write(const_cast<Value*>(values)); });
        size_.store(end, std::memory_order_release);
    }

  private:
    NimberArray() = default;

    std::unique_ptr<std::uint8_t[]> data_;
    std::size_t capacity_ = 0;
    Width width_ = Width::Byte;
    std::atomic<std::size_t> size_ = 0;
    Reservation memory_;
};

}  // namespace engine

// An array that grows to gigabytes without a pause.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace engine {

// Like a vector of trivial items. Long arrays have pages of their own, so the system moves none
// of their bytes when they grow, and provides zeroed pages on first use: neither reserve() nor
// the constructor takes time for them.
template <typename Item>
class LongArray {
    static_assert(std::is_trivially_copyable_v<Item>);

  public:
    LongArray() = default;
    // This many items, all bits 0.
    explicit LongArray(std::size_t size)
        : items_(static_cast<Item*>(std::calloc(size, sizeof(Item)))),
          size_(size),
          capacity_(size) {
        if (size > 0 && items_ == nullptr) throw std::bad_alloc();
    }
    LongArray(LongArray&& other) noexcept { swap(other); }
    LongArray& operator=(LongArray&& other) noexcept {
        swap(other);
        return *this;
    }
    ~LongArray() { std::free(items_); }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    const Item* begin() const { return items_; }
    const Item* end() const { return items_ + size_; }
    const Item* data() const { return items_; }
    Item& operator[](std::size_t index) { return items_[index]; }
    const Item& operator[](std::size_t index) const { return items_[index]; }

    void reserve(std::size_t wanted) {
        if (wanted <= capacity_) return;
        void* grown = std::realloc(static_cast<void*>(items_), wanted * sizeof(Item));
        if (grown == nullptr) throw std::bad_alloc();
        items_ = static_cast<Item*>(grown);
        capacity_ = wanted;
    }
    void push_back(const Item& item) {
        const Item copy = item;  // which may be inside this array
        if (size_ == capacity_) reserve(capacity_ + capacity_ / 2 + 16);
        std::construct_at(items_ + size_++, copy);
    }
    // The items must not be this array's own.
    void append(std::span<const Item> more) {
        if (more.empty()) return;
        if (capacity_ - size_ < more.size()) {
            reserve(std::max(size_ + more.size(), capacity_ + capacity_ / 2 + 16));
        }
        std::memcpy(static_cast<void*>(items_ + size_), more.data(), more.size_bytes());
        size_ += more.size();
    }
    void clear() { size_ = 0; }

  private:
    void swap(LongArray& other) {
        std::swap(items_, other.items_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    Item* items_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace engine

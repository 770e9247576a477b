// The memory that all tables and searches of the process hold together: option Hash.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace engine {

// Safe to call from any thread.
class Memory {
  public:
    static constexpr std::size_t kDefaultLimit = std::size_t{512} << 20;
    static constexpr std::size_t kMaxMegabytes = std::size_t{1} << 20;

    // In bytes. A smaller limit drops unused tables.
    static void set_limit(std::size_t bytes);
    static std::size_t limit();
    static std::size_t used();

    // `drop` is called when memory is short, without locks held: it drops its oldest unused
    // table and returns whether there was one. Each owner of tables registers once a process.
    static void on_shortage(std::function<bool()> drop);
};

// A reservation of that memory, released on destruction. Reserve before you allocate.
class Reservation {
  public:
    Reservation() = default;
    Reservation(Reservation&& other) noexcept
        : bytes_(std::exchange(other.bytes_, 0)), payer_(std::move(other.payer_)) {}
    Reservation& operator=(Reservation&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(payer_, other.payer_);
        return *this;
    }
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    ~Reservation() { resize(0); }

    // Returns false, without a change, if the limit would be exceeded whatever is dropped.
    // Shrinking always succeeds. O(1) except for dropping.
    bool resize(std::size_t bytes);
    std::size_t bytes() const { return bytes_; }
    // Grows it to `bytes` if it is smaller, and by `spare` more, so that few calls ask for
    // memory.
    bool cover(std::size_t bytes, std::size_t spare) {
        return bytes <= bytes_ || resize(bytes + spare);
    }

  private:
    std::size_t bytes_ = 0;
    std::shared_ptr<std::atomic<std::size_t>> payer_;  // of a SharedQuestion; null: none
};

// One of several questions that are answered concurrently: until it is destroyed, it pays for
// what this thread reserves. That may be `wish` bytes in all, and no more than a share of the
// limit: of n questions each gets an (n + 1)th, so that there is room for the next one, and no
// session takes the memory of another. Tables that outlive their question have no payer; they
// are dropped when memory is short.
class SharedQuestion {
  public:
    explicit SharedQuestion(std::size_t wish);
    ~SharedQuestion();
    SharedQuestion(const SharedQuestion&) = delete;
    SharedQuestion& operator=(const SharedQuestion&) = delete;

  private:
    friend class Reservation;

    // Whether it may hold so many more bytes.
    bool has_room(std::size_t more) const;

    const std::size_t wish_;
    // What it pays for. Other threads take off what they free of it.
    const std::shared_ptr<std::atomic<std::size_t>> held_;
};

// Reserves memory for `extra` more items and makes room for them; returns false if memory is
// short. `memory` covers the capacity of `items`, besides what it covered before.
template <typename Array>
bool make_room(Array& items, std::size_t extra, Reservation& memory) {
    using Item = typename std::remove_reference_t<decltype(items[0])>;
    if (items.capacity() - items.size() >= extra) return true;
    const std::size_t old = items.capacity();
    const std::size_t wanted = std::max(items.size() + extra, old + old / 2 + 16);
    if (!memory.resize(memory.bytes() + wanted * sizeof(Item))) return false;
    items.reserve(wanted);  // a vector holds its old and new storage for a moment
    return memory.resize(memory.bytes() - old * sizeof(Item));
}

}  // namespace engine

// The memory that all tables and searches of the process hold together: option Hash.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace engine {

// Safe to call from any thread.
class Memory {
  public:
    static constexpr std::size_t kDefaultLimit = std::size_t{512} << 20;
    static constexpr std::size_t kMaxMegabytes = std::size_t{1} << 20;

    // In bytes. What is held beyond a smaller limit is dropped as far as nobody uses it.
    static void set_limit(std::size_t bytes);
    static std::size_t limit();
    static std::size_t used();

    // `drop` is called where memory is short, without locks held: it lets go of the oldest
    // thing that nobody uses and says whether there was one. Once a process and caller.
    static void on_shortage(std::function<bool()> drop);
};

// Bytes of that memory, given back at the end of its life. Reserve before you allocate.
class Reservation {
  public:
    Reservation() = default;
    Reservation(Reservation&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
    Reservation& operator=(Reservation&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    ~Reservation() { resize(0); }

    // False where the limit would be passed, whatever is dropped: then nothing changes.
    // Smaller is always possible. O(1) but for what is dropped.
    bool resize(std::size_t bytes);
    std::size_t bytes() const { return bytes_; }

  private:
    std::size_t bytes_ = 0;
};

}  // namespace engine

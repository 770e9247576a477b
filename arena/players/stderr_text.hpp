// The part of a program's output that is kept, such as a player's stderr.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace arena {

// The beginning, with errors at the start, and the end, with the cause of death.
class StderrText {
  public:
    static constexpr std::size_t kHead = 2048;  // bytes
    static constexpr std::size_t kTail = 4096;  // at least; at most twice as much

    StderrText() = default;
    StderrText(std::size_t head, std::size_t tail) : most_head_(head), most_tail_(tail) {}

    void add(std::string_view text);
    // A line between them says how much is left out.
    std::string text() const;

  private:
    std::size_t most_head_ = kHead;
    std::size_t most_tail_ = kTail;
    std::string head_;
    std::string tail_;
    std::size_t left_out_ = 0;
};

}  // namespace arena

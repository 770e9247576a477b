// The part of a player's stderr that is kept.
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

    void add(std::string_view text);
    // A line between them says how much is left out.
    std::string text() const;

  private:
    std::string head_;
    std::string tail_;
    std::size_t left_out_ = 0;
};

}  // namespace arena

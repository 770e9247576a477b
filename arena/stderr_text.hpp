// What is kept of a player's stderr.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace arena {

// The beginning, where errors of starting stand, and the end, where it says what it died of.
class StderrText {
  public:
    static constexpr std::size_t kHead = 2048;  // bytes
    static constexpr std::size_t kTail = 4096;  // at least; at most twice as much

    void add(std::string_view text);
    // Where something is left out, a line says how much.
    std::string text() const;

  private:
    std::string head_;
    std::string tail_;
    std::size_t left_out_ = 0;
};

}  // namespace arena

// Limits a repeating message to one a minute.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "arena/base/clock.hpp"

namespace arena {

class LineLimit {
  public:
    // The suffix of the message: empty, or " (and 3 times more before)". nullopt: do not show
    // the message; it is counted.
    std::optional<std::string> show(Clock::time_point now) {
        if (shown_ && now - *shown_ < kEvery) {
            ++left_out_;
            return std::nullopt;
        }
        std::string more;
        if (left_out_ > 0) {
            more = " (and " + std::to_string(left_out_) +
                   (left_out_ == 1 ? " time" : " times") + " more before)";
        }
        shown_ = now;
        left_out_ = 0;
        return more;
    }
    // Messages since the last one that was shown.
    std::size_t left_out() const { return left_out_; }

  private:
    static constexpr std::chrono::minutes kEvery{1};

    std::optional<Clock::time_point> shown_;
    std::size_t left_out_ = 0;
};

}  // namespace arena

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
    std::optional<std::string> tell(Clock::time_point now) {
        if (told_ && now - *told_ < kEvery) {
            ++untold_;
            return std::nullopt;
        }
        std::string more;
        if (untold_ > 0) {
            more = " (and " + std::to_string(untold_) + (untold_ == 1 ? " time" : " times") +
                   " more before)";
        }
        told_ = now;
        untold_ = 0;
        return more;
    }

  private:
    static constexpr std::chrono::minutes kEvery{1};

    std::optional<Clock::time_point> told_;
    std::size_t untold_ = 0;
};

}  // namespace arena

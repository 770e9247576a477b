// How often a line that repeats is told to people: once a minute.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "arena/game_record.hpp"

namespace arena {

class LineLimit {
  public:
    // What to append to the line: nothing, or " (and 3 times more before)". nullopt: it is not
    // told now, but counted.
    std::optional<std::string> tell(Clock::time_point now) {
        if (told_ && now - *told_ < kEvery) {
            ++untold_;
            return std::nullopt;
        }
        std::string more;
        if (untold_ > 0) {
            more = " (and " + std::to_string(untold_) +
                   (untold_ == 1 ? " time" : " times") + " more before)";
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

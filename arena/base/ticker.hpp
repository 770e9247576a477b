// A timer independent of the games, which they cannot delay.
#pragma once

#include <functional>
#include <thread>

#include "arena/base/clock.hpp"

namespace arena {

class Ticker {
  public:
    // Calls `tick` after each `nap`, on a thread of its own, with the time overslept: if that
    // is long, the machine kept this process from running.
    Ticker(Microseconds nap, std::function<void(Microseconds overslept)> tick);

  private:
    std::jthread thread_;
};

}  // namespace arena

// A timer independent of the games. If it wakes late, the machine kept this process from
// running, which may explain other delays at that time.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "arena/base/clock.hpp"

namespace arena {

class LateTimers {
  public:
    // Wakes every `nap` on a thread of its own. Calls `late` with the time overslept if that is
    // `threshold` or more.
    LateTimers(Microseconds nap, Microseconds threshold,
               std::function<void(Microseconds overslept)> late);
    ~LateTimers();
    LateTimers(const LateTimers&) = delete;
    LateTimers& operator=(const LateTimers&) = delete;

  private:
    void watch();

    const Microseconds nap_;
    const Microseconds threshold_;
    const std::function<void(Microseconds)> late_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace arena

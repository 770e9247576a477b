// A timer that has nothing to do with the games: where it wakes late, the machine kept this
// process from running, and whatever was late meanwhile may be due to that.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "arena/game_record.hpp"

namespace arena {

class Bystander {
  public:
    // Wakes every `nap` on a thread of its own, which calls `late` with what it overslept
    // wherever that is `worth_telling` or more.
    Bystander(Microseconds nap, Microseconds worth_telling,
              std::function<void(Microseconds overslept)> late);
    ~Bystander();
    Bystander(const Bystander&) = delete;
    Bystander& operator=(const Bystander&) = delete;

  private:
    void watch();

    const Microseconds nap_;
    const Microseconds worth_telling_;
    const std::function<void(Microseconds)> late_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace arena

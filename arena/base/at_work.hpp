// What a command that takes long shows on a terminal.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "arena/base/clock.hpp"
#include "arena/base/console.hpp"

namespace arena {

// Shows in the progress of a console, on a terminal, what is being done and for how many
// seconds, anew each second until it is destroyed. Thread-safe.
class AtWork {
  public:
    explicit AtWork(Console& console);
    ~AtWork();
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;

    // Empty: nothing for now.
    void tell(const std::string& text);

  private:
    void run(const std::stop_token& stop);
    void show();  // with the lock

    Console& console_;
    std::mutex mutex_;
    std::condition_variable_any end_;
    std::string text_;
    SteadyClock::time_point since_;
    std::jthread thread_;
};

}  // namespace arena

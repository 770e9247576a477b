// What a command that takes long shows on a terminal.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "arena/base/clock.hpp"
#include "arena/base/console.hpp"
#include "arena/base/ticker.hpp"

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
    void show();  // with the lock

    Console& console_;
    std::mutex mutex_;
    std::string text_;
    SteadyClock::time_point since_;
    std::optional<Ticker> seconds_;  // on a terminal
};

}  // namespace arena

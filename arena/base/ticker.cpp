#include "arena/base/ticker.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "arena/base/interrupts.hpp"

namespace arena {

Ticker::Ticker(Microseconds nap, std::function<void(Microseconds)> tick) {
    const SignalsElsewhere signals;
    thread_ = std::jthread([nap, tick = std::move(tick)](const std::stop_token& stop) {
        // Of this thread alone, so that nobody can delay it.
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock lock(mutex);
        for (;;) {
            const auto due = SteadyClock::now() + nap;
            stopped.wait_until(lock, stop, due, [] { return false; });
            if (stop.stop_requested()) return;
            tick(std::chrono::duration_cast<Microseconds>(SteadyClock::now() - due));
        }
    });
}

}  // namespace arena

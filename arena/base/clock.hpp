// The clock that games are timed by, and its units.
#pragma once

#include <chrono>
#include <ctime>

namespace arena {

using Microseconds = std::chrono::microseconds;
using Milliseconds = std::chrono::milliseconds;

// The system's own clock, for times that processes or databases measure too.
using SteadyClock = std::chrono::steady_clock;

// The steady clock without the time in which the arena itself did not run, see heartbeat.hpp.
// So a stop of the arena does not shorten the time of a player. Its time points have a type of
// their own, because they mean nothing to timers and other clocks.
struct Clock {
    using duration = SteadyClock::duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock>;
    static constexpr bool is_steady = true;

    // While the heartbeat is late for a reason that is not known yet, this stands still, so
    // that no deadline passes.
    static time_point now();
    // The clock's time at a moment that has just passed. Does not stand still.
    static time_point at(SteadyClock::time_point moment);
    // When a timer for this time must go off. If the arena is stopped before, its owner sets it
    // again. While the clock stands still, this is never now, but a moment later.
    static SteadyClock::time_point real(time_point time);
};

// The CPU time that this thread has used.
inline std::chrono::nanoseconds thread_cpu() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace arena

// The clock that games are timed by, and its units.
#pragma once

#include <chrono>

namespace arena {

using Microseconds = std::chrono::microseconds;
using Milliseconds = std::chrono::milliseconds;

// The system's own clock: for what others time too, as processes and databases do.
using SteadyClock = std::chrono::steady_clock;

// The steady clock without the time in which the arena itself did not run, see heartbeat.hpp.
// So what waits for a player waits no less because the arena was stopped. Its points are of a
// type of their own, as no timer and no other clock understands them.
struct Clock {
    using duration = SteadyClock::duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock>;
    static constexpr bool is_steady = true;

    // Where the heartbeat is late, and it is not known yet why, this stands still until it
    // comes: no deadline passes in between.
    static time_point now();
    // The clock's time at a moment that has just passed. Does not stand still.
    static time_point at(SteadyClock::time_point moment);
    // When a timer must go off for this time, unless the arena is stopped before: then its
    // owner sets it again. While the clock stands still, not at once.
    static SteadyClock::time_point real(time_point time);
};

}  // namespace arena

// The minimum time of a move on this machine.
#pragma once

#include <vector>

#include "arena/base/clock.hpp"
#include "arena/process/guardian.hpp"

namespace arena {

// The minimum time of a move: from writing a question to a child process that does nothing
// until its answer is read. The median and the 99th percentile of about a hundred.
struct Floor {
    Microseconds median{0};
    Microseconds p99{0};
};
// Of such times.
Floor floor_of(const std::vector<Microseconds>& times);
// Takes some 20 ms. An error where no process can be started.
protocol::Result<Floor> measure_floor(const Guardian& guardian);

// The time for a move should be at least this many floors; below that, noise decides games.
inline constexpr int kLeastFloors = 20;

}  // namespace arena

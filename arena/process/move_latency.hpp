// Measures the shortest time that a move takes on this machine.
#pragma once

#include <vector>

#include "arena/base/clock.hpp"
#include "arena/process/guardian.hpp"

namespace arena {

// The shortest time of a move: from writing a question to a child process that only copies it
// until the answer is read. Median and 99th percentile.
struct MoveLatency {
    Microseconds median{0};
    Microseconds p99{0};
};
// The latency that these times amount to.
MoveLatency latency_of(std::vector<Microseconds> times);
// Takes some 20 ms. Error: no process can be started.
protocol::Result<MoveLatency> measure_latency(const Guardian& guardian);

// The time for a move should be at least this many times the latency; below that, noise decides
// games.
inline constexpr int kLeastLatencies = 20;

}  // namespace arena

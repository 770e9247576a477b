// How late the engine answers when its time is up, or when it is told to stop.
#pragma once

#include <string>
#include <vector>

namespace engine {

// Milliseconds, ascending, of each time: from the end of `go movetime 1`, from `stop` and from
// `isready` during a search, to the answer.
struct Latencies {
    std::vector<double> clock, stop, ready;

    void add(const Latencies& more);
};

// Searches the position so often, by a session as over the protocol. A `#` in it stands for
// another number each time, since tables are kept.
Latencies measure_latencies(const std::string& position, int times);

// The value below which this share of the ascending values lies; 1: the largest.
double percentile(const std::vector<double>& values, double share);

}  // namespace engine

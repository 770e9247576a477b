// Is this machine fit to judge by the clock? `nim-arena doctor` measures, and says what is
// wrong.
#pragma once

#include <string>
#include <vector>

#include "arena/game_record.hpp"
#include "arena/guardian.hpp"

namespace arena {

// How long a move takes at the least: from a question written to a child process until its
// answer is read, the child doing nothing. The median and the 99th percentile of some hundred.
struct Floor {
    Microseconds median{0};
    Microseconds p99{0};
};
// Takes some 20 ms. An error where no process can be started.
protocol::Result<Floor> measure_floor(const Guardian& guardian);

// The time for a move should be so many floors: below, noise decides games.
inline constexpr int kLeastFloors = 20;

// Runs it: prints what was measured and what to mend. 0: nothing is wrong; 1: something is.
int run_doctor(const std::vector<std::string>& arguments, const Guardian& guardian);

}  // namespace arena

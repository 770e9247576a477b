// The clock that games are timed by, and its units.
#pragma once

#include <chrono>

namespace arena {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::microseconds;
using Milliseconds = std::chrono::milliseconds;

}  // namespace arena

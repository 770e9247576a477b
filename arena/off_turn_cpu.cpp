#include "arena/off_turn_cpu.hpp"

#include <algorithm>
#include <utility>

#include "arena/process_cpu.hpp"

namespace arena {
namespace {

constexpr Milliseconds kWorthALook{5};

}  // namespace

OffTurnCpu::OffTurnCpu(pid_t pid) : pid_(pid), bound_(process_cpu(pid)), since_(Clock::now()) {}

void OffTurnCpu::begin_turn(Clock::time_point now) {
    count_pause(now);
    since_ = now;
}

void OffTurnCpu::end_turn(Clock::time_point now) {
    const auto took = std::chrono::duration_cast<Microseconds>(now - since_);
    // A process that is gone has used nothing, which must not become the bound.
    bound_ += took;
    if (took >= kWorthALook) {
        const Microseconds used = process_cpu(pid_);
        if (used > Microseconds(0)) bound_ = std::min(bound_, used);
    }
    since_ = now;
}

Microseconds OffTurnCpu::take() {
    count_pause(Clock::now());
    return std::exchange(off_turn_, Microseconds(0));
}

void OffTurnCpu::count_pause(Clock::time_point now) {
    if (now - since_ < kWorthALook) return;
    const Microseconds used = process_cpu(pid_);
    off_turn_ += std::max(used - bound_, Microseconds(0));
    bound_ = std::max(bound_, used);
}

}  // namespace arena

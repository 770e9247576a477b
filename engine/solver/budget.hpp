// How long an answer may take.
#pragma once

#include <algorithm>
#include <chrono>
#include <stop_token>

namespace engine {

// What is not known by the deadline, or when a stop is requested, is answered as unknown.
struct Budget {
    std::chrono::steady_clock::time_point deadline =
        std::chrono::steady_clock::time_point::max();
    std::stop_token stop;

    // The same stop, and this long at most.
    Budget at_most(std::chrono::steady_clock::duration time) const {
        return {std::min(deadline, std::chrono::steady_clock::now() + time), stop};
    }

    // What is left; none where the deadline is past.
    std::chrono::steady_clock::duration left() const {
        const auto now = std::chrono::steady_clock::now();
        return deadline > now ? deadline - now : std::chrono::steady_clock::duration::zero();
    }

    bool is_spent() const {
        return stop.stop_requested() || std::chrono::steady_clock::now() >= deadline;
    }
};

}  // namespace engine

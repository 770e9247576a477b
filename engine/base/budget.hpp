// The time that an answer may take.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stop_token>

namespace engine {

// Values not known by the deadline, or when a stop is requested, are answered as unknown.
struct Budget {
    std::chrono::steady_clock::time_point deadline =
        std::chrono::steady_clock::time_point::max();
    std::stop_token stop;

    // The same stop, and at most this long.
    Budget at_most(std::chrono::steady_clock::duration time) const {
        return {std::min(deadline, std::chrono::steady_clock::now() + time), stop};
    }

    // No time: only what is known already is answered.
    static Budget spent() { return {std::chrono::steady_clock::time_point::min(), {}}; }

    // The same stop, and half of the time left.
    Budget half() const { return at_most(left() / 2); }

    // The remaining time; zero after the deadline.
    std::chrono::steady_clock::duration left() const {
        const auto now = std::chrono::steady_clock::now();
        return deadline > now ? deadline - now : std::chrono::steady_clock::duration::zero();
    }

    bool is_spent() const {
        return stop.stop_requested() || std::chrono::steady_clock::now() >= deadline;
    }
};

// Checks the clock once for each amount of work, in units of the caller's own. The budget must
// outlive it.
class BudgetPoll {
  public:
    BudgetPoll(const Budget& budget, std::size_t every) : budget_(budget), every_(every) {}

    bool is_spent(std::size_t work = 1) {
        work_ += work;
        if (work_ < every_) return false;
        work_ = 0;
        return budget_.is_spent();
    }

  private:
    const Budget& budget_;
    std::size_t every_;
    std::size_t work_ = 0;
};

}  // namespace engine

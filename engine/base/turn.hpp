// Threads that take turns at a table.
#pragma once

#include <chrono>
#include <mutex>

#include "engine/base/budget.hpp"

namespace engine {

// Waits for the mutex. The lock is not held if the budget ends first.
inline std::unique_lock<std::timed_mutex> take_turn(std::timed_mutex& mutex,
                                                    const Budget& budget) {
    std::unique_lock lock(mutex, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(1)) && !budget.is_spent()) {
    }
    return lock;
}

}  // namespace engine

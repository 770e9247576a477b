#include "arena/base/late_timers.hpp"

#include <pthread.h>

#include <csignal>
#include <utility>

namespace arena {

LateTimers::LateTimers(Microseconds nap, Microseconds threshold,
                       std::function<void(Microseconds)> late)
    : nap_(nap), threshold_(threshold), late_(std::move(late)) {
    // Signals are for the thread that starts this one.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        thread_ = std::thread([this] { watch(); });
    } catch (...) {
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw;
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LateTimers::~LateTimers() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    ended_.notify_one();
    thread_.join();
}

// The lock is used here only, so games cannot delay this thread.
void LateTimers::watch() {
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto due = SteadyClock::now() + nap_;
        if (ended_.wait_until(lock, due, [this] { return ending_; })) return;
        const auto overslept =
            std::chrono::duration_cast<Microseconds>(SteadyClock::now() - due);
        if (overslept >= threshold_) late_(overslept);
    }
}

}  // namespace arena

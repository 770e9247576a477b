// A long computation in steps, so that its caller can stop in time and continue later: a
// coroutine that pauses by `co_await std::suspend_always()`.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

#include "engine/base/budget.hpp"

namespace engine {

// Owns the coroutine. Nothing of it runs before the first step.
class Steps {
  public:
    struct promise_type {
        Steps get_return_object() {
            return Steps(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { thrown = std::current_exception(); }

        std::exception_ptr thrown;
    };

    Steps(Steps&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Steps& operator=(Steps&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Steps() {
        if (handle_) handle_.destroy();
    }

    // Takes one step, a fraction of a millisecond; returns true once the computation is done.
    // Rethrows its exception, after which it is done.
    bool step() {
        if (handle_.done()) return true;
        handle_.resume();
        if (handle_.promise().thrown) std::rethrow_exception(handle_.promise().thrown);
        return handle_.done();
    }

    // Takes at least one step, until the computation is done (true) or the budget is spent. So
    // however short each call is, enough calls reach the end.
    bool run(const Budget& budget) {
        while (!step()) {
            if (budget.is_spent()) return false;
        }
        return true;
    }

  private:
    explicit Steps(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

    std::coroutine_handle<promise_type> handle_;
};

}  // namespace engine

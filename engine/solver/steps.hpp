// A long computation that is done a step at a time, so that whoever runs it can stop in time
// and go on later: a coroutine that pauses by `co_await std::suspend_always()`.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

#include "engine/solver/budget.hpp"

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

    // Takes steps, one at least, until the computation is done (true) or the budget is spent:
    // however little time each call has, enough of them come to the end. What the computation
    // throws comes out here, and then it is done.
    bool run(const Budget& budget) {
        while (!handle_.done()) {
            handle_.resume();
            if (handle_.promise().thrown) std::rethrow_exception(handle_.promise().thrown);
            if (budget.is_spent()) break;
        }
        return handle_.done();
    }

  private:
    explicit Steps(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

    std::coroutine_handle<promise_type> handle_;
};

}  // namespace engine

// An io_context with its deadlines, on which a test runs coroutines step by step.
#pragma once

#include <exception>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "arena/base/run_alone.hpp"
#include "tests/harness/patience.hpp"

namespace arena {

inline Clock::time_point in_the_end() { return Clock::now() + protocol::test::kPatience; }
// A deadline that tests reach.
inline Clock::time_point soon() { return Clock::now() + std::chrono::milliseconds(20); }
inline Clock::time_point past() { return Clock::now() - std::chrono::seconds(1); }

class Loop {
  public:
    Loop() = default;
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    // Pending waits are destroyed with the io_context and use the deadlines until then.
    ~Loop() {
        compute_.join();
        deadlines_.close();
        io_.reset();
    }

    boost::asio::io_context& io() { return *io_; }
    Deadlines& deadlines() { return deadlines_; }
    EventLoop context() { return {*io_, deadlines_, compute_}; }

    // Runs everything that can run without waiting.
    void poll() {
        io_->restart();
        io_->poll();
    }
    // Runs until `done()`.
    template <typename Condition>
    void run_until(Condition done) {
        io_->restart();
        while (!done()) {
            if (io_->run_one() == 0) throw std::logic_error("nothing is waited for any more");
        }
    }

    // Starts a coroutine; returns the place of its result, empty until it ends.
    template <typename T>
    std::shared_ptr<std::optional<T>> start(Awaitable<T> task) {
        auto result = std::make_shared<std::optional<T>>();
        boost::asio::co_spawn(*io_, keep_result(std::move(task), result), rethrow);
        poll();
        return result;
    }

    // Runs a coroutine to its end.
    template <typename T>
    T finish(std::shared_ptr<std::optional<T>> started) {
        run_until([&] { return started->has_value(); });
        return std::move(**started);
    }
    template <typename T>
    T finish(Awaitable<T> task) {
        return finish(start(std::move(task)));
    }
    void finish(Awaitable<void> task) { finish(with_result(std::move(task))); }

  private:
    template <typename T>
    static Awaitable<void> keep_result(Awaitable<T> task,
                                       std::shared_ptr<std::optional<T>> result) {
        result->emplace(co_await std::move(task));
    }
    static Awaitable<bool> with_result(Awaitable<void> task) {
        co_await std::move(task);
        co_return true;
    }
    static void rethrow(std::exception_ptr error) {
        if (error) std::rethrow_exception(error);  // out of the io_context
    }

    std::unique_ptr<boost::asio::io_context> io_ = std::make_unique<boost::asio::io_context>(1);
    Deadlines deadlines_{*io_};
    boost::asio::thread_pool compute_{1};
};

// Counts its calls, and runs an optional action.
struct Patient : Waiter {
    explicit Patient(Loop& loop) : deadlines(loop.deadlines()) { deadlines.enroll(*this); }
    ~Patient() override { deadlines.dismiss(*this); }

    void expire() override {
        told_at = Clock::now();
        ++told;
        if (then) then();
    }

    Deadlines& deadlines;
    int told = 0;
    Clock::time_point told_at{};
    std::function<void()> then;
};

}  // namespace arena

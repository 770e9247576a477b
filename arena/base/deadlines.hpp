// The deadlines of all waits of one thread, kept by a single timer. A timer for each wait
// would cost a system call for each move; this one is set again only for an earlier
// deadline.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/base/io.hpp"

namespace arena {

// A wait. expire() is called once when the deadline has passed, unless it was cleared or reset
// before. drop() is called when the loop ends: a waiter whose continuation is kept outside the
// io_context releases it there, because nothing else would. Belongs to the thread of its
// Deadlines.
class Waiter {
  public:
    virtual ~Waiter() = default;

  private:
    friend class Deadlines;
    virtual void expire() = 0;
    virtual void drop() {}

    Clock::time_point deadline_ = Clock::time_point::max();
    std::size_t place_ = 0;  // among those enrolled
};

class Deadlines {
  public:
    explicit Deadlines(boost::asio::io_context& context);
    ~Deadlines();
    // Destroys the timer, which must not outlive the io_context, and drops all waiters. Nothing
    // expires after that.
    void close();

    // A waiter is enrolled during its whole lifetime.
    void enroll(Waiter& waiter);
    void dismiss(Waiter& waiter);

    void set(Waiter& waiter, Clock::time_point deadline);
    void clear(Waiter& waiter) { change(waiter, Clock::time_point::max()); }
    // How many waiters have a deadline.
    std::size_t waits() const { return waits_; }

  private:
    struct Timer;

    void change(Waiter& waiter, Clock::time_point deadline) {
        waits_ -= waiter.deadline_ != Clock::time_point::max();
        waits_ += deadline != Clock::time_point::max();
        waiter.deadline_ = deadline;
    }
    void arm(Clock::time_point at);
    void expire_due();

    std::unique_ptr<Timer> timer_;
    Clock::time_point armed_ = Clock::time_point::max();
    std::vector<Waiter*> waiters_;
    std::size_t waits_ = 0;
};

// Calls `cancel` when a deadline passes, unless destroyed before.
class CancelAt : public Waiter {
  public:
    CancelAt(Deadlines& deadlines, Clock::time_point at, std::function<void()> cancel)
        : deadlines_(deadlines), cancel_(std::move(cancel)) {
        deadlines_.enroll(*this);
        deadlines_.set(*this, at);
    }
    ~CancelAt() override { deadlines_.dismiss(*this); }
    CancelAt(const CancelAt&) = delete;
    CancelAt& operator=(const CancelAt&) = delete;

    bool fired() const { return fired_; }

  private:
    void expire() override {
        fired_ = true;
        cancel_();
    }

    Deadlines& deadlines_;
    std::function<void()> cancel_;
    bool fired_ = false;
};

}  // namespace arena

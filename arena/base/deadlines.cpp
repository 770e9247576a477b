#include "arena/base/deadlines.hpp"

#include <algorithm>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace arena {

struct Deadlines::Timer {
    boost::asio::steady_timer steady;
};

Deadlines::Deadlines(boost::asio::io_context& context)
    : timer_(new Timer{boost::asio::steady_timer(context)}) {}

Deadlines::~Deadlines() = default;

void Deadlines::close() {
    timer_.reset();
    // One at a time: dropping a waiter may destroy others.
    while (!waiters_.empty()) {
        Waiter* const waiter = waiters_.back();
        waiters_.pop_back();
        waiter->drop();
    }
}

void Deadlines::enroll(Waiter& waiter) {
    waiter.place_ = waiters_.size();
    waiters_.push_back(&waiter);
}

// The last waiter takes the free place.
void Deadlines::dismiss(Waiter& waiter) {
    if (waiter.place_ >= waiters_.size() || waiters_[waiter.place_] != &waiter) return;
    clear(waiter);
    waiters_[waiter.place_] = waiters_.back();
    waiters_[waiter.place_]->place_ = waiter.place_;
    waiters_.pop_back();
}

void Deadlines::set(Waiter& waiter, Clock::time_point deadline) {
    change(waiter, deadline);
    if (timer_ && deadline < armed_) arm(deadline);
}

void Deadlines::arm(Clock::time_point at) {
    armed_ = at;
    timer_->steady.expires_at(Clock::real(at));
    // Setting the timer again cancels the previous wait; a late handler finds nothing due. The
    // handler never runs after the destructor, which destroys the timer and so cancels the
    // wait.
    timer_->steady.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled) expire_due();
    });
}

void Deadlines::expire_due() {
    const auto now = Clock::now();
    armed_ = Clock::time_point::max();
    // By index, because expire() may enroll and dismiss waiters. One skipped by that is the
    // next deadline and so is handled at once.
    for (std::size_t i = 0; i < waiters_.size(); ++i) {
        Waiter& waiter = *waiters_[i];
        if (waiter.deadline_ > now) continue;
        clear(waiter);
        waiter.expire();
    }
    auto next = Clock::time_point::max();
    for (const Waiter* waiter : waiters_) next = std::min(next, waiter->deadline_);
    if (next != Clock::time_point::max()) arm(next);
}

}  // namespace arena

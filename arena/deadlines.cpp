#include "arena/deadlines.hpp"

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
    // One at a time: what is dropped may end the life of others.
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

// The last one takes its place.
void Deadlines::dismiss(Waiter& waiter) {
    if (waiter.place_ >= waiters_.size() || waiters_[waiter.place_] != &waiter) return;
    waiters_[waiter.place_] = waiters_.back();
    waiters_[waiter.place_]->place_ = waiter.place_;
    waiters_.pop_back();
}

void Deadlines::set(Waiter& waiter, Clock::time_point deadline) {
    waiter.deadline_ = deadline;
    if (timer_ && deadline < armed_) arm(deadline);
}

void Deadlines::arm(Clock::time_point at) {
    armed_ = at;
    timer_->steady.expires_at(at);
    // To set the timer anew cancels the wait before; one that comes after all finds nothing
    // due. The handler is never called after the destructor: that destroys the timer, which
    // cancels.
    timer_->steady.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled) expire_due();
    });
}

void Deadlines::expire_due() {
    const auto now = Clock::now();
    armed_ = Clock::time_point::max();
    // By index: expire() may enroll others, and dismiss some. Whoever is passed over by that is
    // looked at anew at once, as the next deadline is its own then.
    for (std::size_t i = 0; i < waiters_.size(); ++i) {
        Waiter& waiter = *waiters_[i];
        if (waiter.deadline_ > now) continue;
        waiter.deadline_ = Clock::time_point::max();
        waiter.expire();
    }
    auto next = Clock::time_point::max();
    for (const Waiter* waiter : waiters_) next = std::min(next, waiter->deadline_);
    if (next != Clock::time_point::max()) arm(next);
}

}  // namespace arena

#include "arena/workforce.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cstdint>
#include <array>
#include <exception>
#include <optional>

#include "arena/interrupts.hpp"

namespace arena {

WaitableEvent::WaitableEvent() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void WaitableEvent::set() const { ::eventfd_write(fd_.get(), 1); }

void WaitableEvent::clear() const {
    eventfd_t ignored = 0;
    ::eventfd_read(fd_.get(), &ignored);
}

std::vector<int> allowed_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
    }
    return cores;
}

void Workforce::start(PlayContext& play, const ThreadPlan& plan) {
    const int threads = static_cast<int>(plan.cores.size());
    running_ = threads;
    // Beside those that play, so many are kept; each thread has its share.
    const std::int64_t spare = std::max(0, play.processes - 2 * plan.concurrency);
    for (int i = 0; i < threads; ++i) {
        const int slots = plan.concurrency / threads + (i < plan.concurrency % threads);
        const int processes = 2 * slots + static_cast<int>(spare * slots / plan.concurrency);
        workers_.push_back(std::make_unique<Worker>(play, slots, processes,
                                                    plan.cores[static_cast<std::size_t>(i)]));
    }
    for (const auto& worker : workers_) {
        threads_.emplace_back([this, &worker] { run(*worker); });
    }
}

void Workforce::run(Worker& worker) {
    try {
        worker.run();
    } catch (const std::exception& error) {
        fail(error.what());
    }
    if (--running_ == 0) done_.set();
}

int Workforce::wait(Interrupts& interrupts, Milliseconds interval,
                    const std::function<void()>& tick, const Drain& drain) {
    std::optional<Clock::time_point> end;  // of the drain, once that has begun
    for (;;) {
        std::array<pollfd, 3> watched{
            {{done_.fd(), POLLIN, 0}, {interrupts.fd(), POLLIN, 0}, {failed_.fd(), POLLIN, 0}}};
        int timeout = interval.count() > 0 ? static_cast<int>(interval.count()) : -1;
        if (end) {
            const auto left = std::chrono::ceil<Milliseconds>(*end - Clock::now()).count();
            const int most = static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
            timeout = timeout < 0 ? most : std::min(timeout, most);
        }
        ::poll(watched.data(), watched.size(), timeout);
        const bool has_signal = watched[1].revents != 0;
        const int signal = interrupts.read();
        if (has_signal && !end && drain.time.count() > 0 && watched[2].revents == 0) {
            end = Clock::now() + drain.time;
            drain.begin();
            continue;
        }
        const bool is_late = end && (has_signal || Clock::now() >= *end);
        if ((signal != 0 && !end) || is_late || watched[2].revents != 0) {
            interrupt();
            return signal;
        }
        if (watched[0].revents != 0) return signal;
        tick();
    }
}

void Workforce::join() {
    for (std::thread& thread : threads_) {
        if (thread.joinable()) thread.join();
    }
}

// Games in progress are dropped; a second signal ends the program where it stands.
void Workforce::interrupt() {
    // First of all, so that no game goes on with what was broken off.
    for (const auto& worker : workers_) worker->stop();
    stop_.request_stop();
    stopped_.set();
}

void Workforce::fail(const std::string& text) {
    const std::lock_guard lock(failure_mutex_);
    if (failure_.empty()) failure_ = text;
    failed_.set();
}

std::string Workforce::failure() const {
    const std::lock_guard lock(failure_mutex_);
    return failure_;
}

}  // namespace arena

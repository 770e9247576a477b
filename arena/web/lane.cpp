#include "arena/web/lane.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace arena::web {

void lower_priority(int nice) {
    // On Linux this concerns only the thread. If it fails, the thread keeps its priority.
    const auto thread = static_cast<id_t>(::gettid());
    ::setpriority(PRIO_PROCESS, thread, std::max(nice, ::getpriority(PRIO_PROCESS, thread)));
}

Lane::Lane(const LaneLimits& limits) : limits_(limits) {
    for (int i = 0; i < limits_.threads; ++i) threads_.emplace_back([this] { run(); });
}

// A client has a turn while it has a job and may run one more.
void Lane::give_turn(const std::string& client, Queue& queue) {
    if (queue.has_turn || queue.jobs.empty()) return;
    if (queue.running >= limits_.running_of_client) return;
    queue.has_turn = true;
    turns_.push_back(client);
    changed_.notify_one();
}

void Lane::run() {
    lower_priority(limits_.nice);
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return closed_ || !turns_.empty(); });
        if (closed_) return;
        const std::string client = std::move(turns_.front());
        turns_.pop_front();
        Queue& queue = queues_.at(client);
        queue.has_turn = false;
        const Job job = std::move(queue.jobs.front());
        queue.jobs.pop_front();
        --waiting_;
        ++queue.running;
        give_turn(client, queue);
        lock.unlock();
        job(false);
        lock.lock();
        finish(client);
    }
}

void Lane::finish(const std::string& client) {
    Queue& queue = queues_.at(client);
    --queue.running;
    give_turn(client, queue);
    if (queue.jobs.empty() && queue.running == 0) queues_.erase(client);
}

bool Lane::post(const std::string& client, Job job) {
    const std::lock_guard lock(mutex_);
    if (closed_ || waiting_ >= limits_.waiting) return false;
    Queue& queue = queues_[client];
    if (queue.jobs.size() >= limits_.waiting_of_client) return false;
    queue.jobs.push_back(std::move(job));
    ++waiting_;
    give_turn(client, queue);
    return true;
}

void Lane::close() {
    std::vector<Job> dropped;
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return;
        closed_ = true;
        for (auto& [client, queue] : queues_) {
            for (Job& job : queue.jobs) dropped.push_back(std::move(job));
            queue.jobs.clear();
        }
    }
    stop_.request_stop();
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    for (const Job& job : dropped) job(true);
}

}  // namespace arena::web

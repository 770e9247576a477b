#include "arena/web/lane.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace arena::web {

void lower_priority(int nice) {
    // On Linux this concerns only the thread. If it fails, the thread keeps its priority.
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice);
}

struct Lane::Impl {
    explicit Impl(const LaneLimits& lane_limits) : limits(lane_limits) {
        for (int i = 0; i < limits.threads; ++i) threads.emplace_back([this] { run(); });
    }

    // The jobs of one client. Erased once none waits or runs.
    struct Queue {
        std::deque<Job> jobs;
        int running = 0;
        bool has_turn = false;  // is in `turns`
    };

    // A client has a turn while it has a job and may run one more.
    void give_turn(const std::string& client, Queue& queue) {
        if (queue.has_turn || queue.jobs.empty()) return;
        if (queue.running >= limits.running_of_client) return;
        queue.has_turn = true;
        turns.push_back(client);
        changed.notify_one();
    }

    void run() {
        lower_priority();
        std::unique_lock lock(mutex);
        for (;;) {
            changed.wait(lock, [this] { return closed || !turns.empty(); });
            if (closed) return;
            const std::string client = std::move(turns.front());
            turns.pop_front();
            Queue& queue = queues.at(client);
            queue.has_turn = false;
            const Job job = std::move(queue.jobs.front());
            queue.jobs.pop_front();
            --waiting;
            ++queue.running;
            give_turn(client, queue);
            lock.unlock();
            job(false);
            lock.lock();
            finish(client);
        }
    }

    void finish(const std::string& client) {
        Queue& queue = queues.at(client);
        --queue.running;
        give_turn(client, queue);
        if (queue.jobs.empty() && queue.running == 0) queues.erase(client);
    }

    bool post(const std::string& client, Job job) {
        const std::lock_guard lock(mutex);
        if (closed || waiting >= limits.waiting) return false;
        Queue& queue = queues[client];
        if (queue.jobs.size() >= limits.waiting_of_client) return false;
        queue.jobs.push_back(std::move(job));
        ++waiting;
        give_turn(client, queue);
        return true;
    }

    void close() {
        std::vector<Job> dropped;
        {
            const std::lock_guard lock(mutex);
            if (closed) return;
            closed = true;
            for (auto& [client, queue] : queues) {
                for (Job& job : queue.jobs) dropped.push_back(std::move(job));
                queue.jobs.clear();
            }
        }
        stop.request_stop();
        changed.notify_all();
        for (std::thread& thread : threads) thread.join();
        for (const Job& job : dropped) job(true);
    }

    const LaneLimits limits;
    std::stop_source stop;
    std::mutex mutex;
    std::condition_variable changed;
    std::unordered_map<std::string, Queue> queues;
    std::deque<std::string> turns;
    std::size_t waiting = 0;
    bool closed = false;
    std::vector<std::thread> threads;  // last: they use all of the above
};

Lane::Lane(const LaneLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}

Lane::~Lane() { close(); }

bool Lane::post(const std::string& client, Job job) {
    return impl_->post(client, std::move(job));
}

void Lane::close() { impl_->close(); }

std::stop_token Lane::stop_token() const { return impl_->stop.get_token(); }

}  // namespace arena::web

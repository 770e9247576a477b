// Threads that compute for visitors, fairly: clients with many jobs wait for clients with few.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace arena::web {

struct LaneLimits {
    int threads = 2;
    std::size_t waiting = 256;           // jobs, of all clients
    std::size_t waiting_of_client = 64;  // jobs of one client
    int running_of_client = 1;           // jobs of one client at the same time
    int nice = 15;                       // of the threads, see lower_priority()
};

// Runs jobs on threads of a low priority. Clients take turns, whatever the order in which their
// jobs came. Safe to use from any thread.
class Lane {
  public:
    // With `is_closed` the job only replies that the lane is closed.
    using Job = std::function<void(bool is_closed)>;

    explicit Lane(const LaneLimits& limits);
    ~Lane() { close(); }

    // Returns false if too many jobs wait. Otherwise the job is called once.
    bool post(const std::string& client, Job job);
    // Calls the waiting jobs with `is_closed`, and returns once the running ones have ended.
    // post() returns false from now on.
    void close();

    // Requested by close(); for the budgets of running jobs.
    std::stop_token stop_token() const { return stop_.get_token(); }

  private:
    // The jobs of one client. Erased once none waits or runs.
    struct Queue {
        std::deque<Job> jobs;
        int running = 0;
        bool has_turn = false;  // is in turns_
    };

    void give_turn(const std::string& client, Queue& queue);
    void run();
    void finish(const std::string& client);

    const LaneLimits limits_;
    std::stop_source stop_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::unordered_map<std::string, Queue> queues_;
    std::deque<std::string> turns_;
    std::size_t waiting_ = 0;
    bool closed_ = false;
    std::vector<std::thread> threads_;  // last: they use all of the above
};

// Lets the calling thread run mostly while no other thread wants its core. `nice`: from 0, the
// usual priority, to 19.
void lower_priority(int nice);

}  // namespace arena::web

// Threads that compute for visitors, fairly: clients with many jobs wait for clients with few.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace arena::web {

struct LaneLimits {
    int threads = 2;
    std::size_t waiting = 256;           // jobs, of all clients
    std::size_t waiting_of_client = 64;  // jobs of one client
    int running_of_client = 1;           // jobs of one client at the same time
};

// Runs jobs on threads of a low priority. Clients take turns, whatever the order in which their
// jobs came. Safe to use from any thread.
class Lane {
  public:
    // With `is_closed` the job only replies that the lane is closed.
    using Job = std::function<void(bool is_closed)>;

    explicit Lane(const LaneLimits& limits);
    ~Lane();

    // Returns false if too many jobs wait. Otherwise the job is called once.
    bool post(const std::string& client, Job job);
    // Calls the waiting jobs with `is_closed`, and returns once the running ones have ended.
    // post() returns false from now on.
    void close();

    // Requested by close(); for the budgets of running jobs.
    std::stop_token stop_token() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Lets the calling thread run mostly while no other thread wants its core. `nice`: from 0, the
// usual priority, to 19.
void lower_priority(int nice = 15);

}  // namespace arena::web

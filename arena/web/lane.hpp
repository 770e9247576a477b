// Threads that compute for visitors, fairly: who asks for much waits behind who asks for
// little.
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
    // Told whether the lane is being closed: then the job only replies that it is.
    using Job = std::function<void(bool is_closed)>;

    explicit Lane(const LaneLimits& limits);
    ~Lane();

    // False: too many are waiting. The job is called once otherwise.
    bool post(const std::string& client, Job job);
    // Calls what waits with `is_closed`, and ends once what runs has ended. post() refuses from
    // here on.
    void close();

    // Requested by close(): for the budgets of what runs.
    std::stop_token stop_token() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Lets the calling thread compute mostly while no other thread wants its core. `nice`: from 0,
// the priority of others, to 19.
void lower_priority(int nice = 15);

}  // namespace arena::web

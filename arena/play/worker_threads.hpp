// Runs the threads that play games, until they end or a signal comes.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "arena/play/worker.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

class Interrupts;

// An event to wait for besides signals.
class WaitableEvent {
  public:
    WaitableEvent();  // throws std::system_error where no file can be opened
    void set() const;
    void clear() const;
    int fd() const { return fd_.get(); }

  private:
    protocol::UniqueFd fd_;
};

// How many games run concurrently, and on which cores.
struct ThreadPlan {
    int concurrency = 1;
    std::vector<std::optional<int>> cores;  // one a worker
    bool pinned() const { return cores.front().has_value(); }
};

// `allowed`: the cores that the process may use. By default games are pinned if all players are
// local; then one game runs on each core, else one for two cores.
ThreadPlan plan_threads(const PlayOptions& options, std::uint64_t games,
                        const std::vector<int>& allowed);

class WorkerThreads {
  public:
    WorkerThreads();
    ~WorkerThreads();

    // Used by the PlayContext of start().
    std::stop_token stop_token() const { return stop_.get_token(); }
    int stop_fd() const { return stopped_.fd(); }

    // A thread for each core of the plan. `play` outlives them.
    void start(PlayContext& play, const ThreadPlan& plan);

    // How a first signal lets games end: `begin` makes sure that no other starts.
    struct Drain {
        Milliseconds time{0};  // for them; 0: they are dropped at once
        std::function<void()> begin{};
    };
    // Waits until the last worker is done, or a signal comes or something fails: then games in
    // progress are dropped. Calls `tick` every `interval`, if that is not zero. Returns the
    // signal, or 0.
    int wait(Interrupts& interrupts, Milliseconds interval, const std::function<void()>& tick,
             const Drain& drain);
    // Waits for the threads.
    void join();
    // Releases their resources, after all computations for them have ended.
    void dismiss();

    // From any thread: the first error of the arena itself ends the wait.
    void fail(const std::string& text);
    // The first error; empty if there was none.
    std::string failure() const;

  private:
    // One thread that plays games: one io_context, a coroutine a slot. Workers share the source
    // of games, the sink and the compute threads, nothing else.
    struct Worker;

    void run(Worker& worker);
    void interrupt();

    WaitableEvent done_, failed_, stopped_;
    std::stop_source stop_;
    mutable std::mutex failure_mutex_;
    std::string failure_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::atomic<int> running_{0};
    std::vector<std::thread> threads_;
};

}  // namespace arena

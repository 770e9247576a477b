// The threads on which games are played, from their start to their end, or to a signal.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "arena/game_record.hpp"
#include "arena/worker.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

class Interrupts;

// Something that can be waited for beside signals.
class WaitableEvent {
  public:
    WaitableEvent();
    void set() const;
    void clear() const;
    int fd() const { return fd_.get(); }

  private:
    protocol::UniqueFd fd_;
};

// The cores that this process may use, ascending.
std::vector<int> allowed_cores();

class Workforce {
  public:
    // Of the PlayContext that start() gets.
    std::stop_token stop_token() const { return stop_.get_token(); }
    int stop_fd() const { return stopped_.fd(); }

    // A thread for each core of the plan. `play` outlives the workforce.
    void start(PlayContext& play, const ThreadPlan& plan);

    // What a first signal brings where games may end: `begin` sees to it that none is begun.
    struct Drain {
        Milliseconds time{0};  // for them; 0: they are dropped at once
        std::function<void()> begin{};
    };
    // Until the last worker is done; or a signal comes or something fails: then games in
    // progress are dropped. Meanwhile calls `tick` each `interval`, if that is not zero. Gives
    // the signal, or 0.
    int wait(Interrupts& interrupts, Milliseconds interval, const std::function<void()>& tick,
             const Drain& drain);
    // Waits for the threads.
    void join();
    // Takes leave of what they used; after all that may still compute for them has ended.
    void dismiss() { workers_.clear(); }

    // From any thread: the first failure of the arena itself ends the wait.
    void fail(const std::string& text);
    // What failed first; empty where nothing did.
    std::string failure() const;

  private:
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

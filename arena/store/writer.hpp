// The one thread that records games: many in one commit, so that a slow disk costs little a
// game.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "arena/store/store.hpp"

namespace arena {

// Commits what has come together within kGather, or kMostInCommit games. Safe to use from any
// thread.
class Writer {
  public:
    static constexpr std::chrono::milliseconds kGather{50};
    static constexpr std::size_t kMostInCommit = 1000;
    static constexpr std::size_t kMostWaiting = 4000;  // games, before add() waits for room

    using OnRecorded =
        std::function<void(const std::vector<FinishedGame>&, const std::vector<Recorded>&)>;
    // `on_recorded` is told of games once they are committed; `on_error`, once, that nothing
    // can be recorded any more: games that come later are dropped. Both on the writer's thread.
    Writer(Store& store, OnRecorded on_recorded,
           std::function<void(const protocol::Error&)> on_error);
    ~Writer();

    // Whether add() would wait.
    bool is_full() const;
    // Takes a game over. Waits while too many have not been committed.
    void add(FinishedGame game);
    // Commits what is left, and ends.
    void finish();

  private:
    void run();
    std::vector<FinishedGame> gather();

    Store& store_;
    OnRecorded on_recorded_;
    std::function<void(const protocol::Error&)> on_error_;
    mutable std::mutex mutex_;
    std::condition_variable came_;  // a game, or the end
    std::condition_variable room_;
    std::vector<FinishedGame> waiting_;
    bool finished_ = false;
    bool failed_ = false;
    std::thread thread_;  // last: it uses all above
};

}  // namespace arena

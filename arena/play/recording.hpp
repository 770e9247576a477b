// Records the games that were played, many in one commit, so that a slow disk costs little for
// each.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/thread_pool.hpp>

#include "arena/base/io.hpp"
#include "arena/game/game_record.hpp"
#include "arena/record/store.hpp"

namespace arena {

// A thread that records games: commits what has come together within `gather`, or kMostInCommit
// games. Safe to use from any thread.
class Recording {
  public:
    static constexpr std::chrono::milliseconds kGather{50};          // for a disk
    static constexpr std::chrono::milliseconds kGatherInMemory{10};  // waking threads costs too
    static constexpr std::size_t kMostInCommit = 1000;
    static constexpr std::size_t kMostWaiting = 4000;  // games, before the next waits for room

    using OnRecorded =
        std::function<void(const std::vector<GameRecord>&, const std::vector<Recorded>&)>;
    // `on_recorded` is called with games once they are committed; `on_error` once, when
    // recording has failed: later games are dropped. Both run on this thread. `waits`: add()
    // ends when the game has been recorded and told of.
    Recording(Store& store, std::chrono::milliseconds gather, bool waits,
              OnRecorded on_recorded, std::function<void(const protocol::Error&)> on_error);
    ~Recording();

    // Accepts a game. Waits while too many are pending.
    Awaitable<void> add(GameRecord game);
    // The same, but blocks.
    void put(GameRecord game);
    // Waits until all games that were put by now have been told of, or nothing can be recorded.
    void flush();
    // Whether put() would wait.
    bool is_full() const;
    // Commits the remaining games, and ends.
    void finish();

  private:
    void run();
    std::vector<GameRecord> gather();

    Store& store_;
    const std::chrono::milliseconds gather_;
    const bool waits_;
    OnRecorded on_recorded_;
    std::function<void(const protocol::Error&)> on_error_;
    mutable std::mutex mutex_;
    std::condition_variable came_;  // a game, or the end
    std::condition_variable room_;
    std::condition_variable told_;
    std::vector<GameRecord> waiting_;
    std::uint64_t taken_ = 0;    // games that were put
    std::uint64_t told_of_ = 0;  // of these
    bool finished_ = false;
    bool failed_ = false;
    boost::asio::thread_pool waiters_{1};  // where games wait for room
    std::thread thread_;                   // last: it uses all above
};

}  // namespace arena

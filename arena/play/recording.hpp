// What becomes of a game that was played: many are recorded in one commit, so that a slow disk
// costs little for each.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/thread_pool.hpp>

#include "arena/game/game_record.hpp"
#include "arena/play/worker.hpp"
#include "arena/record/store.hpp"

namespace arena {

// A thread that records games: commits what has come together within `gather`, or kMostInCommit
// games. Safe to use from any thread.
class Writer {
  public:
    static constexpr std::chrono::milliseconds kGather{50};          // for a disk
    static constexpr std::chrono::milliseconds kGatherInMemory{10};  // waking threads costs too
    static constexpr std::size_t kMostInCommit = 1000;
    static constexpr std::size_t kMostWaiting = 4000;  // games, before add() waits for room

    using OnRecorded =
        std::function<void(const std::vector<GameRecord>&, const std::vector<Recorded>&)>;
    // `on_recorded` is called with games once they are committed; `on_error` once, when
    // recording has failed: later games are dropped. Both run on the writer's thread.
    Writer(Store& store, std::chrono::milliseconds gather, OnRecorded on_recorded,
           std::function<void(const protocol::Error&)> on_error);
    ~Writer();

    // Whether add() would wait.
    bool is_full() const;
    // Accepts a game. Blocks while too many are pending.
    void add(GameRecord game);
    // Waits until all games that were taken over have been told of, or nothing can be recorded.
    void flush();
    // Commits the remaining games, and ends.
    void finish();

  private:
    void run();
    std::vector<GameRecord> gather();

    Store& store_;
    const std::chrono::milliseconds gather_;
    OnRecorded on_recorded_;
    std::function<void(const protocol::Error&)> on_error_;
    mutable std::mutex mutex_;
    std::condition_variable came_;  // a game, or the end
    std::condition_variable room_;
    std::condition_variable told_;
    std::vector<GameRecord> waiting_;
    bool is_writing_ = false;
    bool finished_ = false;
    bool failed_ = false;
    std::thread thread_;  // last: it uses all above
};

// Games on their way to the store.
class Recording : public GameSink {
  public:
    // `waits`: a game is recorded and reported before its players begin another. For the others
    // see Writer.
    Recording(Store& store, std::chrono::milliseconds gather, bool waits,
              Writer::OnRecorded on_recorded,
              std::function<void(const protocol::Error&)> on_error)
        : writer_(store, gather, std::move(on_recorded), std::move(on_error)), waits_(waits) {}
    ~Recording() override { finish(); }

    Awaitable<void> add(GameRecord record) override;
    void finish();

  private:
    Writer writer_;
    const bool waits_;
    boost::asio::thread_pool waiting_{1};  // where games wait for room
};

}  // namespace arena

// What becomes of a game that was played: many are recorded in one commit, so that a slow disk
// costs little for each, and those of another process that were played again are compared.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
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

// The first difference between two records of one game, in words: "move 3 is 1=0 there, 1=2
// here"; empty if there is none.
std::string difference_of(const GameRecord& recorded, const GameRecord& now);

// Compares games that are played again with what another process has recorded of them.
// Thread-safe.
class Verifier {
  public:
    // `tell` gets a line for each game that differs.
    Verifier(Store& store, std::function<void(const std::string&)> tell,
             std::function<void(const protocol::Error&)> fail)
        : store_(store), tell_(std::move(tell)), fail_(std::move(fail)) {}

    // Whether a game shows anything when it is played again: time and processes decided some.
    static bool can_verify(const GameRecord& record);
    // This game is about to be played again.
    void expect(const GameKey& key);
    // Whether it is one of those, once for each.
    bool takes(const GameKey& key);
    // Records what came of it.
    void compare(const GameRecord& now);

    std::uint64_t games() const { return games_; }

  private:
    protocol::Result<void> compare_or_fail(const GameRecord& now);

    Store& store_;
    std::function<void(const std::string&)> tell_;
    std::function<void(const protocol::Error&)> fail_;
    std::mutex mutex_;
    std::set<GameKey> expected_;
    std::atomic<std::uint64_t> games_{0};
};

// Games on their way to the store.
class Recording : public GameSink {
  public:
    // `waits`: a game is recorded and reported before its players begin another. For the others
    // see Writer.
    Recording(Store& store, std::chrono::milliseconds gather, bool waits, Verifier& verifier,
              Writer::OnRecorded on_recorded,
              std::function<void(const protocol::Error&)> on_error)
        : writer_(store, gather, std::move(on_recorded), std::move(on_error)),
          waits_(waits),
          verifier_(verifier) {}
    ~Recording() override { finish(); }

    Awaitable<void> add(GameRecord record) override;
    void finish();

  private:
    Writer writer_;
    const bool waits_;
    Verifier& verifier_;
    boost::asio::thread_pool waiting_{1};  // where games wait for room, and are compared
};

}  // namespace arena

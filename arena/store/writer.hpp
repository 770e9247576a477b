// The one thread that records games: many in one commit, and told of once that is done.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "arena/io.hpp"
#include "arena/store/store.hpp"
#include "arena/worker.hpp"

namespace arena {

class Writer : public GameSink {
  public:
    static constexpr Milliseconds kLongestWait{100};  // of a game for others to be with it
    static constexpr std::size_t kLargestGroup = 1000;

    // What became of games, once they are committed; in the order in which they were added.
    using OnRecorded = std::function<void(const std::vector<FinishedGame>& games,
                                          const std::vector<Recorded>& answers)>;

    // Both functions are called on the writer's thread. After `on_error`, which is told once,
    // nothing more is recorded: games are dropped. `most_waiting`: so many games may wait to be
    // committed; 0 where each must be told before the next begins. `store` outlives the writer.
    Writer(Store& store, std::size_t most_waiting, OnRecorded on_recorded,
           std::function<void(const protocol::Error&)> on_error);
    ~Writer() override;

    // Hands a game over. Where as many as may wait are waiting, waits until this one has been
    // committed, which begins at once then.
    Awaitable<void> add(GameRecord record) override;
    // From any thread: what was handed over is committed without waiting for more.
    void flush();
    // Waits until all that was handed over has been committed. Afterwards games are dropped. To
    // be called before the io_context of those who wait goes.
    void finish();

  private:
    struct Waiting {
        FinishedGame game;
        Clock::time_point since;
        std::function<void()> resume;  // who waits for it; none mostly
    };
    using Lock = std::unique_lock<std::mutex>;

    bool is_full();
    void push(Waiting waiting);
    void run();
    void commit(std::deque<Waiting> group);

    Store& store_;
    const std::size_t most_waiting_;
    OnRecorded on_recorded_;
    std::function<void(const protocol::Error&)> on_error_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Waiting> queue_;
    bool hurry_ = false;
    bool finishing_ = false;
    bool failed_ = false;
    std::thread thread_;
};

}  // namespace arena

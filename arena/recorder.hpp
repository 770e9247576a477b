// What becomes of a game that was played: the record, the review, the tallies. All on one
// thread of its own, so that neither a slow disk nor a long analysis holds up the games that go
// on.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "arena/game_record.hpp"
#include "arena/io.hpp"
#include "arena/record.hpp"
#include "arena/report.hpp"
#include "arena/worker.hpp"

namespace engine {
class Analyst;
}

namespace arena {

class Names;

class Recorder : public GameSink {
  public:
    // `file` may be null. `on_game` is told of each game once it has been counted, `on_error`
    // once if the record can no longer be written; both on the recorder's thread.
    // `most_waiting`: so many games may wait to be counted; 0 where each must be told before
    // the next begins.
    Recorder(std::unique_ptr<LineFile> file, const engine::Analyst& analyst, const Names& names,
             std::uint64_t seed, int most_waiting,
             std::function<void(const GameRecord&, const Tally&)> on_game,
             std::function<void(const protocol::Error&)> on_error);
    ~Recorder() override;

    // Hands a game over. Waits only where as many games as may wait are waiting already.
    Awaitable<void> add(GameRecord record) override;
    // Waits until all games that were handed over have been counted.
    void finish();

    // Copies of the tallies as they stand, for the progress line and the report.
    Tally tally() const;

  private:
    void count(const GameRecord& record);

    struct Thread;
    std::unique_ptr<Thread> thread_;
    std::unique_ptr<LineFile> file_;
    const engine::Analyst& analyst_;
    const Names& names_;
    std::uint64_t seed_;
    int most_waiting_;
    std::function<void(const GameRecord&, const Tally&)> on_game_;
    std::function<void(const protocol::Error&)> on_error_;
    std::atomic<int> waiting_{0};
    bool failed_ = false;
    mutable std::mutex mutex_;
    Tally tally_;
};

}  // namespace arena

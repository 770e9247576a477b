// One thread that plays games: one io_context, one coroutine a slot, a game at a time in each.
// Workers share the queue of games, the record and the compute threads, nothing else.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "arena/game_record.hpp"
#include "arena/io.hpp"
#include "arena/match_options.hpp"

namespace engine {
class Analyst;
}

namespace arena {

class Guardian;
class Listener;
class Names;
class Recorder;
class Schedule;
class TrafficLog;

// What all workers of a match share. Safe to use from any of them.
struct MatchContext {
    const MatchOptions& options;
    const Schedule& schedule;
    const Guardian& guardian;
    const engine::Analyst& analyst;
    boost::asio::thread_pool& compute;
    const std::vector<std::unique_ptr<Listener>>& listeners;
    Names& names;
    TrafficLog& log;
    Recorder& recorder;
    std::stop_token stop;
    int stop_fd;         // readable once the match is interrupted
    std::FILE* console;  // where a person is talked to

    std::atomic<std::uint64_t> next_game{1};
    int concurrency = 1;
    // How often each player has failed to start; -1 once it has started.
    std::array<std::atomic<int>, 2> failed_starts{};
};

class Worker {
  public:
    // `core`: where the thread and the players of its games run; nullopt: anywhere.
    Worker(MatchContext& match, int slots, std::optional<int> core);
    ~Worker();

    // Plays until no game is left or stop() is called. Throws what goes wrong in the arena
    // itself.
    void run();
    // From any thread: games in progress are dropped.
    void stop();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// How many games run at once, and where.
struct ThreadPlan {
    int concurrency = 1;
    std::vector<std::optional<int>> cores;  // one a worker
    bool pinned() const { return cores.front().has_value(); }
};

// `allowed`: the cores that the process may use. Pinned by default where there is a core for
// each game and all players are local; then a game a core is played, else one for two cores.
ThreadPlan plan_threads(const MatchOptions& options, std::uint64_t games,
                        const std::vector<int>& allowed);

}  // namespace arena

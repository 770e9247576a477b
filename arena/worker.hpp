// One thread that plays games: one io_context, one coroutine a slot, a game at a time in each.
// Workers share the queue of games, the record and the compute threads, nothing else.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "arena/game_record.hpp"
#include "arena/io.hpp"
#include "arena/play_options.hpp"

namespace engine {
class Analyst;
}

namespace arena {

class Guardian;
class Launcher;
class Listener;
class Lobby;
class Names;
class TrafficLog;

// So often in a row a player may fail to start: then it is out.
inline constexpr int kMaxFailedStarts = 3;

// Where games come from. Safe to use from any worker.
class GameSource {
  public:
    virtual ~GameSource() = default;
    // The games that a slot plays next, one after the other, all between the same two players;
    // waits where there may be some later. Empty: there are no more.
    virtual Awaitable<std::vector<GameTask>> next() = 0;
    // `played` have been handed to the sink. Gives games that go on with a player who had better
    // stay where it is, if there are some now.
    virtual std::vector<GameTask> again(const std::vector<GameTask>& played) = 0;
    // This player has been let go or put aside.
    virtual void left(int player) = 0;
};

// Where games go. Safe to use from any worker.
class GameSink {
  public:
    virtual ~GameSink() = default;
    // Takes a game over; waits where too many have not been taken care of yet.
    virtual Awaitable<void> add(GameRecord record) = 0;
};

// What all workers share. Safe to use from any of them.
struct PlayContext {
    const PlayOptions& options;
    GameSource& source;
    GameSink& sink;
    const Guardian& guardian;
    const Launcher& launcher;
    const engine::Analyst& analyst;
    boost::asio::thread_pool& compute;
    const std::vector<std::unique_ptr<Listener>>& listeners;
    Names& names;
    TrafficLog& log;
    std::stop_token stop;
    int stop_fd;         // readable once all is interrupted
    std::FILE* console;  // where a person is talked to
    Lobby* lobby = nullptr;               // where players known by tokens wait
    std::atomic<bool> is_draining{false};  // no game is begun any more

    // Told of each move as it is played, if set.
    std::function<void(const GameTask&, std::size_t ply, const std::string& move, Microseconds)>
        on_move{};
    // Told that a player is out, having failed to start so often in a row, if set.
    std::function<void(int player)> on_out{};
    // What the record of a tournament keeps of each game beside what `match` does.
    bool keeps_details = false;
    std::vector<std::string> executables{};  // by player, see PlayerBuild; may be empty
    int processes = std::numeric_limits<int>::max();  // players that are kept running
    int concurrency = 1;
    // How often in a row each player has failed to start.
    std::vector<std::atomic<int>> failed_starts =
        std::vector<std::atomic<int>>(options.players.size());
};

class Worker {
  public:
    // `core`: where the thread and the players of its games run; nullopt: anywhere.
    // `processes`: so many players are kept running by it at the most, if not more play.
    Worker(PlayContext& play, int slots, int processes, std::optional<int> core);
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
ThreadPlan plan_threads(const PlayOptions& options, std::uint64_t games,
                        const std::vector<int>& allowed);

}  // namespace arena

// The life of a game, from choosing its players to storing it. Each slot is a coroutine that
// plays one game at a time.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "arena/base/io.hpp"
#include "arena/game/game_record.hpp"
#include "arena/players/play_options.hpp"
#include "arena/players/player_context.hpp"

namespace arena {

class Clinic;
class Director;
class PlayerPool;
class Recording;
class Spectator;

// Consecutive failed starts before a player is disqualified.
inline constexpr int kMaxFailedStarts = 3;

// A player that failed to start before the first game.
struct NotStarted {
    int player = 0;
    Cause cause;
};

// Shared by all workers. Thread-safe.
struct PlayContext {
    const PlayOptions& options;
    Director& director;
    Recording& recording;
    boost::asio::thread_pool& compute;
    PlayerResources players;
    std::atomic<bool> is_draining{false};      // no game is begun any more
    std::atomic<bool> neither_started{false};  // in some game, which is void

    // Called for each move as it is played, if set.
    std::function<void(const GameTask&, std::size_t ply, const std::string& move, Microseconds)>
        on_move{};
    // Called when a game is void by the arena's own fault, and is played again, if set.
    std::function<void(const GameTask&, const std::string& why)> on_replay{};
    // Called when a player is disqualified after repeated failed starts, if set.
    std::function<void(int player)> on_out{};
    // If set, all commands (there are some) are started before the first game, which the
    // director withholds until then; called once, from any thread, with those that failed.
    std::function<void(const std::vector<NotStarted>&)> on_tried{};
    std::atomic<std::size_t> next_to_try{0};  // the first player that nobody has begun to try
    std::atomic<std::size_t> tried{0};        // commands that have started, or failed to
    std::mutex not_started_mutex{};
    std::vector<NotStarted> not_started{};
    Spectator* spectator = nullptr;  // may be null
    Clinic* clinic = nullptr;        // may be null
    // CPU time, stderr and builds, for a record.
    bool keeps_details = false;
    // Consecutive failed starts of each player.
    std::vector<std::atomic<int>> failed_starts =
        std::vector<std::atomic<int>>(options.players.size());
};

// Counts a start in a player's consecutive failed ones. True: the player is out by it, and
// stays out, also if a start succeeds that began before.
bool count_start(std::atomic<int>& failed, bool starts);

// Starts commands that nobody has begun to try, one after the other, until none is left, and
// leaves them in the pool. Several may run at a time; the last one to end calls `on_tried`.
Awaitable<void> try_players(PlayContext& play, PlayerPool& pool);

// Plays one game after the other, until there are no more or the context is stopped; the pool
// belongs to the same thread.
Awaitable<void> run_slot(PlayContext& play, PlayerPool& pool);

}  // namespace arena

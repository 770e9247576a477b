// What players, and the links to them, need of the arena.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/base/run_alone.hpp"

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

// Shared by all players of a process. All of it outlives them. Whoever opens only links, and
// plays no games, needs no analyst, names and log.
struct PlayerResources {
    const Guardian& guardian;
    const Launcher& launcher;
    const engine::Analyst* analyst = nullptr;
    Names* names = nullptr;
    TrafficLog* log = nullptr;
    const std::vector<std::unique_ptr<Listener>>* listeners =
        nullptr;             // by player; for listen://
    Milliseconds startup{};  // from the start of a player to the end of its handshake
    Milliseconds dial_in{};  // how long a listen:// player is awaited
    // By player: the hashes of its program, for build(); may be empty.
    std::vector<std::string> executables = {};
    std::stop_token stop = {};     // the match is interrupted
    int stop_fd = -1;              // readable then
    std::FILE* console = nullptr;  // the terminal of a person
    Lobby* lobby = nullptr;        // the lobby of players with tokens
    // Ends the match of a person who plays for fun, which no record keeps; else unset.
    std::function<void()> leave = {};
    // Called after each start with what is wrong with its options, a sentence each; may be
    // unset.
    std::function<void(std::size_t player, const std::vector<std::string>&)> warn = {};
    // Called after a game, and before a player is closed, if it took more memory than before,
    // with the largest resident set of each of its processes, summed; may be unset.
    std::function<void(std::size_t player, std::uint64_t bytes)> tell_memory = {};
};

// Shared by the players of one thread. All of it outlives them.
struct PlayerContext {
    EventLoop loop;
    const PlayerResources& shared;
    std::vector<int> cores = {};  // cores shared by players started here; empty: all
};

}  // namespace arena

// How the processes of players are started: their environment and their limits.
#pragma once

#include <chrono>

#include "arena/guardian.hpp"
#include "arena/play_options.hpp"
#include "arena/sandbox.hpp"

namespace arena {

class Launcher {
  public:
    // The environment as it is; no limit of CPU time.
    Launcher() = default;
    // Tries the sandbox, if there is to be one. `hidden`: files that no player in it may see.
    static protocol::Result<Launcher> open(const PlayOptions& options,
                                           const std::vector<std::string>& hidden,
                                           const Guardian& guardian);

    // What the guardian is asked for to start the player, a Command. On any core.
    SpawnRequest request(const PlayerSpec& spec) const;
    // The hashes of what it starts, see hash_executables(); empty for what is no Command.
    std::string hash_executables(const PlayerSpec& spec) const;
    // Whether it gets a clean environment.
    bool cleans(const PlayerSpec& spec) const;

    // Whether it runs in the sandbox.
    bool confines(const PlayerSpec& spec) const;
    // What bounds players in the sandbox, in words; empty where there is none.
    std::string sandbox_text() const;

  private:
    EnvironmentMode environment_ = EnvironmentMode::Inherit;
    std::optional<Milliseconds> startup_;
    std::optional<UserId> user_;
    std::optional<Sandbox> sandbox_;
};

// The CPU time that a player may use in `time`: twice as much, by each of its threads, and 5 s.
std::chrono::seconds cpu_for(Microseconds time, int threads);

}  // namespace arena

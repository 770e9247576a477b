// How the processes of players are started: their environment and their limits.
#pragma once

#include <chrono>

#include "arena/guardian.hpp"
#include "arena/play_options.hpp"

namespace arena {

class Launcher {
  public:
    // The environment as it is; no limit of CPU time.
    Launcher() = default;
    explicit Launcher(const PlayOptions& options);

    // What the guardian is asked for to start the player, a Command. On any core.
    SpawnRequest request(const PlayerSpec& spec) const;
    // Whether it gets a clean environment.
    bool cleans(const PlayerSpec& spec) const;

  private:
    EnvironmentMode environment_ = EnvironmentMode::Inherit;
    std::optional<Milliseconds> startup_;
};

// The CPU time that a player may use in `time`: twice as much, by each of its threads, and 5 s.
std::chrono::seconds cpu_for(Microseconds time, int threads);

}  // namespace arena

// Starts the processes of players, with their environment and limits.
#pragma once

#include <chrono>

#include "arena/players/play_options.hpp"
#include "arena/process/guardian.hpp"
#include "arena/process/sandbox.hpp"

namespace arena {

class Launcher {
  public:
    // The arena's environment; no limit of CPU time.
    Launcher() = default;
    // Tests the sandbox, if it is on. `hidden`: files that no sandboxed player may see.
    static protocol::Result<Launcher> open(const PlayOptions& options,
                                           const std::vector<std::string>& hidden,
                                           const Guardian& guardian);

    // The guardian's request for a player of the kind Command, on any core.
    SpawnRequest request(const PlayerSpec& spec) const;
    // See hash_executables(); empty if the player is not a Command.
    std::string hash_executables(const PlayerSpec& spec) const;
    // The player's limit of memory, in words: of each process, or in a sandbox of `all` its
    // processes. Empty: none.
    std::string memory_text(const PlayerSpec& spec, bool all) const;

    // What the player has of the arena's files and variables, in words. Empty: all.
    std::string_view environment_text(const PlayerSpec& spec) const;
    // The player with its working directory and sandbox: "cmd=./bot (in /home/ann)".
    std::string text(const PlayerSpec& spec) const;
    // The limits of players in the sandbox, in words; empty without a sandbox.
    std::string sandbox_text() const;
    // How players are stopped off turn, in words; empty: they are not.
    std::string fairness_text() const;

  private:
    // Whether the player gets a clean environment.
    bool cleans(const PlayerSpec& spec) const;
    // Whether the player runs in the sandbox.
    bool confines(const PlayerSpec& spec) const;

    EnvironmentMode environment_ = EnvironmentMode::Inherit;
    std::optional<Milliseconds> startup_;
    std::uint64_t sandbox_memory_ = 0;
    std::optional<UserId> user_;
    std::optional<Sandbox> sandbox_;
    bool fair_ = false;
    std::optional<ControlGroups> turns_;  // nullopt: by signals
};

// Whether the user that players run as may run them (--run-as, --untrusted). Launcher::open
// asks this, too; asked alone, nothing has to be built yet.
protocol::Result<void> check_trust(const PlayOptions& options);

// How players are stopped off turn by these groups, or without groups by signals, in words.
std::string fairness_text(const std::optional<ControlGroups>& turns);

// The CPU time that a player may use in `time`: twice as much in each of its threads, plus 5 s.
std::chrono::seconds cpu_for(Microseconds time, int threads);

}  // namespace arena

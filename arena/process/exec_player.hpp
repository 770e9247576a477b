// Sets up a player in a new process, between fork and exec.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "arena/process/guardian.hpp"
#include "arena/process/player_folders.hpp"

namespace arena {

// The player's ends of the pipes, all closed on exec. `failure` receives the guardian's answer
// if the player cannot be started; it closes without a byte if the player runs.
struct PlayerStreams {
    int in, out, err;
    int failure;
};

// How many files a player may have open, and its stack in bytes, if it is in the sandbox and no
// group bounds its memory. The largest file that it may write is in exit_status.hpp.
constexpr std::uint64_t kMaxOpenFiles = 1024;
constexpr std::uint64_t kMaxStack = 8 << 20;

// Every process that a player starts inherits this entry of its environment.
std::string player_mark(const std::string& id);

[[noreturn]] void exec_player(const SpawnRequest& request, const PlayerStreams& streams,
                              const PlayerFolders& folders, const std::string& id,
                              pid_t guardian);

}  // namespace arena

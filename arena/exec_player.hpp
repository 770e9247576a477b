// What happens in a new process between fork and exec: how a player is set up.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "arena/guardian.hpp"
#include "arena/player_places.hpp"

namespace arena {

// The ends of the pipes that become the player's own, all closed on exec. `failure` takes words
// where it cannot be started; it closes without a byte where it runs.
struct PlayerStreams {
    int in, out, err;
    int failure;
};

// The largest file that a player may write (RLIMIT_FSIZE), how many it may have open, and its
// stack, where it is in the sandbox and no group bounds its memory.
constexpr std::uint64_t kMaxFileWritten = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxOpenFiles = 1024;
constexpr std::uint64_t kMaxStack = 8 << 20;

// Every process that a player starts inherits this entry of its environment.
std::string player_mark(const std::string& id);

[[noreturn]] void exec_player(const SpawnRequest& request, const PlayerStreams& streams,
                              const PlayerPlaces& places, const std::string& id,
                              pid_t guardian);

}  // namespace arena

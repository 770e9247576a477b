// What the guardian makes for a player before it starts, and removes after its end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arena/guardian.hpp"

namespace arena {

struct PlayerPlaces {
    std::string directory{};            // its private one; empty: it has none
    std::optional<UserId> owner{};      // of the directory, where that is not the arena's user
    std::vector<std::string> groups{};  // folders of its cgroups
};

// Makes what the request asks for; `id` tells players apart. nullptr, or what could not be
// made, and errno says why; then `places` holds what has been made so far.
const char* make_places(const SpawnRequest& request, const std::string& id,
                        PlayerPlaces& places);

// Removes the directory with all that is in it, with no more rights than its owner had. For a
// process of its own, like remove_tree(), and once the player is gone.
void clear_directory(const PlayerPlaces& places);

// Whether a process of the player's groups was killed for want of memory.
bool ran_out_of_memory(const PlayerPlaces& places);

}  // namespace arena

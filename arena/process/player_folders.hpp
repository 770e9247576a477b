// The directory and control groups of a player: made before it starts, removed after its end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arena/process/guardian.hpp"

namespace arena {

struct PlayerFolders {
    std::string directory{};            // its private one; empty: it has none
    std::optional<UserId> owner{};      // owner of the directory, if not the arena's user
    std::vector<std::string> groups{};  // folders of its cgroups
    // Files of these groups, if it has them: the one that stops it, and the one with its CPU
    // time.
    std::string freezer{}, cpu{};

    bool unified() const;  // the freezer is of version 2
};

// "nimarena-ID-NAMESPACE", the name of a cgroup; `id` begins with the pid of the guardian,
// which means nothing to arenas in other PID namespaces that share the cgroups.
std::string group_name(const std::string& id);

// Makes the folders of the request; `id` identifies the player. Returns words for what could
// not be made, with errno; `folders` then holds what has been made so far. Empty: all are made.
std::string make_folders(const SpawnRequest& request, const std::string& id,
                         PlayerFolders& folders);

// Removes the directory with its contents, with the rights of its owner only. Call it in a
// process of its own, like remove_tree(), once the player is gone.
void clear_directory(const PlayerFolders& folders);

// Call it at the end of a guardian that has removed all folders of its players. Without it, the
// next guardian that makes folders removes what is left.
void forget_folders();
// Removes directories that killed guardians of this user have left in TMPDIR. Call it in a
// process of its own: it takes as long as there is much.
void remove_folders_left();

// Stops all processes of a group, or lets them continue; `freezer` is its open freezer file.
// The processes stop soon after, and all at once.
void set_frozen(int freezer, bool unified, bool frozen);
// The same for a player; does nothing if it has no such group.
void set_frozen(const PlayerFolders& folders, bool frozen);

// Reads the CPU time of a group from its open file.
std::optional<Microseconds> read_group_cpu(int file);

// Sends SIGKILL to each process of the group, and thaws it: in version 1 a frozen process does
// not die.
void kill_group(const std::string& group);
// Does the same to groups that dead guardians of this PID namespace left next to the groups of
// `folders`, and removes them.
void remove_groups_left(const PlayerFolders& folders);

// Whether a process of the player's groups was killed for lack of memory.
bool ran_out_of_memory(const PlayerFolders& folders);

}  // namespace arena

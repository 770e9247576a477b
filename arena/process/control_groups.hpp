// Control groups (cgroups), by which the kernel limits memory and processes of a group, stops
// it, counts its CPU time and gives it its share.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace arena {

// A group that the guardian makes for one player.
struct ControlGroup {
    std::string parent;  // a folder of a cgroup file system
    std::vector<std::pair<std::string, std::string>>
        settings{};  // files and what to write there
    // The file that stops the group, "cgroup.freeze" (version 2) or "freezer.state" (1), and
    // the file with its CPU time, "cpu.stat" or "cpuacct.usage"; empty: another group has it.
    std::string freezer{};
    std::string cpu{};
    bool pins = false;  // its cpuset holds the player's cores
};

struct ControlGroups {
    std::string kind;  // "cgroup v2", "cgroup v1": the version that limits or stops
    std::vector<ControlGroup> groups;
};

inline constexpr char kFreezerOfVersion2[] = "cgroup.freeze";
inline constexpr char kFreezerOfVersion1[] = "freezer.state";

// Whether one of the groups bounds memory.
bool bounds_memory(const std::vector<ControlGroup>& groups);

// Thaws the groups of version 1 in which these processes are, whoever has made them: frozen,
// a process does not die of a SIGKILL that it has been sent.
void thaw_groups_of(const std::set<pid_t>& processes);

// The control groups of a machine, as the kernel reports them.
struct GroupTree {
    std::string mounts;  // /proc/self/mountinfo
    std::string own;     // /proc/self/cgroup
    // Whether a child process can be moved to the group of this folder.
    std::function<bool(const std::string& folder)> can_enter;
    // Whether a group has this file.
    std::function<bool(const std::string& file)> has_file{};
    // Delegates a controller of version 2 to the groups of this folder; false: it cannot.
    std::function<bool(const std::string& folder, const std::string& controller)> enable{};
};
GroupTree this_machine();

// Groups that limit a player to `memory` bytes and `processes` (including threads); nullopt if
// this process may not make or enter such groups.
std::optional<ControlGroups> find_control_groups(std::uint64_t memory, int processes,
                                                 const GroupTree& tree = this_machine());

// `limits` (which may have no groups) and the groups that stop a player, count its CPU time and
// give it an equal share; with `pins` also bind it to its cores, if possible. nullopt: no group
// stops it, or none counts its time.
std::optional<ControlGroups> find_turn_groups(const ControlGroups& limits, bool pins,
                                              const GroupTree& tree = this_machine());

}  // namespace arena

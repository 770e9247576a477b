// Control groups (cgroups), by which the kernel limits memory and processes of a group.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace arena {

// A group that the guardian makes for one player.
struct ControlGroup {
    std::string parent;  // a folder of a cgroup file system
    std::vector<std::pair<std::string, std::string>>
        settings{};  // files and what to write there
};

struct ControlGroups {
    std::string kind;  // "cgroup v2", "cgroup v1"
    std::vector<ControlGroup> groups;
};

// The control groups of this machine, as the kernel reports them.
struct GroupTree {
    std::string mounts;  // /proc/self/mountinfo
    std::string own;     // /proc/self/cgroup
    // Whether a child process can be moved to the group of this folder.
    std::function<bool(const std::string& folder)> can_enter;
};

// Groups that limit a player to `memory` bytes and `processes` (including threads); nullopt if
// this process may not make or enter such groups.
std::optional<ControlGroups> find_control_groups(std::uint64_t memory, int processes);
std::optional<ControlGroups> find_control_groups(std::uint64_t memory, int processes,
                                                 const GroupTree& tree);

}  // namespace arena

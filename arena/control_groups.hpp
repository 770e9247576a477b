// Where the kernel bounds memory and processes of whole groups of processes: cgroups.
#pragma once

#include <cstdint>
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

// Groups that hold a player to `memory` bytes and `processes` (threads count), where this
// process may make and enter such; nullopt: it may not.
std::optional<ControlGroups> find_control_groups(std::uint64_t memory, int processes);

}  // namespace arena

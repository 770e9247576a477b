#include "arena/process/control_groups.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;

using Controllers = std::vector<std::string_view>;
using Settings = std::vector<std::pair<std::string, std::string>>;

// A mounted hierarchy of groups.
struct Hierarchy {
    bool unified = false;  // version 2
    std::string options;   // version 1: its controllers, among others
    fs::path root;         // the group that is mounted, and where
    fs::path mount_point;
};

// Lines of /proc/self/mountinfo: "36 31 0:33 ROOT MOUNT-POINT OPTIONS … - TYPE SOURCE OPTIONS".
std::vector<Hierarchy> hierarchies(const GroupTree& tree) {
    std::vector<Hierarchy> found;
    std::istringstream file(tree.mounts);
    for (std::string line; std::getline(file, line);) {
        const auto words = protocol::split_words(line);
        const auto dash = std::ranges::find(words, "-");
        if (words.size() < 6 || words.end() - dash < 4) continue;
        const bool unified = dash[1] == "cgroup2";
        if (!unified && dash[1] != "cgroup") continue;
        found.push_back({unified, "," + std::string(dash[3]) + ",", std::string(words[3]),
                         std::string(words[4])});
    }
    return found;
}

// The whole file: a single read of /proc returns whole lines, and so less than there is.
std::string content(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool has_word(const std::string& text, std::string_view wanted) {
    std::istringstream words(text);
    return std::find(std::istream_iterator<std::string>(words), {}, wanted) !=
           std::istream_iterator<std::string>();
}

// The group of this process in a hierarchy: "4:memory:/a/b", or "0::/a/b".
fs::path own_group(const GroupTree& tree, const Hierarchy& hierarchy,
                   std::string_view controller) {
    std::istringstream file(tree.own);
    for (std::string line; std::getline(file, line);) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (second == line.npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const bool is_it =
            hierarchy.unified
                ? controllers == ",,"
                : controllers.find("," + std::string(controller) + ",") != controllers.npos;
        if (is_it) return line.substr(second + 1);
    }
    return "/";
}

Settings settings_for(const Hierarchy& hierarchy, const Controllers& controllers,
                      std::uint64_t memory, int processes) {
    Settings settings;
    const std::string bytes = std::to_string(memory);
    for (const std::string_view controller : controllers) {
        if (controller == "pids") {
            settings.emplace_back("pids.max", std::to_string(processes));
        } else if (hierarchy.unified) {  // a question mark: where the kernel counts swap
            settings.insert(settings.end(), {{"memory.max", bytes}, {"?memory.swap.max", "0"}});
        } else {
            settings.insert(settings.end(), {{"memory.limit_in_bytes", bytes},
                                             {"?memory.memsw.limit_in_bytes", bytes}});
        }
    }
    return settings;
}

// Whether a child process can be moved there.
bool can_enter(const std::string& group) {
    const std::string file = group + "/cgroup.procs";
    const pid_t pid = ::fork();
    if (pid < 0) return false;
    if (pid == 0) {
        const int procs = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
        ::_exit(procs >= 0 && ::write(procs, "0", 1) == 1 ? 0 : 1);
    }
    int status = 1;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return status == 0;
}

bool can_hold_groups(const GroupTree& tree, const Hierarchy& hierarchy, const fs::path& folder,
                     const Controllers& controllers) {
    if (hierarchy.unified) {
        const std::string enabled = content(folder / "cgroup.subtree_control");
        const auto has = [&](std::string_view controller) {
            return has_word(enabled, controller);
        };
        if (!std::ranges::all_of(controllers, has)) return false;
    }
    const fs::path trial = folder / ("nimarena-" + std::to_string(::getpid()) + "-trial");
    if (::mkdir(trial.c_str(), 0755) != 0) return false;
    const bool entered = tree.can_enter(trial);
    // The process that entered may need a moment to leave.
    for (int i = 0; i < 1000 && ::rmdir(trial.c_str()) != 0 && errno == EBUSY; ++i) {
        ::usleep(1000);
    }
    return entered;
}

// The nearest to this process's own group.
std::optional<fs::path> find_parent(const GroupTree& tree, const Hierarchy& hierarchy,
                                    const Controllers& controllers) {
    const fs::path own = own_group(tree, hierarchy, controllers.front());
    fs::path inside = own.lexically_relative(hierarchy.root);
    if (inside.empty() || *inside.begin() == "..") inside = ".";  // mounted from elsewhere
    fs::path folder = (hierarchy.mount_point / inside).lexically_normal();
    for (;; folder = folder.parent_path()) {
        if (folder.filename().empty()) folder = folder.parent_path();
        if (can_hold_groups(tree, hierarchy, folder, controllers)) return folder;
        if (folder == hierarchy.mount_point || !folder.has_relative_path()) return std::nullopt;
    }
}

// A group with these controllers, in one of the hierarchies of its version.
std::optional<ControlGroup> find_group(const GroupTree& tree, bool unified,
                                       const Controllers& controllers, std::uint64_t memory,
                                       int processes) {
    for (const Hierarchy& hierarchy : hierarchies(tree)) {
        const auto has = [&](std::string_view controller) {
            return hierarchy.options.find("," + std::string(controller) + ",") !=
                   std::string::npos;
        };
        if (hierarchy.unified != unified) continue;
        if (!unified && !std::ranges::all_of(controllers, has)) continue;
        if (const auto parent = find_parent(tree, hierarchy, controllers)) {
            return ControlGroup{parent->string(),
                                settings_for(hierarchy, controllers, memory, processes)};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<ControlGroups> find_control_groups(std::uint64_t memory, int processes) {
    const GroupTree tree{content("/proc/self/mountinfo"), content("/proc/self/cgroup"),
                         can_enter};
    return find_control_groups(memory, processes, tree);
}

std::optional<ControlGroups> find_control_groups(std::uint64_t memory, int processes,
                                                 const GroupTree& tree) {
    const auto find = [&](bool unified, const Controllers& controllers) {
        return find_group(tree, unified, controllers, memory, processes);
    };
    // In version 2 a process is in one group only, which needs both controllers.
    if (auto both = find(true, {"memory", "pids"}))
        return ControlGroups{"cgroup v2", {*std::move(both)}};
    auto bytes = find(false, {"memory"});
    auto pids = bytes ? find(false, {"pids"}) : std::nullopt;
    if (!pids) return std::nullopt;
    return ControlGroups{"cgroup v1", {*std::move(bytes), *std::move(pids)}};
}

}  // namespace arena

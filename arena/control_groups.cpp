#include "arena/control_groups.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "arena/process_table.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kControllers{"memory", "pids"};

// A mounted hierarchy of groups.
struct Hierarchy {
    bool unified = false;  // version 2
    std::string options;   // version 1: its controllers, among others
    fs::path root;         // the group that is mounted, and where
    fs::path mount_point;
};

// Lines of /proc/self/mountinfo: "36 31 0:33 ROOT MOUNT-POINT OPTIONS … - TYPE SOURCE OPTIONS".
std::vector<Hierarchy> hierarchies() {
    std::vector<Hierarchy> found;
    std::istringstream file(read_proc_file("/proc/self/mountinfo").value_or(""));
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

bool has_word(const std::string& text, std::string_view word) {
    const auto words = protocol::split_words(text);
    return std::ranges::find(words, word) != words.end();
}

// The group of this process in a hierarchy: "4:memory:/a/b", or "0::/a/b".
fs::path own_group(const Hierarchy& hierarchy, std::string_view controller) {
    std::istringstream file(read_proc_file("/proc/self/cgroup").value_or(""));
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

std::vector<std::pair<std::string, std::string>> settings_for(const Hierarchy& hierarchy,
                                                              std::string_view controller,
                                                              std::uint64_t memory,
                                                              int processes) {
    if (controller == "pids") return {{"pids.max", std::to_string(processes)}};
    const std::string bytes = std::to_string(memory);
    // A question mark: where the kernel counts swap.
    if (hierarchy.unified) return {{"memory.max", bytes}, {"?memory.swap.max", "0"}};
    return {{"memory.limit_in_bytes", bytes}, {"?memory.memsw.limit_in_bytes", bytes}};
}

// Whether a process of this one's can be moved there.
bool can_enter(const fs::path& group) {
    const std::string file = group / "cgroup.procs";
    const pid_t pid = ::fork();
    if (pid == 0) {
        const int procs = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
        ::_exit(procs >= 0 && ::write(procs, "0", 1) == 1 ? 0 : 1);
    }
    int status = 1;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return pid > 0 && status == 0;
}

bool can_hold_groups(const Hierarchy& hierarchy, const fs::path& folder,
                     std::string_view controller) {
    if (hierarchy.unified) {
        const auto enabled = read_proc_file(folder / "cgroup.subtree_control");
        if (!enabled || !has_word(*enabled, controller)) return false;
    }
    const fs::path trial = folder / ("nimarena-" + std::to_string(::getpid()) + "-trial");
    if (::mkdir(trial.c_str(), 0755) != 0) return false;
    const bool entered = can_enter(trial);
    // The process that entered may take a moment to leave.
    for (int i = 0; i < 1000 && ::rmdir(trial.c_str()) != 0 && errno == EBUSY; ++i) {
        ::usleep(1000);
    }
    return entered;
}

// The nearest to this process's own group.
std::optional<fs::path> find_parent(const Hierarchy& hierarchy, std::string_view controller) {
    const fs::path own = own_group(hierarchy, controller);
    fs::path inside = own.lexically_relative(hierarchy.root);
    if (inside.empty() || *inside.begin() == "..") inside = ".";  // mounted from elsewhere
    fs::path folder = (hierarchy.mount_point / inside).lexically_normal();
    for (;; folder = folder.parent_path()) {
        if (folder.filename().empty()) folder = folder.parent_path();
        if (can_hold_groups(hierarchy, folder, controller)) return folder;
        if (folder == hierarchy.mount_point || !folder.has_relative_path()) return std::nullopt;
    }
}

}  // namespace

std::optional<ControlGroups> find_control_groups(std::uint64_t memory, int processes) {
    const auto mounted = hierarchies();
    ControlGroups found;
    for (const bool unified : {true, false}) {
        found = {unified ? "cgroup v2" : "cgroup v1", {}};
        for (const std::string_view controller : kControllers) {
            for (const Hierarchy& hierarchy : mounted) {
                const bool has_it =
                    hierarchy.unified || hierarchy.options.find("," + std::string(controller) +
                                                                ",") != std::string::npos;
                if (hierarchy.unified != unified || !has_it) continue;
                const auto parent = find_parent(hierarchy, controller);
                if (!parent) continue;
                found.groups.push_back(
                    {parent->string(), settings_for(hierarchy, controller, memory, processes)});
                break;
            }
        }
        if (found.groups.size() == kControllers.size()) return found;
    }
    return std::nullopt;
}

}  // namespace arena

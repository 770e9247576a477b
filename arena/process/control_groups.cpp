// Finds where this process may make control groups, and which files of them do what is needed.
//
// There are two versions of control groups, often mounted side by side. In version 2 a process
// is in one group, which must have all controllers; in version 1 each hierarchy has groups of
// its own. For each hierarchy the search starts at this process's own group and goes up, and
// makes a trial group at each step: what may be made and entered depends on delegation,
// containers and users, and only a trial tells. Nothing is delegated as root, because that
// would change the shares of the whole machine. A GroupTree stands for the machine, so that
// tests can describe another one.
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

#include "arena/process/player_folders.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;

using Controllers = std::vector<std::string_view>;

constexpr char kVersion2[] = "cgroup v2";
constexpr char kVersion1[] = "cgroup v1";

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

// The whole file. A single read of /proc may return less than there is, cut at a line.
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

// The folder of this group.
fs::path own_folder(const GroupTree& tree, const Hierarchy& hierarchy,
                    std::string_view controller) {
    fs::path inside = own_group(tree, hierarchy, controller).lexically_relative(hierarchy.root);
    if (inside.empty() || *inside.begin() == "..") inside = ".";  // mounted from elsewhere
    return (hierarchy.mount_point / inside).lexically_normal();
}

bool has_controller(const Hierarchy& hierarchy, std::string_view controller) {
    return hierarchy.options.find("," + std::string(controller) + ",") != std::string::npos;
}

// Whether a child process can be moved to the group.
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

// The content without the line end.
std::string value_in(const fs::path& file) {
    std::string value = content(file);
    while (value.ends_with('\n')) value.pop_back();
    return value;
}

bool delegates(const fs::path& folder, std::string_view controller) {
    return has_word(content(folder / "cgroup.subtree_control"), controller);
}

// A group of the controller cpuset can be entered only once it has cores and memory nodes.
void inherit_cores(const fs::path& parent, const fs::path& group) {
    for (const char* file : {"cpuset.cpus", "cpuset.mems"}) {
        std::ofstream(group / file) << value_in(parent / file) << std::flush;
    }
}

// Whether this process may make groups in `folder` with these controllers. A group there must
// have `files`.
bool can_hold_groups(const GroupTree& tree, const Hierarchy& hierarchy, const fs::path& folder,
                     const Controllers& controllers, const Controllers& files) {
    if (hierarchy.unified) {
        const auto has = [&](std::string_view controller) {
            return delegates(folder, controller) ||
                   (tree.enable && tree.enable(folder.string(), std::string(controller)));
        };
        if (!std::ranges::all_of(controllers, has)) return false;
    }
    const fs::path trial = folder / group_name(std::to_string(::getpid()) + "-trial");
    if (::mkdir(trial.c_str(), 0755) != 0) return false;
    if (!hierarchy.unified && std::ranges::count(controllers, "cpuset") > 0) {
        inherit_cores(folder, trial);
    }
    const auto is_there = [&](std::string_view file) {
        return tree.has_file(trial.string() + "/" + std::string(file));
    };
    const bool entered = std::ranges::all_of(files, is_there) && tree.can_enter(trial);
    // The process that entered may need a moment to leave.
    for (int i = 0; i < 1000 && ::rmdir(trial.c_str()) != 0 && errno == EBUSY; ++i) {
        ::usleep(1000);
    }
    return entered;
}

// The folder nearest to this process's own group that can hold groups.
std::optional<fs::path> find_parent(const GroupTree& tree, const Hierarchy& hierarchy,
                                    const Controllers& controllers,
                                    const Controllers& files = {}) {
    fs::path folder =
        own_folder(tree, hierarchy, controllers.empty() ? "" : controllers.front());
    for (;; folder = folder.parent_path()) {
        if (folder.filename().empty()) folder = folder.parent_path();
        if (can_hold_groups(tree, hierarchy, folder, controllers, files)) return folder;
        if (folder == hierarchy.mount_point || !folder.has_relative_path()) return std::nullopt;
    }
}

// A group with these controllers and files, in one of the hierarchies of its version.
std::optional<ControlGroup> find_group(const GroupTree& tree, bool unified,
                                       const Controllers& controllers,
                                       const Controllers& files = {}) {
    for (const Hierarchy& hierarchy : hierarchies(tree)) {
        const auto has = [&](std::string_view controller) {
            return has_controller(hierarchy, controller);
        };
        if (hierarchy.unified != unified) continue;
        if (!unified && !std::ranges::all_of(controllers, has)) continue;
        if (const auto parent = find_parent(tree, hierarchy, controllers, files)) {
            return ControlGroup{parent->string()};
        }
    }
    return std::nullopt;
}

// The group that `all` has in the same hierarchy, else `found`, which is added: a process is in
// one group of each hierarchy.
ControlGroup& group_in(ControlGroups& all, ControlGroup found) {
    const auto same = std::ranges::find(all.groups, found.parent, &ControlGroup::parent);
    if (same != all.groups.end()) return *same;
    all.groups.push_back(std::move(found));
    return all.groups.back();
}

// Version 2: one group does everything, that of the limits if there is one.
bool add_unified(ControlGroups& all, bool pins, const GroupTree& tree) {
    const Controllers files{kFreezerOfVersion2, "cpu.stat"};
    auto found = find_group(tree, true, {"cpu"}, files);
    if (!found) found = find_group(tree, true, {}, files);
    if (!found) return false;
    if (all.kind == kVersion2) found->parent = all.groups.front().parent;
    ControlGroup& group = group_in(all, *std::move(found));
    group.freezer = kFreezerOfVersion2;
    group.cpu = "cpu.stat";
    group.pins = pins && delegates(group.parent, "cpuset");
    return true;
}

// Version 1: a group in each hierarchy, of which several controllers may share one.
bool add_separate(ControlGroups& all, const GroupTree& tree) {
    auto freezer = find_group(tree, false, {"freezer"}, {kFreezerOfVersion1});
    auto count = find_group(tree, false, {"cpuacct"}, {"cpuacct.usage"});
    if (!freezer || !count) return false;
    group_in(all, *std::move(freezer)).freezer = kFreezerOfVersion1;
    group_in(all, *std::move(count)).cpu = "cpuacct.usage";
    return true;
}

// Adds groups of version 1 for the share of the cores and for the cores themselves, besides a
// freezer of either version.
void add_shares(ControlGroups& all, bool pins, const GroupTree& tree) {
    if (auto share = find_group(tree, false, {"cpu"})) group_in(all, *std::move(share));
    auto cores = pins ? find_group(tree, false, {"cpuset"}) : std::nullopt;
    if (!cores) return;
    ControlGroup& group = group_in(all, *std::move(cores));
    group.settings.emplace_back("cpuset.mems",
                                value_in(fs::path(group.parent) / "cpuset.mems"));
    group.pins = true;
}

// Divides only what has been delegated to a user: as root this could change the shares of the
// whole machine.
bool enable(const std::string& folder, const std::string& controller) {
    if (::geteuid() == 0) return false;
    if (!has_word(content(fs::path(folder) / "cgroup.controllers"), controller)) return false;
    std::ofstream(fs::path(folder) / "cgroup.subtree_control")
        << "+" + controller << std::flush;
    return delegates(folder, controller);
}

}  // namespace

GroupTree this_machine() {
    return {content("/proc/self/mountinfo"), content("/proc/self/cgroup"), can_enter,
            [](const std::string& file) { return ::access(file.c_str(), F_OK) == 0; }, enable};
}

// A question mark before a setting: absent if the kernel counts no swap.
std::optional<ControlGroups> find_control_groups(std::uint64_t memory, int processes,
                                                 const GroupTree& tree) {
    const std::string bytes = std::to_string(memory);
    const std::pair<std::string, std::string> most_processes{"pids.max",
                                                             std::to_string(processes)};
    // In version 2 a process is in one group only, which needs both controllers.
    if (auto both = find_group(tree, true, {"memory", "pids"})) {
        both->settings = {{"memory.max", bytes}, {"?memory.swap.max", "0"}, most_processes};
        return ControlGroups{kVersion2, {*std::move(both)}};
    }
    auto holds_memory = find_group(tree, false, {"memory"});
    auto holds_processes = holds_memory ? find_group(tree, false, {"pids"}) : std::nullopt;
    if (!holds_processes) return std::nullopt;
    holds_memory->settings = {{"memory.limit_in_bytes", bytes},
                              {"?memory.memsw.limit_in_bytes", bytes}};
    holds_processes->settings = {most_processes};
    return ControlGroups{kVersion1, {*std::move(holds_memory), *std::move(holds_processes)}};
}

std::optional<ControlGroups> find_turn_groups(const ControlGroups& limits, bool pins,
                                              const GroupTree& tree) {
    ControlGroups all = limits;
    if (add_unified(all, pins, tree)) {
        all.kind = kVersion2;
    } else if (add_separate(all, tree)) {
        all.kind = kVersion1;
    } else {
        return std::nullopt;
    }
    add_shares(all, pins, tree);
    return all;
}

void thaw_groups_of(const std::set<pid_t>& processes) {
    if (processes.empty()) return;  // as after most players: the mounts need not be read
    GroupTree tree{content("/proc/self/mountinfo"), "", {}};
    for (const Hierarchy& hierarchy : hierarchies(tree)) {
        if (hierarchy.unified || !has_controller(hierarchy, "freezer")) continue;
        for (const pid_t pid : processes) {
            tree.own = content("/proc/" + std::to_string(pid) + "/cgroup");
            std::ofstream(own_folder(tree, hierarchy, "freezer") / kFreezerOfVersion1)
                << "THAWED" << std::flush;
        }
    }
}

bool bounds_memory(const std::vector<ControlGroup>& groups) {
    return std::ranges::any_of(groups, [](const ControlGroup& group) {
        return std::ranges::any_of(group.settings, [](const auto& setting) {
            return setting.first.starts_with("memory.");
        });
    });
}

}  // namespace arena

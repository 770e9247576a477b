#include "arena/process/player_places.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "arena/base/remove_tree.hpp"
#include "arena/process/process_table.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

constexpr int kRemovals = 3;

// In TMPDIR; empty: there is none.
std::string make_private_directory(const std::optional<UserId>& owner) {
    const char* folder = std::getenv("TMPDIR");
    if (folder == nullptr || *folder == '\0') folder = "/tmp";
    const std::unique_ptr<char, void (*)(void*)> absolute(::realpath(folder, nullptr),
                                                          std::free);
    if (!absolute) return {};
    std::string path = std::string(absolute.get()) + "/nimarena-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) return {};
    if (owner && ::chown(path.c_str(), owner->user, owner->group) != 0) {
        const int error = errno;
        ::rmdir(path.c_str());
        errno = error;
        return {};
    }
    return path;
}

// A file of a cgroup; a question mark before its name: it may be absent.
bool write_setting(const std::string& group, std::string_view name, const std::string& value) {
    const bool optional = name.starts_with('?');
    if (optional) name.remove_prefix(1);
    const protocol::UniqueFd file(
        ::open((group + "/").append(name).c_str(), O_WRONLY | O_CLOEXEC));
    if (!file) return optional;
    return ::write(file.get(), value.data(), value.size()) == std::ssize(value);
}

// "0,2": a cpuset. Without cores of its own it has those of the parent.
std::string cores_text(const ControlGroup& wanted, const std::vector<int>& cores) {
    std::string list;
    for (const int core : cores) list += (list.empty() ? "" : ",") + std::to_string(core);
    if (!list.empty()) return list;
    std::string all = read_proc_file(wanted.parent + "/cpuset.cpus").value_or("");
    while (all.ends_with('\n')) all.pop_back();
    return all;
}

bool make_group(const ControlGroup& wanted, const std::string& folder,
                const std::vector<int>& cores) {
    if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) return false;
    const std::string set = wanted.pins ? cores_text(wanted, cores) : "";
    if (!set.empty() && !write_setting(folder, "cpuset.cpus", set)) return false;
    return std::ranges::all_of(wanted.settings, [&folder](const auto& setting) {
        return write_setting(folder, setting.first, setting.second);
    });
}

// The pid in "nimarena-PID-NUMBER"; 0: it is none of our groups.
pid_t guardian_of(std::string_view name) {
    constexpr std::string_view kOurs = "nimarena-";
    pid_t pid = 0;
    if (!name.starts_with(kOurs)) return 0;
    name.remove_prefix(kOurs.size());
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    return error == std::errc() && end != name.data() + name.size() && *end == '-' ? pid : 0;
}

void thaw(const std::string& group) {
    for (const bool unified : {true, false}) {
        const std::string file =
            group + "/" + (unified ? kFreezerOfVersion2 : kFreezerOfVersion1);
        const protocol::UniqueFd opened(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
        if (opened) set_frozen(opened.get(), unified, false);
    }
}

}  // namespace

const char* make_places(const SpawnRequest& request, const std::string& id,
                        PlayerPlaces& places) {
    if (request.private_directory) {
        places.owner = request.user;
        places.directory = make_private_directory(request.user);
        if (places.directory.empty()) return "no private directory in TMPDIR";
    }
    for (const ControlGroup& group : request.groups) {
        const std::string folder = group.parent + "/nimarena-" + id;
        places.groups.push_back(folder);
        if (!make_group(group, folder, request.cores)) return "no cgroup";
        if (!group.freezer.empty()) places.freezer = folder + "/" + group.freezer;
        if (!group.cpu.empty()) places.cpu = folder + "/" + group.cpu;
    }
    return nullptr;
}

void clear_directory(const PlayerPlaces& places) {
    if (places.owner) {
        ::setgroups(0, nullptr);
        const bool lowered =
            ::setegid(places.owner->group) == 0 && ::seteuid(places.owner->user) == 0;
        if (!lowered) return;
    }
    // Again where something that was being killed has just written.
    for (int i = 0; i < kRemovals && !remove_tree(places.directory); ++i) continue;
    // Its parent need not be open to the owner.
    if (places.owner && ::seteuid(0) == 0) ::rmdir(places.directory.c_str());
}

bool ran_out_of_memory(const PlayerPlaces& places) {
    for (const std::string& group : places.groups) {
        for (const char* name : {"/memory.events", "/memory.oom_control"}) {
            const auto text = read_proc_file(group + name);
            const auto at = text ? text->find("oom_kill ") : std::string::npos;
            if (at != std::string::npos && text->compare(at, 10, "oom_kill 0") != 0) {
                return true;
            }
        }
    }
    return false;
}

bool PlayerPlaces::unified() const { return freezer.ends_with(kFreezerOfVersion2); }

void set_frozen(int freezer, bool unified, bool frozen) {
    const std::string_view off = unified ? "0" : "THAWED";
    const std::string_view on = unified ? "1" : "FROZEN";
    const std::string_view word = frozen ? on : off;
    [[maybe_unused]] const auto written = ::pwrite(freezer, word.data(), word.size(), 0);
}

void set_frozen(const PlayerPlaces& places, bool frozen) {
    if (places.freezer.empty()) return;
    const protocol::UniqueFd file(::open(places.freezer.c_str(), O_WRONLY | O_CLOEXEC));
    if (file) set_frozen(file.get(), places.unified(), frozen);
}

std::optional<Microseconds> read_group_cpu(int file) {
    // "usage_usec 123" and more lines in version 2, nanoseconds alone in version 1.
    constexpr std::string_view kUsage = "usage_usec ";
    std::array<char, 64> room;
    const auto size = ::pread(file, room.data(), room.size(), 0);
    if (size <= 0) return std::nullopt;
    std::string_view text(room.data(), static_cast<std::size_t>(size));
    const bool unified = text.starts_with(kUsage);
    if (unified) text.remove_prefix(kUsage.size());
    std::int64_t time = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
    if (error != std::errc()) return std::nullopt;
    return Microseconds(unified ? time : time / 1000);
}

void kill_group(const std::string& group) {
    const auto processes = read_proc_file(group + "/cgroup.procs");
    if (!processes) return;
    for (const auto word : protocol::split_words(*processes)) {
        pid_t pid = 0;
        std::from_chars(word.data(), word.data() + word.size(), pid);
        if (pid > 0) ::kill(pid, SIGKILL);
    }
}

void remove_groups_left(const PlayerPlaces& places) {
    for (const std::string& own : places.groups) {
        const std::string parent = own.substr(0, own.rfind('/'));
        const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(parent.c_str()),
                                                          ::closedir);
        if (!listing) continue;
        while (const dirent* entry = ::readdir(listing.get())) {
            const pid_t guardian = guardian_of(entry->d_name);
            if (guardian == 0 || ::kill(guardian, 0) == 0 || errno != ESRCH) continue;
            const std::string group = parent + "/" + entry->d_name;
            // A process of another PID namespace is 0 here, and its guardian cannot be seen.
            const auto processes = read_proc_file(group + "/cgroup.procs").value_or("0\n");
            if (processes.starts_with("0\n")) continue;
            kill_group(group);
            thaw(group);
            ::rmdir(group.c_str());  // busy until they have died: the next start removes it
        }
    }
}

}  // namespace arena

// A guardian that is killed removes nothing; the next one does it. So every directory begins
// with the name of a lock file that its guardian holds: a lock that can be taken belongs to a
// dead guardian, and what begins with its name may go. Control groups carry the guardian's pid.
//
// Files are removed by processes of their own, with the rights of the owner only: a player may
// have put links or another user's files into its directory.
#include "arena/process/player_folders.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string_view>

#include "arena/base/files.hpp"
#include "arena/process/process_table.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

constexpr int kRemovals = 3;
constexpr int kLocksTried = 100;
constexpr std::string_view kLockEnd = ".lock";

const char* tmpdir() {
    const char* folder = std::getenv("TMPDIR");
    return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

// The absolute path of TMPDIR; empty: there is none.
std::string temporary_folder() {
    const std::unique_ptr<char, void (*)(void*)> absolute(::realpath(tmpdir(), nullptr),
                                                          std::free);
    return absolute ? absolute.get() : std::string();
}

// ---- leftovers of a killed guardian ----

// Removes the directories that belong to the lock `name`, "nimarena-PID-XXXXXX.lock", and the
// lock.
void remove_folders_of(const std::string& folder, const std::string& name) {
    const std::string stem = name.substr(0, name.size() - kLockEnd.size());
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(folder.c_str()), ::closedir);
    while (const dirent* entry = listing ? ::readdir(listing.get()) : nullptr) {
        const std::string path = folder + "/" + entry->d_name;
        struct stat status {};
        if (!std::string_view(entry->d_name).starts_with(stem + "-")) continue;
        if (::lstat(path.c_str(), &status) != 0) continue;
        PlayerFolders folders;
        folders.directory = path;
        if (status.st_uid != ::geteuid())
            folders.owner = UserId{{}, status.st_uid, status.st_gid};
        // In a process each, because one that has become the owner cannot become another.
        const pid_t remover = ::fork();
        if (remover == 0) {
            clear_directory(folders);
            ::_exit(0);
        }
        if (remover > 0) ::waitpid(remover, nullptr, 0);
    }
    ::unlink((folder + "/" + name).c_str());
}

// ---- the lock ----

// The lock of this guardian: FOLDER/nimarena-PID-XXXXXX.lock.
struct OwnLock {
    protocol::UniqueFd file;
    std::string path;

    // The beginning of the names of its directories.
    std::string stem() const { return path.substr(0, path.size() - kLockEnd.size()); }
};

OwnLock& kept_lock() {
    static OwnLock lock;
    return lock;
}

bool is_named(const protocol::UniqueFd& file, const std::string& path) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(file.get(), &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Made when the first place is made. Another guardian may take the lock for one of the dead,
// and remove it, before it is locked here: then another one is made.
const OwnLock& own_lock() {
    OwnLock& lock = kept_lock();
    if (lock.file) return lock;
    const std::string folder = temporary_folder();
    for (int i = 0; i < kLocksTried && !lock.file && !folder.empty(); ++i) {
        std::string path = folder + "/nimarena-" + std::to_string(::getpid()) + "-XXXXXX" +
                           std::string(kLockEnd);
        protocol::UniqueFd file(
            ::mkostemps(path.data(), static_cast<int>(kLockEnd.size()), O_CLOEXEC));
        if (!file) break;
        // Where files cannot be locked at all, none is taken.
        if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) continue;
        if (is_named(file, path)) lock = OwnLock{std::move(file), std::move(path)};
    }
    return lock;
}

// ---- folders ----

// Makes a directory in TMPDIR; empty on failure.
std::string make_private_directory(const std::optional<UserId>& owner) {
    const OwnLock& lock = own_lock();
    if (!lock.file) return {};
    std::string path = lock.stem() + "-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) return {};
    if (owner && ::chown(path.c_str(), owner->user, owner->group) != 0) {
        const int error = errno;
        ::rmdir(path.c_str());
        errno = error;
        return {};
    }
    return path;
}

// Writes a file of a cgroup. A question mark before the name: the file may be absent.
bool write_setting(const std::string& group, std::string_view name, const std::string& value) {
    const bool optional = name.starts_with('?');
    if (optional) name.remove_prefix(1);
    const protocol::UniqueFd file(
        ::open((group + "/").append(name).c_str(), O_WRONLY | O_CLOEXEC));
    if (!file) return optional;
    return ::write(file.get(), value.data(), value.size()) == std::ssize(value);
}

// "0,2": the cpuset of a player; without cores of its own, that of the parent.
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

// "-" and the number of this PID namespace.
const std::string& namespace_mark() {
    static const std::string mark = [] {
        struct stat status {};
        const bool is_known = ::stat("/proc/self/ns/pid", &status) == 0;
        return "-" + std::to_string(is_known ? status.st_ino : 0);
    }();
    return mark;
}

// The pid in a name of group_name(); 0: not one of our groups, or of another namespace.
pid_t guardian_of(std::string_view name) {
    constexpr std::string_view kOurs = "nimarena-";
    pid_t pid = 0;
    if (!name.starts_with(kOurs) || !name.ends_with(namespace_mark())) return 0;
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

std::string group_name(const std::string& id) { return "nimarena-" + id + namespace_mark(); }

std::string make_folders(const SpawnRequest& request, const std::string& id,
                         PlayerFolders& folders) {
    if (request.clean_environment && request.filter.empty()) {
        folders.owner = request.user;
        folders.directory = make_private_directory(request.user);
        if (folders.directory.empty())
            return "no private directory in TMPDIR (" + protocol::quoted(tmpdir()) + ")";
    }
    for (const ControlGroup& group : request.groups) {
        const std::string folder = group.parent + "/" + group_name(id);
        folders.groups.push_back(folder);
        if (!make_group(group, folder, request.cores)) return "no cgroup";
        if (!group.freezer.empty()) folders.freezer = folder + "/" + group.freezer;
        if (!group.cpu.empty()) folders.cpu = folder + "/" + group.cpu;
    }
    return "";
}

void clear_directory(const PlayerFolders& folders) {
    if (folders.owner) {
        ::setgroups(0, nullptr);
        const bool lowered =
            ::setegid(folders.owner->group) == 0 && ::seteuid(folders.owner->user) == 0;
        if (!lowered) return;
    }
    // Repeats, because a process that is being killed may still write.
    for (int i = 0; i < kRemovals && !remove_tree(folders.directory); ++i) continue;
    // The owner may lack the right to remove entries of the parent.
    if (folders.owner && ::seteuid(0) == 0 && ::rmdir(folders.directory.c_str()) != 0)
        ::unlink(folders.directory.c_str());
}

void forget_folders() {
    if (kept_lock().file) ::unlink(kept_lock().path.c_str());
}

// A lock that can be taken belongs to a dead guardian, whose processes are dead too. A file of
// this name that another user has made stays.
void remove_folders_left() {
    const std::string folder = temporary_folder();
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(folder.c_str()), ::closedir);
    while (const dirent* entry = listing ? ::readdir(listing.get()) : nullptr) {
        const std::string name = entry->d_name;
        if (!name.starts_with("nimarena-") || !name.ends_with(kLockEnd)) continue;
        const protocol::UniqueFd lock(::open((folder + "/" + name).c_str(),
                                             O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        struct stat status {};
        const bool is_ours = lock && ::fstat(lock.get(), &status) == 0 &&
                             S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
        if (is_ours && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0)
            remove_folders_of(folder, name);
    }
}

bool ran_out_of_memory(const PlayerFolders& folders) {
    for (const std::string& group : folders.groups) {
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

bool PlayerFolders::unified() const { return freezer.ends_with(kFreezerOfVersion2); }

void set_frozen(int freezer, bool unified, bool frozen) {
    const std::string_view off = unified ? "0" : "THAWED";
    const std::string_view on = unified ? "1" : "FROZEN";
    const std::string_view word = frozen ? on : off;
    [[maybe_unused]] const auto written = ::pwrite(freezer, word.data(), word.size(), 0);
}

void set_frozen(const PlayerFolders& folders, bool frozen) {
    if (folders.freezer.empty()) return;
    const protocol::UniqueFd file(::open(folders.freezer.c_str(), O_WRONLY | O_CLOEXEC));
    if (file) set_frozen(file.get(), folders.unified(), frozen);
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
    std::istringstream lines(*processes);
    for (pid_t pid = 0; lines >> pid;) {
        if (pid > 0) ::kill(pid, SIGKILL);  // 0: of another PID namespace
    }
    thaw(group);
}

void remove_groups_left(const PlayerFolders& folders) {
    for (const std::string& own : folders.groups) {
        const std::string parent = own.substr(0, own.rfind('/'));
        const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(parent.c_str()),
                                                          ::closedir);
        if (!listing) continue;
        while (const dirent* entry = ::readdir(listing.get())) {
            const pid_t guardian = guardian_of(entry->d_name);
            if (guardian == 0 || ::kill(guardian, 0) == 0 || errno != ESRCH) continue;
            const std::string group = parent + "/" + entry->d_name;
            kill_group(group);
            ::rmdir(group.c_str());  // busy until they have died: the next start removes it
        }
    }
}

}  // namespace arena

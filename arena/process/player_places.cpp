#include "arena/process/player_places.hpp"

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
#include <cstdlib>
#include <memory>
#include <string_view>

#include "arena/base/files.hpp"
#include "arena/process/process_table.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

constexpr int kRemovals = 3;
constexpr std::string_view kLockEnd = ".lock";

// TMPDIR, as it is to be named; empty: there is none.
std::string temporary_folder() {
    const char* folder = std::getenv("TMPDIR");
    if (folder == nullptr || *folder == '\0') folder = "/tmp";
    const std::unique_ptr<char, void (*)(void*)> absolute(::realpath(folder, nullptr),
                                                          std::free);
    return absolute ? absolute.get() : std::string();
}

// ---- what a guardian leaves that was killed ----

// A control group named in the lock of a guardian whose names begin with `prefix`.
bool is_group_of(const std::string& path, const std::string& prefix) {
    const auto slash = path.rfind('/');
    return path.starts_with("/sys/fs/cgroup/") && path.find("/../") == path.npos &&
           path.compare(slash + 1, prefix.size(), prefix) == 0;
}

// `name`: of the lock, "nimarena-PID-XXXXXX.lock".
void remove_places_of(const std::string& folder, const std::string& name, int lock) {
    const std::string stem = name.substr(0, name.size() - kLockEnd.size());
    const std::string of_process = stem.substr(0, stem.rfind('-') + 1);
    std::array<char, 65536> text;
    const ssize_t size = ::pread(lock, text.data(), text.size(), 0);
    const std::string_view groups(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    for (const std::string_view line : protocol::split_words(groups)) {
        if (is_group_of(std::string(line), of_process)) ::rmdir(std::string(line).c_str());
    }
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(folder.c_str()), ::closedir);
    while (const dirent* entry = listing ? ::readdir(listing.get()) : nullptr) {
        const std::string path = folder + "/" + entry->d_name;
        struct stat status {};
        if (!std::string_view(entry->d_name).starts_with(stem + "-")) continue;
        if (::lstat(path.c_str(), &status) != 0) continue;
        PlayerPlaces places;
        places.directory = path;
        if (status.st_uid != ::geteuid()) places.owner = UserId{{}, status.st_uid, status.st_gid};
        // Each with the rights of its owner, who cannot take those of another.
        const pid_t remover = ::fork();
        if (remover == 0) {
            clear_directory(places);
            ::_exit(0);
        }
        if (remover > 0) ::waitpid(remover, nullptr, 0);
    }
    ::unlink((folder + "/" + name).c_str());
}

// A lock that can be had is one whose owner is dead, and all that it started from; a file of
// this name that another user has made is left alone.
void remove_places_of_the_dead(const std::string& folder) {
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
            remove_places_of(folder, name, lock.get());
    }
}

// The lock of this guardian: FOLDER/nimarena-PID-XXXXXX.lock. Whoever finds it unlocked may
// remove what begins with its name, and the control groups that it lists.
struct OwnLock {
    protocol::UniqueFd file;
    std::string path;

    // What the names of directories begin with.
    std::string stem() const { return path.substr(0, path.size() - kLockEnd.size()); }
};

OwnLock& kept_lock() {
    static OwnLock lock;
    return lock;
}

// Made with the first place.
const OwnLock& own_lock() {
    OwnLock& lock = kept_lock();
    if (lock.file) return lock;
    const std::string folder = temporary_folder();
    if (folder.empty()) return lock;
    const pid_t sweeper = ::fork();  // as it changes its directory and its user
    if (sweeper == 0) {
        remove_places_of_the_dead(folder);
        ::_exit(0);
    }
    if (sweeper > 0) ::waitpid(sweeper, nullptr, 0);
    std::string path =
        folder + "/nimarena-" + std::to_string(::getpid()) + "-XXXXXX" + std::string(kLockEnd);
    lock.file.reset(::mkostemps(path.data(), static_cast<int>(kLockEnd.size()), O_CLOEXEC));
    if (!lock.file) return lock;
    lock.path = std::move(path);
    ::flock(lock.file.get(), LOCK_EX | LOCK_NB);
    return lock;
}

void note_group(const std::string& group) {
    const OwnLock& lock = own_lock();
    const std::string line = group + "\n";
    if (lock.file && ::lseek(lock.file.get(), 0, SEEK_END) < 65536 - 4096)
        static_cast<void>(::write(lock.file.get(), line.data(), line.size()));
}

// ---- places ----

// In TMPDIR; empty: there is none.
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

// A file of a cgroup; a question mark before its name: it may be absent.
bool write_setting(const std::string& group, std::string_view name, const std::string& value) {
    const bool optional = name.starts_with('?');
    if (optional) name.remove_prefix(1);
    const protocol::UniqueFd file(
        ::open((group + "/").append(name).c_str(), O_WRONLY | O_CLOEXEC));
    if (!file) return optional;
    return ::write(file.get(), value.data(), value.size()) == std::ssize(value);
}

bool make_group(const ControlGroup& wanted, const std::string& folder) {
    if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) return false;
    return std::ranges::all_of(wanted.settings, [&folder](const auto& setting) {
        return write_setting(folder, setting.first, setting.second);
    });
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
        places.groups.push_back(group.parent + "/nimarena-" + id);
        note_group(places.groups.back());
        if (!make_group(group, places.groups.back())) return "no cgroup";
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
    if (places.owner && ::seteuid(0) == 0 && ::rmdir(places.directory.c_str()) != 0)
        ::unlink(places.directory.c_str());
}

void forget_places() {
    if (kept_lock().file) ::unlink(kept_lock().path.c_str());
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

}  // namespace arena

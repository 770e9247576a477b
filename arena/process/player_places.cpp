#include "arena/process/player_places.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "arena/base/files.hpp"
#include "arena/process/process_table.hpp"
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

}  // namespace arena

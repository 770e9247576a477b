#include "arena/base/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string_view>

#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

bool enter(const std::string& name) {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    protocol::UniqueFd folder(::open(name.c_str(), kFlags));
    if (!folder && errno == EACCES) {  // not a link, or the error would differ
        ::chmod(name.c_str(), S_IRWXU);
        folder.reset(::open(name.c_str(), kFlags));
    }
    if (!folder) return false;
    ::fchmod(folder.get(), S_IRWXU);
    return ::fchdir(folder.get()) == 0;
}

// Removes entries of the working directory up to the first directory that is not empty, and
// returns its name. Counts the removed entries.
std::string clear_until_folder(std::size_t& removed) {
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir("."), ::closedir);
    if (!listing) return {};
    while (const dirent* entry = ::readdir(listing.get())) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        const bool is_gone = ::unlink(entry->d_name) == 0 || ::rmdir(entry->d_name) == 0;
        removed += is_gone;
        if (!is_gone && errno == ENOTEMPTY) return entry->d_name;
    }
    return {};
}

}  // namespace

bool remove_tree(const std::string& directory) {
    // A player may have put something else in the place of its directory.
    if (!enter(directory)) return ::unlink(directory.c_str()) == 0;
    // Walks down and up step by step, because depth is unbounded, unlike paths and the stack.
    std::size_t removed = 0;
    std::size_t removed_before = 0;
    for (std::size_t depth = 0;;) {
        const std::string folder = clear_until_folder(removed);
        if (!folder.empty()) {
            if (!enter(folder)) return false;
            ++depth;
        } else if (depth > 0) {
            // Without progress in a directory the loop would enter it for ever.
            if (removed == removed_before || ::chdir("..") != 0) return false;
            removed_before = removed;
            --depth;
        } else {
            return ::chdir("/") == 0 && ::rmdir(directory.c_str()) == 0;
        }
    }
}

}  // namespace arena

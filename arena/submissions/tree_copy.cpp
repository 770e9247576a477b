// Folders are opened one within the other, through no link, and so are files, because the owner
// of a folder may change it meanwhile.
#include "arena/submissions/tree_copy.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "arena/base/bad_input.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
using protocol::Result;
using protocol::UniqueFd;

std::string not_read(const fs::path& inner, int error) {
    if (error == EMFILE || error == ENFILE || error == ENOMEM)
        throw std::system_error(error, std::generic_category(), "cannot read a folder");
    return unreadable(inner, std::strerror(error));
}

// Walks a folder, and gives a writer what is in it.
class FolderCopy {
  public:
    explicit FolderCopy(TreeWriter& writer) : writer_(writer) {}

    // The folder `name` within the open folder `outer`, at `path` of the copy. Returns why it
    // is refused, or "".
    std::string copy(int outer, const char* name, const fs::path& path) {
        UniqueFd folder(::openat(outer, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        const std::unique_ptr<DIR, int (*)(DIR*)> listing(
            folder ? ::fdopendir(folder.get()) : nullptr, ::closedir);
        if (!listing) return not_read(path, errno);
        folder.release();
        auto refused = writer_.add({path, S_IFDIR}, nullptr);
        while (refused.empty()) {
            errno = 0;
            const dirent* entry = ::readdir(listing.get());
            if (entry == nullptr) return errno == 0 ? std::string() : not_read(path, errno);
            const std::string_view inner = entry->d_name;
            if (inner != "." && inner != "..")
                refused = copy_entry(::dirfd(listing.get()), entry->d_name, path / inner);
        }
        return refused;
    }

  private:
    std::string copy_entry(int folder, const char* name, const fs::path& path) {
        struct stat status {};
        if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            return not_read(path, errno);
        if (S_ISDIR(status.st_mode)) return copy(folder, name, path);
        if (S_ISREG(status.st_mode)) return copy_file(folder, name, path);
        TreeEntry entry{path, status.st_mode};
        if (S_ISLNK(status.st_mode)) {
            const auto size = ::readlinkat(folder, name, block_.data(), block_.size());
            if (size < 0) return not_read(path, errno);
            entry.target.assign(block_.data(), static_cast<std::size_t>(size));
        }
        return writer_.add(entry, nullptr);
    }

    // What has become a pipe since is not waited for.
    std::string copy_file(int folder, const char* name, const fs::path& path) {
        const UniqueFd file(
            ::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        struct stat status {};
        if (!file || ::fstat(file.get(), &status) != 0) return not_read(path, errno);
        if (!S_ISREG(status.st_mode)) return unreadable(path, "it has changed meanwhile");
        std::int64_t offset = 0;
        const NextBlock next = [&]() -> Result<std::optional<TreeBlock>> {
            const auto most = std::min<std::int64_t>(status.st_size - offset, block_.size());
            ssize_t size = 0;
            do {
                size =
                    ::pread(file.get(), block_.data(), static_cast<std::size_t>(most), offset);
            } while (size < 0 && errno == EINTR);
            if (size < 0) return bad_input("{}", std::strerror(errno));
            if (size == 0 && most > 0) return bad_input("it has become shorter meanwhile");
            if (size == 0) return std::optional<TreeBlock>();
            const std::string_view bytes(block_.data(), static_cast<std::size_t>(size));
            return std::optional(TreeBlock{bytes, std::exchange(offset, offset + size)});
        };
        return writer_.add({path, status.st_mode, (status.st_mode & 0111) != 0, status.st_size},
                           next);
    }

    TreeWriter& writer_;
    std::vector<char> block_ = std::vector<char>(65536);
};

}  // namespace

std::string too_large(const fs::path& folder, const TreeLimits& limits) {
    const std::size_t before = (folder / "").native().size();  // of paths, with its slash
    std::uint64_t bytes = 0;
    std::uint64_t entries = 1;  // the folder itself
    std::error_code failed;
    constexpr auto kSkip = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(folder, kSkip, failed), end;
         !failed && entry != end; entry.increment(failed)) {
        std::error_code unknown;
        const auto path = entry->path().native().size() - before;
        auto refused = excess(limits, ++entries, entry.depth() + 1, path);
        if (!refused.empty()) return refused;
        if (!entry->is_regular_file(unknown) || entry->is_symlink(unknown)) continue;
        const auto size = entry->file_size(unknown);
        if (!unknown) bytes += size;
        if (bytes > limits.bytes) return excess_of_bytes(limits);
    }
    return {};
}

std::string copy_tree(const fs::path& from, const fs::path& to, const TreeLimits& limits) {
    TreeWriter writer(to, limits);
    constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    UniqueFd folder(::open("/", kFlags));
    for (const fs::path& name : from.relative_path()) {
        if (folder) folder.reset(::openat(folder.get(), name.c_str(), kFlags));
    }
    if (!folder) return not_read({}, errno);
    return FolderCopy(writer).copy(folder.get(), ".", {});
}

}  // namespace arena

#include "arena/submissions/tree_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "arena/base/files.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
using protocol::UniqueFd;

// "a/b" of "./a//b"; empty for the folder itself. nullopt: it may lead elsewhere.
std::optional<fs::path> inner_path(const fs::path& given) {
    if (given.is_absolute()) return std::nullopt;
    fs::path inner;
    for (const fs::path& name : given) {
        if (name == "..") return std::nullopt;
        if (!name.empty() && name != ".") inner /= name;
    }
    return inner;
}

int depth_of(const fs::path& inner) {
    return static_cast<int>(std::distance(inner.begin(), inner.end()));
}

// Whether a link at `inner` leads to a place inside, whatever other links its target passes:
// `..` may only come first, and at most as often as the link lies deep.
bool stays_inside(const fs::path& inner, const fs::path& target) {
    if (target.empty() || target.is_absolute()) return false;
    int up = 0;
    bool has_begun = false;
    for (const fs::path& name : target) {
        if (name != "..") has_begun = has_begun || (!name.empty() && name != ".");
        if (name == ".." && (has_begun || ++up > depth_of(inner) - 1)) return false;
    }
    return true;
}

// What an entry is that is not copied.
std::string_view kind_of(const TreeEntry& entry) {
    if (entry.is_hard_link) return "a hard link";
    if (S_ISFIFO(entry.type)) return "a pipe";
    return S_ISSOCK(entry.type) ? "a socket" : "a device";
}

std::string shown(const fs::path& path) { return protocol::printable(path.string(), 200); }

// Whether a write failed for what was written, such as a file in place of a folder.
bool is_of_the_tree(int error) {
    constexpr std::array kOfTheDisk{ENOSPC, EDQUOT, EROFS,  EIO,    EACCES, EPERM,
                                    EMFILE, ENFILE, ENOMEM, ESTALE, EINTR};
    return std::ranges::find(kOfTheDisk, error) == kOfTheDisk.end();
}

// Opens the folder `name` within `outer`, and makes it first if it is not there.
UniqueFd open_folder(int outer, const char* name) {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    UniqueFd folder(::openat(outer, name, kFlags));
    if (folder || errno != ENOENT) return folder;
    if (::mkdirat(outer, name, S_IRWXU) != 0) return folder;
    folder.reset(::openat(outer, name, kFlags));
    if (folder && ::fchmod(folder.get(), 0755) != 0) folder.reset();
    return folder;
}

bool write_at(int file, const TreeBlock& block) {
    return ::lseek(file, block.offset, SEEK_SET) >= 0 && write_all(file, block.bytes) == 0;
}

}  // namespace

std::string excess(const TreeLimits& limits, std::uint64_t entries, int depth,
                   std::size_t path) {
    if (entries > limits.entries) return fmt::format("more than {} files", limits.entries);
    if (depth > limits.depth) return fmt::format("folders more than {} deep", limits.depth);
    if (path > limits.path) return fmt::format("paths of more than {} bytes", limits.path);
    return {};
}

std::string excess_of_bytes(const TreeLimits& limits) {
    constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;
    const bool is_whole = limits.bytes % kGibibyte == 0;
    return fmt::format("more than {} {}{}",
                       is_whole ? limits.bytes / kGibibyte : limits.bytes >> 20,
                       is_whole ? "GiB" : "MiB", limits.why_bytes);
}

std::string unreadable(const fs::path& inner, std::string_view why) {
    const std::string name = inner.empty() ? "." : inner.string();
    return fmt::format("what cannot be read: {}: {}", protocol::printable(name, 200), why);
}

std::string TreeWriter::add(const TreeEntry& entry, const NextBlock& next) {
    const auto inner = inner_path(entry.path);
    if (!inner) return fmt::format("a path that leads out of it: {}", shown(entry.path));
    auto refused = excess(limits_, ++entries_, depth_of(*inner), inner->native().size());
    if (!refused.empty()) return refused;
    const bool is_file = S_ISREG(entry.type) && !entry.is_hard_link;
    if (S_ISLNK(entry.type)) {
        if (!stays_inside(*inner, entry.target)) return {};
    } else if (!S_ISDIR(entry.type) && !is_file) {
        return fmt::format("{}: {}", kind_of(entry), shown(*inner));
    }
    const std::int64_t size = is_file ? entry.size : 0;
    if (size < 0 || static_cast<std::uint64_t>(size) > limits_.bytes - bytes_)
        return excess_of_bytes(limits_);
    bytes_ += static_cast<std::uint64_t>(size);
    return write(entry, *inner, next);
}

std::string TreeWriter::write(const TreeEntry& entry, const fs::path& inner,
                              const NextBlock& next) {
    const bool is_folder = S_ISDIR(entry.type);
    const UniqueFd folder = enter(is_folder ? inner : inner.parent_path());
    if (!folder) return fail(inner);
    if (is_folder) return {};
    // What came before under this name, and is no folder, is replaced.
    const std::string name = inner.filename();
    ::unlinkat(folder.get(), name.c_str(), 0);
    if (S_ISREG(entry.type)) return write_file(entry, inner, folder.get(), next);
    const int made = ::symlinkat(entry.target.c_str(), folder.get(), name.c_str());
    return made == 0 ? std::string() : fail(inner);
}

// Opens a folder of the copy, and makes those on the way that are not there.
UniqueFd TreeWriter::enter(const fs::path& inner) const {
    UniqueFd folder = open_folder(AT_FDCWD, to_.c_str());
    if (!folder) blame_disk(errno);
    for (const fs::path& name : inner) {
        if (folder) folder = open_folder(folder.get(), name.c_str());
    }
    return folder;
}

std::string TreeWriter::write_file(const TreeEntry& entry, const fs::path& inner, int folder,
                                   const NextBlock& next) {
    const UniqueFd file(::openat(folder, inner.filename().c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file || ::fchmod(file.get(), entry.runs ? 0755 : 0644) != 0 ||
        ::ftruncate(file.get(), entry.size) != 0)
        return fail(inner);
    while (entry.size > 0) {
        const auto read = next();
        if (!read) return unreadable(inner, read.error().text);
        if (!*read) break;
        const TreeBlock& block = **read;
        // The places of the parts of a sparse file are what the archive says.
        if (std::cmp_greater(block.bytes.size(), entry.size - block.offset))
            return unreadable(inner, "it is larger than it says");
        const bool is_hole = block.bytes.find_first_not_of('\0') == block.bytes.npos;
        if (!is_hole && !write_at(file.get(), block)) return fail(inner);
    }
    return {};
}

// Returns why the tree is refused; throws where the disk is at fault.
std::string TreeWriter::fail(const fs::path& inner) const {
    const int error = errno;
    if (!is_of_the_tree(error)) blame_disk(error);
    return fmt::format("what cannot be written: {}: {}", shown(inner), std::strerror(error));
}

void TreeWriter::blame_disk(int error) const {
    throw std::system_error(error, std::generic_category(),
                            "cannot write " + protocol::quoted(to_.string()));
}

}  // namespace arena

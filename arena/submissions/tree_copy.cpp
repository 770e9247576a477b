// What is in a folder or an archive comes as entries, and one writer judges them. It trusts no
// name: a path is taken apart. Folders are opened one within the other, through no link, and so
// are files, because the owner of a folder may change it meanwhile.
//
// libarchive would read and write folders, too, but it follows such links, moves the process to
// the folders that it reads, and changes its umask for a moment: of several copies at once one
// may leave it at 0 (CVE-2023-30571).
#include "arena/submissions/tree_copy.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
using protocol::Result;
using protocol::UniqueFd;

struct FreeArchive {
    void operator()(archive* one) const { ::archive_free(one); }
};
using Archive = std::unique_ptr<archive, FreeArchive>;

std::string size_words(std::uint64_t bytes) {
    constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;
    if (bytes % kGibibyte == 0) return fmt::format("{} GiB", bytes / kGibibyte);
    return fmt::format("{} MiB", bytes >> 20);
}

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

// What is to be copied, and where: a file, folder or link, or what is refused.
struct Entry {
    fs::path path;    // within the tree, not to be trusted
    mode_t type = 0;  // as in st_mode
    bool runs = false;
    std::int64_t size = 0;      // of a file
    std::string target{};       // of a link
    bool is_hard_link = false;  // of an archive
};

// A part of a file, and its place there. What is between parts are zeros.
struct Block {
    std::string_view bytes;
    std::int64_t offset = 0;
};
// The next part of a file's contents; nullopt: there is none. An error says why it cannot be
// read.
using NextBlock = std::function<Result<std::optional<Block>>()>;

// What an entry is that is not copied.
std::string_view kind_of(const Entry& entry) {
    if (entry.is_hard_link) return "a hard link";
    if (S_ISFIFO(entry.type)) return "a pipe";
    return S_ISSOCK(entry.type) ? "a socket" : "a device";
}

std::string unreadable(const fs::path& inner, std::string_view why) {
    const std::string name = inner.empty() ? "." : inner.string();
    return fmt::format("what cannot be read: {}: {}", protocol::printable(name, 200), why);
}

std::string not_read(const fs::path& inner, int error) {
    if (error == EMFILE || error == ENFILE || error == ENOMEM)
        throw std::system_error(error, std::generic_category(), "cannot read a folder");
    return unreadable(inner, std::strerror(error));
}

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

bool write_at(int file, Block block) {
    while (!block.bytes.empty()) {
        const auto written =
            ::pwrite(file, block.bytes.data(), block.bytes.size(), block.offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        block.bytes.remove_prefix(static_cast<std::size_t>(written));
        block.offset += written;
    }
    return true;
}

class TreeWriter {
  public:
    TreeWriter(const fs::path& to, const TreeLimits& limits) : to_(to), limits_(limits) {}

    // Returns why it is refused, or "".
    std::string add(const Entry& entry, const NextBlock& next) {
        const auto inner = inner_path(entry.path);
        if (!inner) return fmt::format("a path that leads out of it: {}", shown(entry.path));
        if (auto excess = count(*inner); !excess.empty()) return excess;
        const bool is_file = S_ISREG(entry.type) && !entry.is_hard_link;
        if (S_ISLNK(entry.type)) {
            if (!stays_inside(*inner, entry.target)) return {};
        } else if (!S_ISDIR(entry.type) && !is_file) {
            return fmt::format("{}: {}", kind_of(entry), shown(*inner));
        }
        const std::int64_t size = is_file ? entry.size : 0;
        if (size < 0 || static_cast<std::uint64_t>(size) > limits_.bytes - bytes_)
            return fmt::format("more than {}{}", size_words(limits_.bytes), limits_.why_bytes);
        bytes_ += static_cast<std::uint64_t>(size);
        return write(entry, *inner, next);
    }

  private:
    static std::string shown(const fs::path& path) {
        return protocol::printable(path.string(), 200);
    }

    std::string count(const fs::path& inner) {
        if (++entries_ > limits_.entries)
            return fmt::format("more than {} files", limits_.entries);
        if (depth_of(inner) > limits_.depth)
            return fmt::format("folders more than {} deep", limits_.depth);
        if (inner.native().size() > limits_.path)
            return fmt::format("paths of more than {} bytes", limits_.path);
        return {};
    }

    std::string write(const Entry& entry, const fs::path& inner, const NextBlock& next) {
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
    UniqueFd enter(const fs::path& inner) const {
        UniqueFd folder = open_folder(AT_FDCWD, to_.c_str());
        if (!folder) blame_disk(errno);
        for (const fs::path& name : inner) {
            if (folder) folder = open_folder(folder.get(), name.c_str());
        }
        return folder;
    }

    std::string write_file(const Entry& entry, const fs::path& inner, int folder,
                           const NextBlock& next) {
        const UniqueFd file(::openat(folder, inner.filename().c_str(),
                                     O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                     S_IRUSR | S_IWUSR));
        if (!file || ::fchmod(file.get(), entry.runs ? 0755 : 0644) != 0 ||
            ::ftruncate(file.get(), entry.size) != 0)
            return fail(inner);
        while (entry.size > 0) {
            const auto read = next();
            if (!read) return unreadable(inner, read.error().text);
            if (!*read) break;
            const Block& block = **read;
            // The places of the parts of a sparse file are what the archive says.
            if (std::cmp_greater(block.bytes.size(), entry.size - block.offset))
                return unreadable(inner, "it is larger than it says");
            const bool is_hole = block.bytes.find_first_not_of('\0') == block.bytes.npos;
            if (!is_hole && !write_at(file.get(), block)) return fail(inner);
        }
        return {};
    }

    // Returns why the tree is refused; throws where the disk is at fault.
    std::string fail(const fs::path& inner) const {
        const int error = errno;
        if (!is_of_the_tree(error)) blame_disk(error);
        return fmt::format("what cannot be written: {}: {}", shown(inner),
                           std::strerror(error));
    }

    [[noreturn]] void blame_disk(int error) const {
        throw std::system_error(error, std::generic_category(),
                                "cannot write " + protocol::quoted(to_.string()));
    }

    fs::path to_;
    TreeLimits limits_;
    std::uint64_t bytes_ = 0;
    std::uint64_t entries_ = 0;
};

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
        Entry entry{path, status.st_mode};
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
        const NextBlock next = [&]() -> Result<std::optional<Block>> {
            const auto most = std::min<std::int64_t>(status.st_size - offset, block_.size());
            ssize_t size = 0;
            do {
                size =
                    ::pread(file.get(), block_.data(), static_cast<std::size_t>(most), offset);
            } while (size < 0 && errno == EINTR);
            if (size < 0) return bad_input("{}", std::strerror(errno));
            if (size == 0 && most > 0) return bad_input("it has become shorter meanwhile");
            if (size == 0) return std::optional<Block>();
            const std::string_view bytes(block_.data(), static_cast<std::size_t>(size));
            return std::optional(Block{bytes, std::exchange(offset, offset + size)});
        };
        return writer_.add({path, status.st_mode, (status.st_mode & 0111) != 0, status.st_size},
                           next);
    }

    TreeWriter& writer_;
    std::vector<char> block_ = std::vector<char>(65536);
};

constexpr std::size_t kMostPadding = 1 << 20;  // bytes read past the end of an archive

// What archive_read_open() reads from.
struct Stream {
    int descriptor;
    Clock::time_point deadline;
    std::array<char, 65536> block{};

    static la_ssize_t read(archive* one, void* data, const void** block) {
        auto& self = *static_cast<Stream*>(data);
        *block = self.block.data();
        for (;;) {
            const auto left = std::chrono::ceil<Milliseconds>(self.deadline - Clock::now());
            pollfd watched{self.descriptor, POLLIN, 0};
            const int ready =
                left.count() <= 0
                    ? 0
                    : ::poll(&watched, 1,
                             static_cast<int>(std::min<std::int64_t>(left.count(), 3'600'000)));
            if (ready == 0) {
                ::archive_set_error(one, ETIMEDOUT, "it came too slowly");
                return -1;
            }
            const auto size =
                ready < 0 ? -1 : ::read(self.descriptor, self.block.data(), self.block.size());
            if (size >= 0) return size;
            if (errno != EINTR && errno != EAGAIN) {
                ::archive_set_error(one, errno, "read");
                return -1;
            }
        }
    }
};

// What archive_write_open() writes to. An archive that failed is cut off, never ended as if it
// were whole: archive_write_fail() would do that too, but leaks what it wrote with.
struct TarOutput {
    int descriptor;
    bool is_cut = false;  // what is still to be written goes nowhere

    static la_ssize_t write(archive* one, void* data, const void* block, std::size_t size) {
        const auto& self = *static_cast<const TarOutput*>(data);
        if (self.is_cut) return static_cast<la_ssize_t>(size);
        for (;;) {
            const auto written = ::write(self.descriptor, block, size);
            if (written >= 0) return written;
            if (errno == EINTR) continue;
            ::archive_set_error(one, errno, "write");
            return -1;
        }
    }
};

std::string words_of_error(archive* source) {
    const char* text = ::archive_error_string(source);
    return protocol::printable(text == nullptr ? "no archive" : text, 200);
}

Entry entry_of(archive_entry* entry) {
    const char* path = ::archive_entry_pathname(entry);
    const char* target = ::archive_entry_symlink(entry);
    return {path == nullptr ? "/" : path,
            ::archive_entry_filetype(entry),
            (::archive_entry_perm(entry) & 0111) != 0,
            ::archive_entry_size(entry),
            target == nullptr ? "" : target,
            ::archive_entry_hardlink(entry) != nullptr};
}

Result<std::optional<Block>> next_block(archive* source) {
    const void* data = nullptr;
    std::size_t count = 0;
    la_int64_t offset = 0;
    const int read = ::archive_read_data_block(source, &data, &count, &offset);
    if (read == ARCHIVE_EOF) return std::optional<Block>();
    if (read < ARCHIVE_WARN) return bad_input("{}", words_of_error(source));
    return std::optional(Block{{static_cast<const char*>(data), count}, offset});
}

// What an archive says of an entry, in words that tar has; null: its name cannot be read.
using PlainEntry = std::unique_ptr<archive_entry, decltype(&::archive_entry_free)>;
PlainEntry plain_entry(archive_entry* entry) {
    PlainEntry plain(nullptr, ::archive_entry_free);
    const char* path = ::archive_entry_pathname(entry);
    if (path == nullptr) return plain;
    plain.reset(::archive_entry_new());
    ::archive_entry_set_pathname(plain.get(), path);
    ::archive_entry_set_filetype(plain.get(), ::archive_entry_filetype(entry));
    const bool runs = (::archive_entry_perm(entry) & 0111) != 0;
    ::archive_entry_set_perm(plain.get(), runs ? 0755 : 0644);
    if (const char* target = ::archive_entry_symlink(entry))
        ::archive_entry_set_symlink(plain.get(), target);
    if (const char* target = ::archive_entry_hardlink(entry))
        ::archive_entry_set_hardlink(plain.get(), target);
    const bool has_data = ::archive_entry_filetype(entry) == AE_IFREG &&
                          ::archive_entry_hardlink(entry) == nullptr;
    ::archive_entry_set_size(plain.get(), has_data ? ::archive_entry_size(entry) : 0);
    return plain;
}

// The contents of one entry, which must be as long as its size says.
std::string write_contents(archive* source, archive* sink, std::vector<char>& block) {
    for (;;) {
        const auto read = ::archive_read_data(source, block.data(), block.size());
        if (read == 0) return {};
        if (read < 0) return words_of_error(source);
        const auto written =
            ::archive_write_data(sink, block.data(), static_cast<std::size_t>(read));
        if (written < 0) return words_of_error(sink);
        if (written != read) return "it is larger than it says";
    }
}

std::string write_entries(archive* source, archive* sink) {
    std::vector<char> block(65536);
    archive_entry* entry = nullptr;
    for (;;) {
        const int read = ::archive_read_next_header(source, &entry);
        if (read == ARCHIVE_EOF) return {};
        if (read < ARCHIVE_WARN) return words_of_error(source);
        const PlainEntry plain = plain_entry(entry);
        if (plain == nullptr) return "a file's name has no characters of its encoding";
        const std::string name =
            protocol::printable(::archive_entry_pathname(plain.get()), 200);
        if (::archive_entry_is_encrypted(entry) != 0) return name + ": it is encrypted";
        if (::archive_entry_size_is_set(entry) == 0 &&
            ::archive_entry_filetype(entry) == AE_IFREG)
            return name + ": its size is not known";
        if (::archive_write_header(sink, plain.get()) != ARCHIVE_OK)
            return name + ": " + words_of_error(sink);
        if (::archive_entry_size(plain.get()) == 0) continue;
        const std::string why = write_contents(source, sink, block);
        if (!why.empty()) return name + ": " + why;
    }
}

}  // namespace

std::string write_as_tar(const std::string& file, int descriptor) {
    const Archive source(::archive_read_new());
    ::archive_read_support_format_zip(source.get());
    ::archive_read_support_format_tar(source.get());
    ::archive_read_support_filter_gzip(source.get());
    ::archive_read_support_filter_bzip2(source.get());
    ::archive_read_support_filter_xz(source.get());
    if (::archive_read_open_filename(source.get(), file.c_str(), 65536) != ARCHIVE_OK)
        return words_of_error(source.get());
    const std::unique_ptr<archive, decltype(&::archive_write_free)> sink(::archive_write_new(),
                                                                         ::archive_write_free);
    ::archive_write_set_format_gnutar(sink.get());
    TarOutput output{descriptor};
    if (::archive_write_open(sink.get(), &output, nullptr, TarOutput::write, nullptr) !=
        ARCHIVE_OK)
        return words_of_error(sink.get());
    std::string why = write_entries(source.get(), sink.get());
    output.is_cut = !why.empty();
    if (::archive_write_close(sink.get()) != ARCHIVE_OK && why.empty())
        why = words_of_error(sink.get());
    return why;
}

std::string too_large(const fs::path& folder, const TreeLimits& limits) {
    std::uint64_t bytes = 0;
    std::uint64_t entries = 0;
    std::error_code failed;
    constexpr auto kSkip = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(folder, kSkip, failed), end;
         !failed && entry != end; entry.increment(failed)) {
        std::error_code unknown;
        if (++entries > limits.entries)
            return fmt::format("more than {} files", limits.entries);
        if (entry.depth() > limits.depth)
            return fmt::format("folders more than {} deep", limits.depth);
        if (entry->path().native().size() > folder.native().size() + limits.path)
            return fmt::format("paths of more than {} bytes", limits.path);
        if (!entry->is_regular_file(unknown) || entry->is_symlink(unknown)) continue;
        const auto size = entry->file_size(unknown);
        if (!unknown) bytes += size;
        if (bytes > limits.bytes) return "more than " + size_words(limits.bytes);
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

std::string unpack_tree(int descriptor, Clock::time_point deadline, const fs::path& to,
                        const TreeLimits& limits) {
    const auto stream = std::make_unique<Stream>(Stream{descriptor, deadline});
    const Archive source(::archive_read_new());
    ::archive_read_support_format_tar(source.get());
    ::archive_read_support_format_empty(source.get());
    if (::archive_read_open(source.get(), stream.get(), nullptr, Stream::read, nullptr) !=
        ARCHIVE_OK) {
        return "what is no archive: " + words_of_error(source.get());
    }
    TreeWriter writer(to, limits);
    const NextBlock next = [&] { return next_block(source.get()); };
    archive_entry* entry = nullptr;
    for (;;) {
        const int read = ::archive_read_next_header(source.get(), &entry);
        if (read == ARCHIVE_EOF) break;
        if (read < ARCHIVE_WARN) return "what is no archive: " + words_of_error(source.get());
        auto refused = writer.add(entry_of(entry), next);
        if (!refused.empty()) return refused;
    }
    // tar pads what it writes: it must not find the pipe closed before it has written that.
    const void* padding = nullptr;
    std::size_t read = 0;
    while (read < kMostPadding) {
        const auto size = Stream::read(source.get(), stream.get(), &padding);
        if (size <= 0) break;
        read += static_cast<std::size_t>(size);
    }
    return {};
}

}  // namespace arena

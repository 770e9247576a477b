// Both sources, a folder and an archive, are read as entries of libarchive, and one writer
// judges them. It trusts no name: a path is taken apart, and each folder on the way is opened
// within the one before, through no link.
//
// libarchive would write them, too, but changes the umask of the process for a moment, and
// several copies at once may leave it at 0 (CVE-2023-30571).
#include "arena/submissions/tree_copy.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
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

// What an entry is that is not copied.
std::string_view kind_of(archive_entry* entry) {
    if (::archive_entry_hardlink(entry) != nullptr) return "a hard link";
    switch (::archive_entry_filetype(entry)) {
        case AE_IFIFO:
            return "a pipe";
        case AE_IFSOCK:
            return "a socket";
        default:
            return "a device";
    }
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

bool write_at(int file, std::string_view data, la_int64_t offset) {
    while (!data.empty()) {
        const auto written = ::pwrite(file, data.data(), data.size(), offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        data.remove_prefix(static_cast<std::size_t>(written));
        offset += written;
    }
    return true;
}

class TreeWriter {
  public:
    TreeWriter(const fs::path& to, const TreeLimits& limits) : to_(to), limits_(limits) {}

    // Returns why it is refused, or "". The data are read from `source`.
    std::string add(archive* source, archive_entry* entry, const fs::path& given) {
        const auto inner = inner_path(given);
        if (!inner) return fmt::format("a path that leads out of it: {}", shown(given));
        if (auto excess = count(*inner); !excess.empty()) return excess;
        const auto type = ::archive_entry_filetype(entry);
        const bool is_file = type == AE_IFREG && ::archive_entry_hardlink(entry) == nullptr;
        if (type == AE_IFLNK) {
            const char* target = ::archive_entry_symlink(entry);
            if (target == nullptr || !stays_inside(*inner, target)) return {};
        } else if (type != AE_IFDIR && !is_file) {
            return fmt::format("{}: {}", kind_of(entry), shown(*inner));
        }
        const auto size = is_file ? ::archive_entry_size(entry) : 0;
        if (size < 0 || static_cast<std::uint64_t>(size) > limits_.bytes - bytes_)
            return fmt::format("more than {}{}", size_words(limits_.bytes), limits_.why_bytes);
        bytes_ += static_cast<std::uint64_t>(size);
        return write(source, entry, *inner);
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

    std::string write(archive* source, archive_entry* entry, const fs::path& inner) {
        const auto type = ::archive_entry_filetype(entry);
        const UniqueFd folder = enter(type == AE_IFDIR ? inner : inner.parent_path());
        if (!folder) return fail(inner);
        if (type == AE_IFDIR) return {};
        // What came before under this name, and is no folder, is replaced.
        const std::string name = inner.filename();
        ::unlinkat(folder.get(), name.c_str(), 0);
        if (type == AE_IFREG) return write_file(source, entry, inner, folder.get());
        const char* target = ::archive_entry_symlink(entry);
        return ::symlinkat(target, folder.get(), name.c_str()) == 0 ? "" : fail(inner);
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

    std::string write_file(archive* source, archive_entry* entry, const fs::path& inner,
                           int folder) {
        const UniqueFd file(::openat(folder, inner.filename().c_str(),
                                     O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                     S_IRUSR | S_IWUSR));
        const bool runs = (::archive_entry_perm(entry) & 0111) != 0;
        const auto size = ::archive_entry_size(entry);
        if (!file || ::fchmod(file.get(), runs ? 0755 : 0644) != 0 ||
            ::ftruncate(file.get(), size) != 0)
            return fail(inner);
        return size == 0 ? std::string() : write_data(source, inner, file.get(), size);
    }

    std::string write_data(archive* source, const fs::path& inner, int file, la_int64_t size) {
        const void* data = nullptr;
        std::size_t count = 0;
        la_int64_t offset = 0;
        for (;;) {
            const int read = ::archive_read_data_block(source, &data, &count, &offset);
            if (read == ARCHIVE_EOF) return {};
            if (read < ARCHIVE_WARN) {
                return fmt::format("what cannot be read: {}: {}", shown(inner),
                                   ::archive_error_string(source));
            }
            // The places of the parts of a sparse file are what the archive says.
            if (std::cmp_greater(count, size - offset)) {
                return fmt::format("what cannot be read: {}: it is larger than it says",
                                   shown(inner));
            }
            const std::string_view block(static_cast<const char*>(data), count);
            const bool is_hole = block.find_first_not_of('\0') == block.npos;
            if (!is_hole && !write_at(file, block, offset)) return fail(inner);
        }
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

// What an archive says of an entry, in words that tar has; null: its name cannot be read.
using Entry = std::unique_ptr<archive_entry, decltype(&::archive_entry_free)>;
Entry plain_entry(archive_entry* entry) {
    Entry plain(nullptr, ::archive_entry_free);
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
        const Entry plain = plain_entry(entry);
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
    const Archive source(::archive_read_disk_new());
    ::archive_read_disk_set_symlink_physical(source.get());
    // Nothing but what is in the files: for the rest libarchive changes the process's working
    // directory, in which other threads look for files.
    ::archive_read_disk_set_behavior(
        source.get(), ARCHIVE_READDISK_NO_XATTR | ARCHIVE_READDISK_NO_ACL |
                          ARCHIVE_READDISK_NO_FFLAGS | ARCHIVE_READDISK_NO_SPARSE);
    if (::archive_read_disk_open(source.get(), from.c_str()) != ARCHIVE_OK)
        return "what cannot be read: " + words_of_error(source.get());
    TreeWriter writer(to, limits);
    archive_entry* entry = nullptr;
    for (;;) {
        const int read = ::archive_read_next_header(source.get(), &entry);
        if (read == ARCHIVE_EOF) break;
        if (read < ARCHIVE_WARN) return "what cannot be read: " + words_of_error(source.get());
        const fs::path path = ::archive_entry_pathname(entry);
        auto refused = writer.add(source.get(), entry, path.lexically_relative(from));
        if (!refused.empty()) return refused;
        if (::archive_read_disk_can_descend(source.get()) != 0)
            ::archive_read_disk_descend(source.get());
    }
    return {};
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
    archive_entry* entry = nullptr;
    for (;;) {
        const int read = ::archive_read_next_header(source.get(), &entry);
        if (read == ARCHIVE_EOF) break;
        if (read < ARCHIVE_WARN) return "what is no archive: " + words_of_error(source.get());
        const char* path = ::archive_entry_pathname(entry);
        auto refused = writer.add(source.get(), entry, path == nullptr ? "/" : path);
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

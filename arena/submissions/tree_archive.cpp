// libarchive reads and writes archives here, and no more: it would read and write folders, too,
// but it follows links that somebody puts there meanwhile, moves the process to the folders
// that it reads, and changes its umask for a moment: of several copies at once one may leave it
// at 0 (CVE-2023-30571).
#include "arena/submissions/tree_archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <vector>

#include "arena/base/bad_input.hpp"
#include "arena/base/files.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
using protocol::Result;

struct FreeArchive {
    void operator()(archive* one) const { ::archive_free(one); }
};
using Archive = std::unique_ptr<archive, FreeArchive>;

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
        const int error =
            self.is_cut ? 0
                        : write_all(self.descriptor, {static_cast<const char*>(block), size});
        if (error == 0) return static_cast<la_ssize_t>(size);
        ::archive_set_error(one, error, "write");
        return -1;
    }
};

std::string words_of_error(archive* source) {
    const char* text = ::archive_error_string(source);
    return protocol::printable(text == nullptr ? "no archive" : text, 200);
}

TreeEntry entry_of(archive_entry* entry) {
    const char* path = ::archive_entry_pathname(entry);
    const char* target = ::archive_entry_symlink(entry);
    return {path == nullptr ? "/" : path,
            ::archive_entry_filetype(entry),
            (::archive_entry_perm(entry) & 0111) != 0,
            ::archive_entry_size(entry),
            target == nullptr ? "" : target,
            ::archive_entry_hardlink(entry) != nullptr};
}

Result<std::optional<TreeBlock>> next_block(archive* source) {
    const void* data = nullptr;
    std::size_t count = 0;
    la_int64_t offset = 0;
    const int read = ::archive_read_data_block(source, &data, &count, &offset);
    if (read == ARCHIVE_EOF) return std::optional<TreeBlock>();
    if (read < ARCHIVE_WARN) return bad_input("{}", words_of_error(source));
    return std::optional(TreeBlock{{static_cast<const char*>(data), count}, offset});
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

}  // namespace arena

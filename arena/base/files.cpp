#include "arena/base/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "arena/base/bad_input.hpp"
#include "protocol/text.hpp"

namespace arena {

namespace {

constexpr std::size_t kMaxFile = 256 * 1024 * 1024;
constexpr std::array<std::string_view, 6> kArchiveEndings{".zip",     ".tar.gz", ".tgz",
                                                          ".tar.bz2", ".tar.xz", ".tar"};

}  // namespace

bool is_shortage(int error) { return std::ranges::find(kShortages, error) != kShortages.end(); }

std::string_view archive_ending(std::string_view name) {
    const std::string lower = protocol::lower_case(name);
    for (const std::string_view ending : kArchiveEndings) {
        if (name.size() > ending.size() && lower.ends_with(ending))
            return name.substr(name.size() - ending.size());
    }
    return {};
}

bool is_sqlite(const std::string& path) {
    constexpr std::string_view kHead("SQLite format 3\0", 16);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    std::array<char, kHead.size()> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    return std::string_view(head.data(), head.size()) == kHead;
}

namespace {

// Whether two paths, however they are written, lead to one file. It need not exist.
bool is_same_file(const std::string& one, const std::string& other) {
    std::error_code error;
    if (std::filesystem::equivalent(one, other, error)) return true;
    const auto resolved = [&error](const std::string& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    };
    const auto path = resolved(one);
    return !error && path == resolved(other) && !error;
}

// Itself, and what SQLite and the lock keep next to it, by whichever name it is opened.
std::vector<WrittenFile> files_of(const WrittenFile& record) {
    if (record.path.empty()) return {};
    std::vector<WrittenFile> files{record};
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(record.path, error);
    for (const char* ending : {"-wal", "-shm", "-journal", "-lock"})
        files.push_back({record.option + " (its " + ending + ")", path.string() + ending});
    return files;
}

}  // namespace

protocol::Result<void> check_distinct(const WrittenFile& record,
                                      const std::vector<WrittenFile>& files) {
    const auto is_file = [](const std::string& path) {
        std::error_code error;
        return !path.empty() && path != "-" && !std::filesystem::is_other(path, error);
    };
    std::vector<WrittenFile> taken = files_of(record);
    for (const WrittenFile& file : files) {
        if (!is_file(file.path)) continue;
        for (const WrittenFile& other : taken) {
            if (!is_same_file(file.path, other.path)) continue;
            return bad_input("{} and {}: expected two different files, read {} for both",
                             other.option, file.option, protocol::quoted(file.path));
        }
        taken.push_back(file);
    }
    return {};
}

protocol::Result<std::string> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const auto refuse_file = [&] {
        return bad_input("cannot read {}: {}", protocol::quoted(path), std::strerror(errno));
    };
    if (!file) return refuse_file();
    std::string text;
    std::array<char, 64 * 1024> block;
    while (file.read(block.data(), block.size()) || file.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > kMaxFile) {
            return bad_input("{} is too long, expected {} MiB at most", protocol::quoted(path),
                             kMaxFile / (1024 * 1024));
        }
    }
    if (file.bad()) return refuse_file();
    return text;
}

std::string read_until_end(int descriptor, Clock::time_point deadline, std::size_t most) {
    constexpr std::int64_t kLongest = 3'600'000;  // ms of a wait
    std::string text;
    std::array<char, 4096> piece;
    while (text.size() <= most) {
        const auto left = std::chrono::ceil<Milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) break;
        pollfd watched{descriptor, POLLIN, 0};
        const int ready = ::poll(&watched, 1, static_cast<int>(std::min(left, kLongest)));
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        const auto size = ready < 0 ? -1 : ::read(descriptor, piece.data(), piece.size());
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break;
        text.append(piece.data(), static_cast<std::size_t>(size));
    }
    return text;
}

int write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno == EAGAIN) {
            // This descriptor was inherited non-blocking.
            pollfd wait{descriptor, POLLOUT, 0};
            ::poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

namespace {

// A name that others can guess may be a link that they have made: it is removed, and the file
// is a new one.
int create_part(const std::string& part) {
    ::unlink(part.c_str());
    return ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

std::string part_of(const std::string& path) { return path + ".part"; }

}  // namespace

int replace_file(const std::string& path, std::string_view text) {
    const std::string part = part_of(path);
    const int file = create_part(part);
    if (file < 0) return errno;
    int error = write_all(file, text);
    if (::close(file) != 0 && error == 0) error = errno;
    if (error == 0 && ::rename(part.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) ::unlink(part.c_str());
    return error;
}

int try_to_replace(const std::string& path) {
    const std::string part = part_of(path);
    const int file = create_part(part);
    if (file < 0) return errno;
    ::close(file);
    ::unlink(part.c_str());
    return 0;
}

}  // namespace arena

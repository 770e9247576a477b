#include "arena/store/record_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

// The same for all names of a record.
std::string lock_path(const std::string& record) {
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(record, error);
    return (error ? record : path.string()) + "-lock";
}

// Is the file that was locked still the one of that name?
bool is_current(int descriptor, const std::string& path) {
    struct stat locked {};
    struct stat named {};
    return ::fstat(descriptor, &locked) == 0 && ::stat(path.c_str(), &named) == 0 &&
           locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

Error cannot_lock(const std::string& record, int error) {
    if (error == ENOSPC || error == EDQUOT) {
        return {Fault::Disconnected,
                fmt::format("{}: the disk is full: free some space and run the same command "
                            "again; nothing recorded is lost",
                            protocol::quoted(record)),
                0};
    }
    return {Fault::BadInput,
            fmt::format("cannot write beside {}: {}; a record needs a folder that may be "
                        "written to",
                        protocol::quoted(record), std::strerror(error)),
            0};
}

Error held(const std::string& record, int descriptor) {
    std::array<char, 32> text{};
    const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
    const std::string_view pid(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return {Fault::BadInput,
            fmt::format("process {} plays into {} already: wait for its end, or choose another "
                        "record",
                        pid.empty() ? "?" : pid, protocol::quoted(record)),
            0};
}

}  // namespace

Result<RecordLock> RecordLock::take(const std::string& record) {
    const std::string path = lock_path(record);
    for (;;) {
        const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (descriptor < 0) return cannot_lock(record, errno);
        RecordLock lock(descriptor, {});
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) return held(record, descriptor);
            return cannot_lock(record, errno);
        }
        // Its owner may have removed it in between: then the lock is on a file without a name.
        if (!is_current(descriptor, path)) continue;
        const std::string pid = std::to_string(::getpid());
        if (::ftruncate(descriptor, 0) != 0 ||
            ::pwrite(descriptor, pid.data(), pid.size(), 0) < 0) {
            return cannot_lock(record, errno);
        }
        lock.path_ = path;
        return lock;
    }
}

RecordLock::RecordLock(RecordLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

RecordLock::~RecordLock() {
    if (descriptor_ < 0) return;
    if (!path_.empty()) ::unlink(path_.c_str());  // while it is locked
    ::close(descriptor_);
}

}  // namespace arena

#include "arena/base/files.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "arena/base/bad_input.hpp"
#include "protocol/text.hpp"

namespace arena {

namespace {

constexpr std::size_t kMaxFile = 256 * 1024 * 1024;

}  // namespace

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

}  // namespace arena

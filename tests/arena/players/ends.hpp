// Pipes and sockets within a test, closed with their owners.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>

#include "protocol/unique_fd.hpp"

namespace arena {

using Ends = std::array<protocol::UniqueFd, 2>;

// To read from, and to write to.
inline Ends pipe_ends() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    return {protocol::UniqueFd(ends[0]), protocol::UniqueFd(ends[1])};
}

inline Ends socket_ends(int flags = 0) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0, ends.data()), 0);
    return {protocol::UniqueFd(ends[0]), protocol::UniqueFd(ends[1])};
}

}  // namespace arena

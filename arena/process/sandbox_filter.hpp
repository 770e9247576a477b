// The filter of system calls in the sandbox.
#pragma once

#include <string>

#include "protocol/result.hpp"

namespace arena {

// A seccomp filter as the kernel takes it: an array of sock_filter. Refuses what programs that
// play do not need: sockets but AF_UNIX, other programs' memory, keys, io_uring, namespaces,
// mounts, BPF, the kernel's own administration. Without `shares_memory` also whatever gives
// memory that no limit of a process counts: what is shared, or grows like a stack.
protocol::Result<std::string> sandbox_filter(bool shares_memory);

}  // namespace arena

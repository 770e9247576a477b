// The filter of system calls in the sandbox.
#pragma once

#include <string>

#include "protocol/result.hpp"

namespace arena {

// A seccomp filter for the kernel: an array of sock_filter. Refuses what players do not need:
// sockets except AF_UNIX, other programs' memory, keys, io_uring, namespaces, mounts, BPF, the
// kernel's own administration. Without `shares_memory` also refuses memory that no limit of a
// process counts: shared memory, and mappings that grow like a stack.
protocol::Result<std::string> sandbox_filter(bool shares_memory);

}  // namespace arena

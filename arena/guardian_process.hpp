// The guardian process itself: one thread, one loop over events, no polling.
#pragma once

#include "protocol/unique_fd.hpp"

namespace arena {

// Serves requests (guardian_wire.hpp) until the arena is gone, then kills every descendant that
// is left, and exits. Runs in a process of its own, forked from the arena.
[[noreturn]] void run_guardian(protocol::UniqueFd requests);

}  // namespace arena

// A store that is gone with its process: what the others are measured by, and what simulations
// and games without a record play into.
#pragma once

#include <memory>

#include "arena/store/leases.hpp"
#include "arena/store/store.hpp"

namespace arena {

std::unique_ptr<Store> make_memory_store(Now now = Clock::now);

}  // namespace arena

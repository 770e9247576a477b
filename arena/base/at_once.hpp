// Several coroutines at once on one thread.
#pragma once

#include <cstddef>
#include <functional>

#include "arena/base/io.hpp"

namespace arena {

// Runs `work(item, slot)` for each item below `count`, in their order, one at a time in each of
// `slots` slots. Rethrows the first exception once all slots have ended; after one, no further
// item is begun. `work` outlives the wait: give it a name.
Awaitable<void> run_at_once(
    boost::asio::io_context& io, std::size_t count, std::size_t slots,
    const std::function<Awaitable<void>(std::size_t item, std::size_t slot)>& work);

}  // namespace arena

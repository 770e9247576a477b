// Several coroutines at once on one thread.
#pragma once

#include <cstddef>
#include <functional>

#include "arena/base/io.hpp"

namespace arena {

// Runs `work(item, lane)` for each item below `count`, in their order, one at a time in each of
// `lanes` lanes. Rethrows the first exception once all lanes have ended; after one, no further
// item is begun. `work` outlives the wait: give it a name.
Awaitable<void> run_at_once(
    boost::asio::io_context& io, std::size_t count, std::size_t lanes,
    const std::function<Awaitable<void>(std::size_t item, std::size_t lane)>& work);

}  // namespace arena

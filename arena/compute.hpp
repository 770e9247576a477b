// Work that may take long, done on the compute threads while the I/O thread goes on.
#pragma once

#include <functional>

#include "arena/io.hpp"

namespace arena {

// Runs `work` on the pool and comes back to the coroutine's own thread. An exception of `work`
// comes out here. `work` must outlive the wait: give it a name. Join the pool before the
// io_context goes.
Awaitable<void> compute(boost::asio::thread_pool& pool, const std::function<void()>& work);

}  // namespace arena

// Runs long computations on the compute threads, so that the I/O thread is not blocked.
#pragma once

#include <functional>

#include "arena/base/io.hpp"

namespace arena {

// Runs `work` on the pool and resumes on the coroutine's own thread. Rethrows an exception of
// `work`. `work` must outlive the wait: give it a name. Join the pool before destroying the
// io_context.
Awaitable<void> compute(boost::asio::thread_pool& pool, const std::function<void()>& work);

}  // namespace arena

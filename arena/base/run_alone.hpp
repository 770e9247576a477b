// Runs one conversation with players on the calling thread, for commands other than a match.
#pragma once

#include <functional>

#include "arena/base/deadlines.hpp"
#include "arena/base/io.hpp"

namespace arena {

// What coroutines run on, with its timers and its threads for long work.
struct EventLoop {
    boost::asio::io_context& io;
    Deadlines& deadlines;
    boost::asio::thread_pool& compute;
};

// Runs `work` until it ends (returns 0) or an interrupting signal comes (returns that signal).
// Whatever a signal interrupts is destroyed before this returns. Throws what `work` throws.
// `work` outlives its coroutine: a lambda may capture.
int run_alone(const std::function<Awaitable<void>(const EventLoop&)>& work);

}  // namespace arena

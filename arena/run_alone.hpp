// One conversation with players, on the thread that calls: for commands that are no match.
#pragma once

#include <functional>

#include "arena/deadlines.hpp"
#include "arena/io.hpp"

namespace arena {

// What lives as long as the conversation.
struct AloneContext {
    boost::asio::io_context& io;
    Deadlines& deadlines;
    boost::asio::thread_pool& compute;
};

// Runs `work` to its end, or to a signal that asks for one, which is given; else 0. What is
// dropped then goes before this returns. Throws what `work` throws. `work` outlives its
// coroutine: a lambda may capture.
int run_alone(const std::function<Awaitable<void>(const AloneContext&)>& work);

}  // namespace arena

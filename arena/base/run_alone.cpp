#include "arena/base/run_alone.hpp"

#include <exception>
#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>

#include "arena/base/interrupts.hpp"

namespace arena {

namespace asio = boost::asio;

int run_alone(const std::function<Awaitable<void>(const EventLoop&)>& work) {
    auto io = std::make_unique<asio::io_context>(1);
    Deadlines deadlines(*io);
    asio::thread_pool compute(1);
    const EventLoop context{*io, deadlines, compute};

    int interrupted = 0;
    auto signals = std::make_unique<asio::signal_set>(*io);
    for (const int signal : interrupting_signals()) signals->add(signal);
    signals->async_wait([&](const boost::system::error_code& failed, int signal) {
        if (failed) return;
        interrupted = signal;
        io->stop();
    });

    std::exception_ptr error;
    const auto done = [&](const std::exception_ptr& thrown) {
        error = thrown;
        io->stop();
    };
    asio::co_spawn(*io, work(context), done);
    try {
        io->run();
    } catch (...) {
        error = std::current_exception();
    }
    compute.join();  // its last computations post to the io_context
    // A coroutine dropped in the middle is destroyed with the io_context, after its
    // computations. It uses the deadlines until then, but their timer must be destroyed before.
    signals.reset();
    deadlines.close();
    io.reset();
    if (error) std::rethrow_exception(error);
    return interrupted;
}

}  // namespace arena

#include "arena/base/at_once.hpp"

#include <exception>
#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace arena {
namespace {

namespace asio = boost::asio;
using Work = std::function<Awaitable<void>(std::size_t, std::size_t)>;

// Shared by the slots, any of which may end last.
struct WorkerSlots {
    explicit WorkerSlots(asio::io_context& io)
        : all_ended(io, asio::steady_timer::time_point::max()) {}

    std::size_t next = 0;
    std::size_t running = 0;
    std::exception_ptr error;
    asio::steady_timer all_ended;  // never expires; cancelled at the end
};

Awaitable<void> run_slot(std::shared_ptr<WorkerSlots> slots, std::size_t count,
                         std::size_t slot, const Work& work) {
    while (slots->next < count && !slots->error) co_await work(slots->next++, slot);
}

}  // namespace

Awaitable<void> run_at_once(asio::io_context& io, std::size_t count, std::size_t slots,
                            const Work& work) {
    const auto all = std::make_shared<WorkerSlots>(io);
    for (std::size_t slot = 0; slot < slots; ++slot) {
        ++all->running;
        const auto ended = [all](const std::exception_ptr& error) {
            if (error && !all->error) all->error = error;
            if (--all->running == 0) all->all_ended.cancel();
        };
        asio::co_spawn(io, run_slot(all, count, slot, work), ended);
    }
    boost::system::error_code ignored;
    if (all->running > 0) {
        co_await all->all_ended.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    if (all->error) std::rethrow_exception(all->error);
}

}  // namespace arena

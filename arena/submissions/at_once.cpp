#include "arena/submissions/at_once.hpp"

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

// Shared by the lanes, any of which may end last.
struct Lanes {
    explicit Lanes(asio::io_context& io)
        : all_ended(io, asio::steady_timer::time_point::max()) {}

    std::size_t next = 0;
    std::size_t running = 0;
    std::exception_ptr error;
    asio::steady_timer all_ended;  // never expires; cancelled at the end
};

Awaitable<void> run_lane(std::shared_ptr<Lanes> lanes, std::size_t count, std::size_t lane,
                         const Work& work) {
    while (lanes->next < count && !lanes->error) co_await work(lanes->next++, lane);
}

}  // namespace

Awaitable<void> run_at_once(asio::io_context& io, std::size_t count, std::size_t lanes,
                            const Work& work) {
    const auto all = std::make_shared<Lanes>(io);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        ++all->running;
        const auto ended = [all](const std::exception_ptr& error) {
            if (error && !all->error) all->error = error;
            if (--all->running == 0) all->all_ended.cancel();
        };
        asio::co_spawn(io, run_lane(all, count, lane, work), ended);
    }
    boost::system::error_code ignored;
    if (all->running > 0) {
        co_await all->all_ended.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    if (all->error) std::rethrow_exception(all->error);
}

}  // namespace arena

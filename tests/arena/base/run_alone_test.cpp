#include "arena/base/run_alone.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace arena::run_alone_test {

namespace asio = boost::asio;

// A coroutine that is dropped uses the deadlines until then: memory checkers watch this.
TEST(RunAlone, EndsInOrderWhereAHandlerThrows) {
    auto alive = std::make_shared<bool>(true);
    const std::weak_ptr<bool> coroutine = alive;
    const auto run = [&] {
        run_alone([&](const EventLoop& loop) -> Awaitable<void> {
            const auto owned = std::move(alive);
            const CancelAt limit(loop.deadlines, Clock::time_point::max(), [] {});
            asio::post(loop.io, [] { throw std::runtime_error("a handler's fault"); });
            asio::steady_timer never(loop.io, SteadyClock::time_point::max());
            co_await never.async_wait(asio::use_awaitable);
        });
    };
    EXPECT_THAT(run, testing::ThrowsMessage<std::runtime_error>("a handler's fault"));
    EXPECT_TRUE(coroutine.expired());
}

}  // namespace arena::run_alone_test

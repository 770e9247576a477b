#include "arena/base/run_alone.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace arena::run_alone_test {

namespace asio = boost::asio;

// Notes whether the deadlines that it uses are still there when it is destroyed.
struct Patient : Waiter {
    Patient(Deadlines& given, bool& done) : deadlines(given), is_dismissed(done) {
        deadlines.enroll(*this);
    }
    ~Patient() override {
        deadlines.dismiss(*this);
        is_dismissed = true;
    }
    void expire() override {}

    Deadlines& deadlines;
    bool& is_dismissed;
};

TEST(RunAlone, EndsInOrderWhereAHandlerThrows) {
    bool is_dismissed = false;
    const auto run = [&] {
        run_alone([&](const EventLoop& loop) -> Awaitable<void> {
            const Patient patient(loop.deadlines, is_dismissed);
            asio::post(loop.io, [] { throw std::runtime_error("a handler's fault"); });
            asio::steady_timer never(loop.io, SteadyClock::time_point::max());
            co_await never.async_wait(asio::use_awaitable);
        });
    };
    EXPECT_THAT(run, testing::ThrowsMessage<std::runtime_error>("a handler's fault"));
    EXPECT_TRUE(is_dismissed);
}

}  // namespace arena::run_alone_test

#include "arena/base/compute.hpp"

#include <latch>

#include <boost/asio/thread_pool.hpp>

#include "tests/arena/loop.hpp"

namespace arena::compute_test {

using boost::asio::thread_pool;

TEST(Compute, WorksElsewhereAndComesBack) {
    Loop loop;
    thread_pool pool(1);
    std::thread::id there;
    std::thread::id here;
    const std::function<void()> work = [&] { there = std::this_thread::get_id(); };
    const auto coroutine = [&]() -> Awaitable<void> {
        co_await compute(pool, work);
        here = std::this_thread::get_id();
    };
    loop.finish(coroutine());
    EXPECT_EQ(here, std::this_thread::get_id());
    EXPECT_NE(there, here);
    EXPECT_NE(there, std::thread::id());
}

TEST(Compute, LetsExceptionsThrough) {
    Loop loop;
    thread_pool pool(1);
    const std::function<void()> work = [] { throw std::runtime_error("cannot compute"); };
    EXPECT_THAT([&] { loop.finish(compute(pool, work)); },
                testing::ThrowsMessage<std::runtime_error>("cannot compute"));
}

TEST(Compute, LeavesItsThreadToOthersMeanwhile) {
    Loop loop;
    thread_pool pool(2);
    std::latch both(2);  // each waits for the other, so they must run concurrently
    const std::function<void()> work = [&] { both.arrive_and_wait(); };
    const auto coroutine = [&]() -> Awaitable<int> {
        co_await compute(pool, work);
        co_return 1;
    };
    auto first = loop.start(coroutine());
    auto second = loop.start(coroutine());
    EXPECT_EQ(loop.finish(first) + loop.finish(second), 2);
}

}  // namespace arena::compute_test

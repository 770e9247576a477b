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
    try {
        loop.finish(compute(pool, work));
        FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "cannot compute");
    }
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

TEST(Compute, QueuesWorkForBusyThreads) {
    Loop loop;
    thread_pool pool(1);
    int sum = 0;  // one thread, so one at a time
    const std::function<void()> work = [&] { ++sum; };
    const auto coroutine = [&]() -> Awaitable<bool> {
        co_await compute(pool, work);
        co_return true;
    };
    std::vector<std::shared_ptr<std::optional<bool>>> started;
    for (int i = 0; i < 100; ++i) started.push_back(loop.start(coroutine()));
    for (const auto& one : started) EXPECT_TRUE(loop.finish(one));
    EXPECT_EQ(sum, 100);
}

}  // namespace arena::compute_test

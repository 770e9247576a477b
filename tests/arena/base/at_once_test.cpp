#include "arena/base/at_once.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "tests/arena/loop.hpp"

namespace arena::at_once_test {

namespace asio = boost::asio;
using Work = std::function<Awaitable<void>(std::size_t, std::size_t)>;

// Runs it to its end; gives what it throws.
std::string run(std::size_t count, std::size_t lanes, const Work& work) {
    Loop loop;
    try {
        loop.finish(run_at_once(loop.io(), count, lanes, work));
    } catch (const std::exception& exception) {
        return exception.what();
    }
    return {};
}

TEST(AtOnce, RunsEachItemInALaneOfItsOwn) {
    std::vector<std::size_t> order;
    std::vector<int> busy(3);
    int most = 0;
    const Work work = [&](std::size_t item, std::size_t lane) -> Awaitable<void> {
        order.push_back(item);
        EXPECT_EQ(++busy[lane], 1);
        most = std::max(most, busy[0] + busy[1] + busy[2]);
        const auto executor = co_await asio::this_coro::executor;
        co_await asio::post(executor, asio::use_awaitable);
        --busy[lane];
    };
    EXPECT_EQ(run(7, 3, work), "");
    EXPECT_THAT(order, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6));
    EXPECT_EQ(most, 3);
    EXPECT_EQ(run(0, 3, work), "");
}

TEST(AtOnce, EndsWithTheFirstException) {
    std::size_t begun = 0;
    const Work work = [&](std::size_t item, std::size_t) -> Awaitable<void> {
        ++begun;
        const auto executor = co_await asio::this_coro::executor;
        co_await asio::post(executor, asio::use_awaitable);
        if (item == 2) throw std::runtime_error("item 2");
    };
    EXPECT_EQ(run(100, 2, work), "item 2");
    EXPECT_LE(begun, 4u);
}

}  // namespace arena::at_once_test

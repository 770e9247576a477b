// The work guard keeps the coroutine's io_context running while it waits for the pool.
#include "arena/base/compute.hpp"

#include <exception>
#include <utility>

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace arena {

namespace asio = boost::asio;

Awaitable<void> compute(asio::thread_pool& pool, const std::function<void()>& work) {
    std::exception_ptr error;
    auto hand_over = [&pool, &work, &error](auto handler) {
        auto guard = asio::make_work_guard(asio::get_associated_executor(handler));
        asio::post(pool, [&work, &error, handler = std::move(handler),
                          guard = std::move(guard)]() mutable {
            try {
                work();
            } catch (...) {
                error = std::current_exception();
            }
            asio::post(guard.get_executor(), std::move(handler));
        });
    };
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(hand_over,
                                                                         asio::use_awaitable);
    if (error) std::rethrow_exception(error);
}

}  // namespace arena

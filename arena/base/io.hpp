// The names of Asio that our headers need, without its headers: those are slow to compile and
// belong in a few .cpp files.
#pragma once

namespace boost::asio {
class any_io_executor;
class io_context;
class thread_pool;
template <typename T, typename Executor>
class awaitable;
namespace posix {
template <typename Executor>
class basic_stream_descriptor;
using stream_descriptor = basic_stream_descriptor<any_io_executor>;
}  // namespace posix
}  // namespace boost::asio

namespace arena {

// A coroutine's promise of a T.
template <typename T>
using Awaitable = boost::asio::awaitable<T, boost::asio::any_io_executor>;

}  // namespace arena

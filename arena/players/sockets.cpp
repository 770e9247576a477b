#include "arena/players/sockets.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "arena/base/files.hpp"
#include "protocol/sockets.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using protocol::Error;
using protocol::Fault;
using protocol::Result;
using tcp = asio::ip::tcp;

constexpr int kMostInARow = 16;            // accepted before other coroutines have their turn
constexpr Milliseconds kRetryAccept{100};  // if no file descriptor is left

PeerAddress peer_address(const tcp::endpoint& peer) {
    const auto address = peer.address();
    if (address.is_v4())
        return {fmt::format("{}:{}", address.to_string(), peer.port()), address.to_string()};
    auto bytes = address.to_v6().to_bytes();
    const asio::ip::address_v6 full(bytes);  // without the interface
    const std::string shown = fmt::format("[{}]:{}", full.to_string(), peer.port());
    if (full.is_v4_mapped() || full.is_loopback()) return {shown, full.to_string()};
    std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
    return {shown, asio::ip::address_v6(bytes).to_string()};
}

// Whether a peer has ended its connection without a word. For nonblocking sockets.
bool has_hung_up(int socket) {
    char first = 0;
    const auto size = ::recv(socket, &first, 1, MSG_PEEK);
    return size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR);
}

// Accepting goes on even if there is no memory for the words.
void tell(const std::function<void(const std::string&)>& on_trouble, const auto& words) {
    try {
        on_trouble(words());
    } catch (const std::exception&) {
    }
}

// The addresses of a name. The system's look-up cannot be interrupted, so it shares the
// ownership of this with dial(), which may give up before.
struct Lookup {
    explicit Lookup(asio::io_context& context)
        : resolver(context), ended(context, SteadyClock::time_point::max()) {}

    tcp::resolver resolver;
    tcp::resolver::results_type found;
    error_code failed;
    asio::steady_timer ended;  // cancelled then
};

std::shared_ptr<Lookup> look_up(asio::io_context& context, const protocol::Endpoint& endpoint) {
    const auto lookup = std::make_shared<Lookup>(context);
    lookup->resolver.async_resolve(
        endpoint.host, std::to_string(endpoint.port),
        [lookup](const error_code& failed, tcp::resolver::results_type found) {
            lookup->failed = failed;
            lookup->found = std::move(found);
            lookup->ended.cancel();
        });
    return lookup;
}

}  // namespace

Awaitable<Result<protocol::UniqueFd>> dial(EventLoop loop, const protocol::Endpoint& endpoint,
                                           Clock::time_point deadline) {
    tcp::socket socket(loop.io);
    const auto lookup = look_up(loop.io, endpoint);
    const CancelAt limit(loop.deadlines, deadline, [&] {
        error_code ignored;
        lookup->ended.cancel();
        socket.close(ignored);
    });
    const std::string where = protocol::to_string(endpoint);
    error_code woken;
    co_await lookup->ended.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    error_code failed = lookup->failed;
    if (!failed && !limit.fired()) {
        co_await asio::async_connect(socket, lookup->found,
                                     asio::redirect_error(asio::use_awaitable, failed));
    }
    if (limit.fired()) {
        co_return Error{Fault::TimedOut, "cannot connect to " + where + " in time", 0};
    }
    if (failed) {
        const bool is_ours = failed.category() == boost::system::system_category() &&
                             is_shortage(failed.value());
        co_return Error{is_ours ? Fault::Failed : Fault::Disconnected,
                        "cannot connect to " + where + ": " + failed.message(), 0};
    }
    protocol::set_socket_options(socket.native_handle());
    // Released from Asio's socket, so that sockets and pipes are read the same way.
    protocol::UniqueFd plain(socket.release(failed));
    if (failed) co_return Error{Fault::Disconnected, failed.message(), 0};
    co_return plain;
}

Awaitable<bool> wait_readable(asio::posix::stream_descriptor& socket, Deadlines& deadlines,
                              Clock::time_point deadline) {
    if (Clock::now() >= deadline) co_return false;
    const CancelAt limit(deadlines, deadline, [&socket] {
        error_code ignored;
        socket.cancel(ignored);
    });
    error_code failed;
    co_await socket.async_wait(asio::posix::stream_descriptor::wait_read,
                               asio::redirect_error(asio::use_awaitable, failed));
    co_return !failed;
}

void drop_unread(int socket) {
    std::array<char, 4096> unread;
    for (int i = 0; i < 64; ++i) {
        if (::read(socket, unread.data(), unread.size()) <= 0) return;
    }
}

void refuse(int socket, std::string_view line) {
    static_cast<void>(::write(socket, line.data(), line.size()));
    ::shutdown(socket, SHUT_WR);
    drop_unread(socket);
}

bool is_loopback(int socket) {
    tcp::endpoint own;
    auto size = static_cast<socklen_t>(own.capacity());
    return ::getsockname(socket, own.data(), &size) == 0 && own.address().is_loopback();
}

Awaitable<void> accept_connections(
    asio::posix::stream_descriptor& door,
    std::function<void(protocol::UniqueFd, PeerAddress)> on_socket,
    std::function<void(const std::string&)> on_trouble) {
    int in_a_row = 0;
    while (door.is_open()) {
        tcp::endpoint from;
        auto size = static_cast<socklen_t>(from.capacity());
        protocol::UniqueFd socket(
            ::accept4(door.native_handle(), from.data(), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
        const int error = errno;
        error_code ended;
        if (socket) {
            protocol::set_socket_options(socket.get());
            try {
                on_socket(std::move(socket), peer_address(from));
            } catch (const std::exception& failed) {
                tell(on_trouble,
                     [&] { return std::string("a connection was dropped: ") + failed.what(); });
            }
            if (++in_a_row % kMostInARow == 0)
                co_await asio::post(door.get_executor(), asio::use_awaitable);
        } else if (error == EAGAIN) {
            co_await door.async_wait(asio::posix::stream_descriptor::wait_read,
                                     asio::redirect_error(asio::use_awaitable, ended));
        } else if (error != EINTR && error != ECONNABORTED) {  // no file descriptor or memory
            tell(on_trouble, [&] {
                return "nobody can be let in for now: " +
                       std::generic_category().message(error);
            });
            asio::steady_timer pause(door.get_executor(), kRetryAccept);
            co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, ended));
        }
    }
}

std::size_t raise_file_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

Result<std::unique_ptr<Listener>> Listener::open(const protocol::Endpoint& endpoint,
                                                 bool insecure) {
    auto listening = protocol::listen_socket(endpoint);
    if (!listening) return listening.error();
    if (!insecure && !is_loopback(listening->socket.get())) {
        return Error{Fault::BadInput,
                     fmt::format("listen://{} is open to the network, and whoever dials in "
                                 "there first plays; expected an address such as 127.0.0.1, "
                                 "or nim-arena serve, which asks for tokens, or --insecure",
                                 to_string(endpoint)),
                     0};
    }
    ::fcntl(listening->socket.get(), F_SETFL, O_NONBLOCK);
    return std::unique_ptr<Listener>(
        new Listener(std::move(listening->socket), to_string(listening->endpoint)));
}

Awaitable<Result<protocol::UniqueFd>> Listener::accept(EventLoop loop,
                                                       Clock::time_point deadline) const {
    asio::posix::stream_descriptor ready(loop.io, ::dup(socket_.get()));
    for (;;) {
        protocol::UniqueFd bot(
            ::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (bot) {
            if (has_hung_up(bot.get())) continue;  // it may have dialled in again since
            protocol::set_socket_options(bot.get());
            co_return bot;
        }
        if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR) {
            co_return Error{
                Fault::Failed,
                "cannot accept on " + address_ + ": " + std::generic_category().message(errno),
                0};
        }
        const bool is_ready = co_await wait_readable(ready, loop.deadlines, deadline);
        if (!is_ready && Clock::now() < deadline)
            co_return Error{Fault::Disconnected, "cannot wait for bots on " + address_, 0};
        if (!is_ready) {
            co_return Error{Fault::TimedOut, "no bot dialled in on " + address_ + " in time",
                            0};
        }
    }
}

}  // namespace arena

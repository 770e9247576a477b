#include "arena/sockets.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <functional>
#include <system_error>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace arena {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using protocol::Error;
using protocol::Fault;
using protocol::Result;
using tcp = asio::ip::tcp;

// Calls `cancel` when a deadline passes, unless destroyed before.
class CancelAt : public Waiter {
  public:
    CancelAt(Deadlines& deadlines, Clock::time_point at, std::function<void()> cancel)
        : deadlines_(deadlines), cancel_(std::move(cancel)) {
        deadlines_.enroll(*this);
        deadlines_.set(*this, at);
    }
    ~CancelAt() override { deadlines_.dismiss(*this); }

    bool fired() const { return fired_; }

  private:
    void expire() override {
        fired_ = true;
        cancel_();
    }

    Deadlines& deadlines_;
    std::function<void()> cancel_;
    bool fired_ = false;
};

void set_no_delay(int socket) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

Awaitable<Result<UniqueFd>> dial(asio::io_context& context, Deadlines& deadlines,
                                 const protocol::Endpoint& endpoint,
                                 Clock::time_point deadline) {
    tcp::resolver resolver(context);
    tcp::socket socket(context);
    const CancelAt limit(deadlines, deadline, [&] {
        error_code ignored;
        resolver.cancel();
        socket.close(ignored);
    });
    const std::string where = protocol::to_string(endpoint);
    const std::string port = std::to_string(endpoint.port);
    error_code failed;
    const auto found = co_await resolver.async_resolve(
        endpoint.host, port, asio::redirect_error(asio::use_awaitable, failed));
    if (!failed && !limit.fired()) {
        co_await asio::async_connect(socket, found,
                                     asio::redirect_error(asio::use_awaitable, failed));
    }
    if (limit.fired()) {
        co_return Error{Fault::TimedOut, "cannot connect to " + where + " in time", 0};
    }
    if (failed) {
        co_return Error{Fault::Disconnected,
                        "cannot connect to " + where + ": " + failed.message(), 0};
    }
    set_no_delay(socket.native_handle());
    // Released from Asio's socket, so that sockets and pipes are read the same way.
    UniqueFd plain(socket.release(failed));
    if (failed) co_return Error{Fault::Disconnected, failed.message(), 0};
    co_return plain;
}

Result<std::unique_ptr<Listener>> Listener::open(const protocol::Endpoint& endpoint) {
    asio::io_context context;
    tcp::resolver resolver(context);
    error_code failed;
    const std::string where = protocol::to_string(endpoint);
    const auto found = resolver.resolve(endpoint.host, std::to_string(endpoint.port),
                                        tcp::resolver::passive, failed);
    tcp::acceptor acceptor(context);
    if (!failed) acceptor.open(found.begin()->endpoint().protocol(), failed);
    if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
    if (!failed) acceptor.bind(found.begin()->endpoint(), failed);
    if (!failed) acceptor.listen(asio::socket_base::max_listen_connections, failed);
    if (failed) {
        return Error{Fault::BadInput, "cannot listen on " + where + ": " + failed.message(), 0};
    }
    const auto local = acceptor.local_endpoint();
    const protocol::Endpoint bound{local.address().to_string(), local.port()};
    UniqueFd socket(acceptor.release());
    ::fcntl(socket.get(), F_SETFD, FD_CLOEXEC);
    ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
    return std::unique_ptr<Listener>(new Listener(std::move(socket), to_string(bound)));
}

Listener::~Listener() = default;

Awaitable<Result<UniqueFd>> Listener::accept(asio::io_context& context, Deadlines& deadlines,
                                             Clock::time_point deadline) const {
    asio::posix::stream_descriptor ready(context, ::dup(socket_.get()));
    const CancelAt limit(deadlines, deadline, [&] {
        error_code ignored;
        ready.cancel(ignored);
    });
    for (;;) {
        UniqueFd bot(::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (bot) {
            set_no_delay(bot.get());
            co_return bot;
        }
        if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR) {
            co_return Error{
                Fault::Disconnected,
                "cannot accept on " + address_ + ": " + std::generic_category().message(errno),
                0};
        }
        error_code failed;
        co_await ready.async_wait(asio::posix::stream_descriptor::wait_read,
                                  asio::redirect_error(asio::use_awaitable, failed));
        if (limit.fired()) {
            co_return Error{Fault::TimedOut, "no bot dialled in on " + address_ + " in time",
                            0};
        }
        if (failed) co_return Error{Fault::Disconnected, failed.message(), 0};
    }
}

}  // namespace arena

#include "protocol/sockets.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <string>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace protocol {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// A peer that has vanished is noticed within a minute, also while nothing is sent to it.
constexpr int kIdle = 20;      // seconds
constexpr int kInterval = 10;  // seconds
constexpr int kProbes = 3;
constexpr unsigned kUnacknowledged = 50'000;  // milliseconds

constexpr timeval kWriteLimit{.tv_sec = 30, .tv_usec = 0};

Error refuse(const char* what, const Endpoint& endpoint, const error_code& why) {
    return {Fault::Disconnected,
            std::string("cannot ") + what + " " + to_string(endpoint) + ": " + why.message()};
}

UniqueFd prepare(int socket) {
    set_socket_options(socket);
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &kWriteLimit, sizeof kWriteLimit);
    return UniqueFd(socket);
}

}  // namespace

void set_socket_options(int socket) {
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);  // Asio does not set it
    const int on = 1;                      // these options are not essential
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &kIdle, sizeof kIdle);
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &kInterval, sizeof kInterval);
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &kProbes, sizeof kProbes);
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUnacknowledged,
                 sizeof kUnacknowledged);
}

Result<UniqueFd> connect_socket(const Endpoint& endpoint) {
    error_code ec;
    asio::io_context context;
    tcp::resolver resolver(context);
    const auto found = resolver.resolve(endpoint.host, std::to_string(endpoint.port), ec);
    if (ec) return refuse("connect to", endpoint, ec);

    tcp::socket socket(context);
    asio::connect(socket, found, ec);
    if (ec) return refuse("connect to", endpoint, ec);
    return prepare(socket.release());
}

Result<Listening> listen_socket(const Endpoint& endpoint) {
    error_code ec;
    asio::io_context context;
    tcp::resolver resolver(context);
    const auto found = resolver.resolve(endpoint.host, std::to_string(endpoint.port),
                                        tcp::resolver::passive, ec);
    if (ec) return refuse("listen on", endpoint, ec);

    // Of several the one of IPv4, which all who know the name try: localhost may be ::1, too.
    const auto is_v4 = [](const auto& entry) {
        return entry.endpoint().protocol() == tcp::v4();
    };
    const auto first = std::find_if(found.begin(), found.end(), is_v4);
    const tcp::endpoint address = first == found.end() ? *found.begin() : *first;
    tcp::acceptor acceptor(context);
    acceptor.open(address.protocol(), ec);
    if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
    if (!ec) acceptor.bind(address, ec);
    if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
    if (ec) return refuse("listen on", endpoint, ec);

    const tcp::endpoint local = acceptor.local_endpoint(ec);
    const Endpoint bound{local.address().to_string(), local.port()};
    return Listening{UniqueFd(acceptor.release()), bound};
}

Error serve_sockets(const Listening& listening, const std::function<void(UniqueFd)>& accepted) {
    // Of the listening socket itself. All others pass: a peer has gone, the network is down, or
    // descriptors or memory are short until a session ends.
    constexpr std::array kLasting{EBADF, EFAULT, EINVAL, ENOTSOCK, EOPNOTSUPP};
    constexpr timespec kPause{0, 10'000'000};  // ns
    for (;;) {
        const int socket = ::accept4(listening.socket.get(), nullptr, nullptr, SOCK_CLOEXEC);
        if (socket >= 0) {
            accepted(prepare(socket));
            continue;
        }
        const int error = errno;
        if (std::ranges::find(kLasting, error) != kLasting.end()) {
            return refuse("listen on", listening.endpoint,
                          error_code(error, boost::system::generic_category()));
        }
        if (error != EINTR && error != ECONNABORTED) ::nanosleep(&kPause, nullptr);
    }
}

}  // namespace protocol

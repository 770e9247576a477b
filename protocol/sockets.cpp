#include "protocol/sockets.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <string>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace protocol {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr timeval kWriteLimit{.tv_sec = 30, .tv_usec = 0};

Error refuse(const char* what, const Endpoint& endpoint, const error_code& why) {
    return {Fault::Disconnected,
            std::string("cannot ") + what + " " + to_string(endpoint) + ": " + why.message()};
}

FileDescriptor prepare(tcp::socket socket) {
    error_code ignored;  // what a socket lacks of these it can do without
    socket.set_option(tcp::no_delay(true), ignored);
    socket.set_option(asio::socket_base::keep_alive(true), ignored);
    FileDescriptor descriptor(socket.release());
    ::setsockopt(descriptor.get(), SOL_SOCKET, SO_SNDTIMEO, &kWriteLimit, sizeof kWriteLimit);
    return descriptor;
}

Result<tcp::acceptor> open_acceptor(asio::io_context& context, const Endpoint& endpoint) {
    error_code ec;
    tcp::resolver resolver(context);
    const auto found = resolver.resolve(endpoint.host, std::to_string(endpoint.port),
                                        tcp::resolver::passive, ec);
    if (ec) return refuse("listen on", endpoint, ec);

    const tcp::endpoint address = *found.begin();
    tcp::acceptor acceptor(context);
    acceptor.open(address.protocol(), ec);
    if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
    if (!ec) acceptor.bind(address, ec);
    if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
    if (ec) return refuse("listen on", endpoint, ec);
    return acceptor;
}

}  // namespace

FileDescriptor::~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
}

Result<FileDescriptor> connect_socket(const Endpoint& endpoint) {
    error_code ec;
    asio::io_context context;
    tcp::resolver resolver(context);
    const auto found = resolver.resolve(endpoint.host, std::to_string(endpoint.port), ec);
    if (ec) return refuse("connect to", endpoint, ec);

    tcp::socket socket(context);
    asio::connect(socket, found, ec);
    if (ec) return refuse("connect to", endpoint, ec);
    return prepare(std::move(socket));
}

Error serve_sockets(const Endpoint& endpoint,
                    const std::function<void(const Endpoint&)>& opened,
                    const std::function<void(FileDescriptor)>& accepted,
                    const std::function<bool()>& wait_for_room) {
    asio::io_context context;
    auto acceptor = open_acceptor(context, endpoint);
    if (!acceptor) return acceptor.error();
    error_code ec;
    const tcp::endpoint local = acceptor->local_endpoint(ec);
    opened({local.address().to_string(), local.port()});

    for (;;) {
        tcp::socket socket(context);
        acceptor->accept(socket, ec);
        if (!ec) {
            accepted(prepare(std::move(socket)));
        } else if (!wait_for_room()) {
            return refuse("listen on", endpoint, ec);
        }
    }
}

}  // namespace protocol

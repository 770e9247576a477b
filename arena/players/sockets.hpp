// TCP players: dialled (tcp://) or accepted (listen://).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "arena/base/run_alone.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// A connected socket, TCP_NODELAY set.
Awaitable<protocol::Result<protocol::UniqueFd>> dial(EventLoop loop,
                                                     const protocol::Endpoint& endpoint,
                                                     Clock::time_point deadline);

// Waits until a socket can be read. False: the deadline has passed, or the wait was cancelled.
Awaitable<bool> wait_readable(boost::asio::posix::stream_descriptor& socket,
                              Deadlines& deadlines, Clock::time_point deadline);

// Drops what a peer has sent and nobody has read: closing with unread input would reset the
// connection and lose what was sent to the peer. For nonblocking sockets.
void drop_unread(int socket);

// Sends a peer its last line, which fits the socket's buffer, and ends our direction.
void refuse(int socket, std::string_view line);

// Whether only this machine can connect to a listening socket.
bool is_loopback(int socket);

// The address of a peer for display, and for limits: of IPv6 the /64, which belongs to one
// customer.
struct PeerAddress {
    std::string shown;
    std::string counted;
};

// Accepts connections from a nonblocking socket until `door` is closed, which outlives this,
// and passes each to `on_socket`, TCP_NODELAY set. `on_trouble` is told why one was dropped by
// an exception, or why none can be accepted: then it tries again a little later.
Awaitable<void> accept_connections(
    boost::asio::posix::stream_descriptor& door,
    std::function<void(protocol::UniqueFd, PeerAddress)> on_socket,
    std::function<void(const std::string&)> on_trouble);

// Raises the limit of open files to the hard one, and returns it.
std::size_t raise_file_limit();

// A port on which bots dial in, open from the start of the match to its end.
class Listener {
  public:
    // Refuses addresses open to the network, because bots are not authenticated, unless
    // `insecure`.
    static protocol::Result<std::unique_ptr<Listener>> open(const protocol::Endpoint& endpoint,
                                                            bool insecure = false);

    // "127.0.0.1:40123": where it listens, the port that the system chose filled in.
    const std::string& address() const { return address_; }

    // The next bot that dials in, on any loop.
    Awaitable<protocol::Result<protocol::UniqueFd>> accept(EventLoop loop,
                                                           Clock::time_point deadline) const;

  private:
    Listener(protocol::UniqueFd socket, std::string address)
        : socket_(std::move(socket)), address_(std::move(address)) {}

    protocol::UniqueFd socket_;
    std::string address_;
};

}  // namespace arena

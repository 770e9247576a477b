// TCP as file descriptors. Every socket has TCP_NODELAY and SO_KEEPALIVE, so a peer that has
// vanished is noticed within a minute.
#pragma once

#include <functional>

#include "protocol/endpoint.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace protocol {

// Sets the options above on a connected socket.
void set_socket_options(int socket);

// Connects; waits as long as the system does. A write to this socket fails once the peer has
// not read for 30 seconds.
Result<UniqueFd> connect_socket(const Endpoint& endpoint);

// A listening socket and its address, with the port that the system chose.
struct Listening {
    UniqueFd socket;
    Endpoint endpoint;
};
Result<Listening> listen_socket(const Endpoint& endpoint);

// Hands over each connection, with the same limit to writes. Where none can be accepted, for want
// of file descriptors or the like, tries again every 10 ms. Returns only when the socket itself is
// unusable.
Error serve_sockets(const Listening& listening,
                    const std::function<void(UniqueFd)>& accepted);

}  // namespace protocol

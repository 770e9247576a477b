// The port of a server: bots dial in to the lobby, browsers to the pages.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "arena/players/tls.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/result.hpp"
#include "protocol/sockets.hpp"

namespace arena {

struct PortOptions {
    protocol::Endpoint listen;
    std::string certificate;  // PEM files; empty: no TLS
    std::string key;
    bool insecure = false;  // beyond loopback without TLS
    std::size_t connections = 0;
    bool connections_given = false;  // then it is an error where there is no room for them
    std::size_t at_tables = 0;       // connections of which another copy is kept, at a time
    // For errors: the options, and what others can do on the network without TLS.
    std::string listen_option = "--listen";
    std::string tls_option = "--tls";
    std::string danger;
    // What a client that speaks no TLS is sent where that is expected.
    std::string plain_reply;
};

struct ServerPort {
    protocol::Listening listening;   // nonblocking
    std::shared_ptr<const Tls> tls;  // null: none
    std::size_t connections = 0;     // as many as were asked for and as there are files for
};

// Raises the limit of open files, reads the keys, and listens. Errors: files that cannot be
// read, an address that is not to be had or that is open to the network without TLS, more
// connections than this process may open files for.
protocol::Result<ServerPort> open_port(const PortOptions& options);

}  // namespace arena

// The port of a server: of the lobby for bots, of the pages for browsers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "arena/players/tls.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/result.hpp"
#include "protocol/sockets.hpp"

namespace arena {

struct PortOptions {
    protocol::Endpoint listen;
    bool insecure = false;    // beyond loopback without TLS
    std::string certificate;  // PEM files; empty: no TLS
    std::string key;
    std::size_t connections = 0;     // in all
    bool connections_given = false;  // then too few open files are an error
    std::size_t at_tables = 0;       // of these, with a copy of the socket for `quit`
    // Names of command-line options, for errors.
    std::string listen_option = "--listen";
    std::string tls_option = "--tls";
};

struct ServerPort {
    protocol::Listening listening;   // nonblocking
    std::shared_ptr<const Tls> tls;  // null: none
    std::size_t connections = 0;     // as many as requested, or as the limit of files allows
};

// Raises the limit of open files, reads the keys, and listens. Errors: unreadable files, an
// address that is not available or is open to the network without TLS, more connections than
// this process may open files for. `danger`: that of the network without TLS, for its error.
// `plain_reply`: for a client that does not speak TLS.
protocol::Result<ServerPort> open_port(const PortOptions& options, std::string_view danger,
                                       const std::string& plain_reply);

}  // namespace arena

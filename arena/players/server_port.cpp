#include "arena/players/server_port.hpp"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/players/sockets.hpp"

namespace arena {
namespace {

using protocol::Result;

constexpr std::size_t kFilesOfTls = 3;    // of a connection: its socket, and a pair as bridge
constexpr std::size_t kOtherFiles = 256;  // records, logs, the server's own players

// The number of connections that fit into the limit of open files.
Result<std::size_t> connections_within(const PortOptions& options, std::size_t files) {
    const std::size_t each = options.certificate.empty() ? 1 : kFilesOfTls;
    const std::size_t room = files - std::min(files, kOtherFiles);
    const std::size_t with_copies = room / (each + 1);
    const std::size_t most =
        with_copies < options.at_tables ? with_copies : (room - options.at_tables) / each;
    if (options.connections <= most) return options.connections;
    if (most > 0 && !options.connections_given) return most;
    const std::string given =
        options.connections_given
            ? fmt::format("--connections: read {}, and ", options.connections)
            : "";
    return bad_input(
        "{}this process may open {} files, which is enough for {}; expected {}a "
        "higher hard limit (ulimit -Hn {}, or LimitNOFILE of a systemd service)",
        given, files, most, given.empty() ? "" : "no more, or ",
        options.connections * each + std::min(options.connections, options.at_tables) +
            kOtherFiles);
}

}  // namespace

Result<ServerPort> open_port(const PortOptions& options, std::string_view danger,
                             const std::string& plain_reply) {
    const auto connections = connections_within(options, raise_file_limit());
    if (!connections) return connections.error();
    std::shared_ptr<const Tls> tls;
    if (!options.certificate.empty()) {
        auto keys = Tls::server(options.certificate, options.key, plain_reply);
        if (!keys) return keys.error();
        tls = *std::move(keys);
    }
    auto listening = protocol::listen_socket(options.listen);
    if (!listening) return listening.error();
    if (!tls && !options.insecure && !is_loopback(listening->socket.get())) {
        return bad_input(
            "{}: {} is open to the network, {}; expected {} CERT,KEY, or an address such as "
            "127.0.0.1, or --insecure",
            options.listen_option, to_string(listening->endpoint), danger, options.tls_option);
    }
    ::fcntl(listening->socket.get(), F_SETFL, O_NONBLOCK);
    return ServerPort{*std::move(listening), std::move(tls), *connections};
}

}  // namespace arena

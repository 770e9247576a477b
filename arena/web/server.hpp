// The HTTP server: one thread, HTTP/1.1 with keep-alive and a stream of events for watchers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "arena/game/game_record.hpp"
#include "arena/players/server_port.hpp"
#include "arena/web/http.hpp"
#include "protocol/result.hpp"

namespace arena::web {

struct ServerOptions : PortOptions {
    ServerOptions() {
        listen = {"127.0.0.1", 8080};
        connections = 2000;
    }

    std::vector<std::string> hosts;         // names of this server beyond those of HostNames
    std::size_t address_connections = 256;  // from one address
    Milliseconds request{10'000};           // from the first byte of a request to its last
    Milliseconds write{10'000};             // for a response, or a state for a watcher
    Milliseconds idle{60'000};              // between two requests
    Milliseconds reply{60'000};             // for the site to answer
    Milliseconds live{500};                 // between two states for watchers
    std::size_t live_rate = 500'000;        // bytes a second, for each watcher
    Milliseconds silence{15'000};           // after which a watcher gets a comment
    Milliseconds drain{1'000};              // at the end, for watchers to get the last state
};

class Server {
  public:
    // Listens and answers. `site` and `live` (null: nothing to watch) must outlive the server.
    // Errors: files that cannot be read, an address that is in use or open to the network
    // without TLS.
    static protocol::Result<std::unique_ptr<Server>> start(const ServerOptions& options,
                                                           Site& site, LiveSource* live);
    ~Server();

    // "127.0.0.1:8080", with the port that the system chose.
    const std::string& address() const;
    // The most connections: fewer than the default where the limit of open files is low.
    std::size_t connections() const;
    // Closes all connections; waits at most a second until TLS has sent what was written. Later
    // replies are dropped.
    void stop();

  private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace arena::web

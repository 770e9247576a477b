// TCP players: dialled (tcp://) or awaited (listen://).
#pragma once

#include <memory>
#include <string>

#include "arena/deadlines.hpp"
#include "arena/game_record.hpp"
#include "arena/io.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// A connected socket, TCP_NODELAY set.
Awaitable<protocol::Result<protocol::UniqueFd>> dial(boost::asio::io_context& context,
                                                     Deadlines& deadlines,
                                                     const protocol::Endpoint& endpoint,
                                                     Clock::time_point deadline);

// Whether a socket listens where this machine alone can dial in.
bool is_loopback(int socket);

// A port that is open for bots to dial in, from the start of the match to its end.
class Listener {
  public:
    // Refuses what is open to the network, where nobody has to prove who it is, unless
    // `insecure`.
    static protocol::Result<std::unique_ptr<Listener>> open(const protocol::Endpoint& endpoint,
                                                            bool insecure = false);
    ~Listener();

    // "127.0.0.1:40123": where it listens, the port that the system chose filled in.
    const std::string& address() const { return address_; }

    // The next bot that dials in, on any io_context.
    Awaitable<protocol::Result<protocol::UniqueFd>> accept(boost::asio::io_context& context,
                                                           Deadlines& deadlines,
                                                           Clock::time_point deadline) const;

  private:
    Listener(protocol::UniqueFd socket, std::string address)
        : socket_(std::move(socket)), address_(std::move(address)) {}

    protocol::UniqueFd socket_;
    std::string address_;
};

}  // namespace arena

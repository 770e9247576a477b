// TLS ends here: beyond a bridge, a peer behind TLS is a plain socket like any other, which can
// be read, written and handed from thread to thread without knowing of it.
#pragma once

#include <memory>
#include <string>

#include "arena/deadlines.hpp"
#include "arena/game_record.hpp"
#include "arena/io.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

struct ssl_st;  // OpenSSL's SSL

namespace arena {

// Keys, certificates, and how peers are checked: TLS 1.2 or later. Safe to share by threads.
class Tls {
  public:
    // What two have agreed on who have shaken hands over a socket. Nothing that came behind the
    // handshake has been taken from it.
    struct Session {
        protocol::UniqueFd socket;
        std::shared_ptr<ssl_st> state;
    };

    // For who dials: the peer's certificate must be signed by one in `ca_file`, or, where that
    // is empty, by one that the system trusts.
    static protocol::Result<std::shared_ptr<const Tls>> client(const std::string& ca_file);
    // For who is dialled: PEM files of the certificate, with those that sign it, and of its
    // key.
    static protocol::Result<std::shared_ptr<const Tls>> server(const std::string& certificate,
                                                               const std::string& key);
    ~Tls();

    // Shakes hands over a connected, nonblocking socket. A client names the `host` that it
    // dialled, which the certificate must be for. Errors: BadInput for a certificate that is
    // not to be trusted, TimedOut, Disconnected.
    Awaitable<protocol::Result<Session>> shake_hands(boost::asio::io_context& context,
                                                     Deadlines& deadlines,
                                                     protocol::UniqueFd socket,
                                                     std::string host,
                                                     Clock::time_point deadline) const;
    // Gives a plain socket in the session's stead. What runs between the two belongs to
    // `context`, which need not be the one of the handshake, and ends with either of them.
    static protocol::Result<protocol::UniqueFd> carry(boost::asio::io_context& context,
                                                      Deadlines& deadlines, Session session);
    // The one, and then the other.
    Awaitable<protocol::Result<protocol::UniqueFd>> bridge(boost::asio::io_context& context,
                                                           Deadlines& deadlines,
                                                           protocol::UniqueFd socket,
                                                           std::string host,
                                                           Clock::time_point deadline) const;

  private:
    struct Impl;
    explicit Tls(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace arena

// Terminates TLS: a bridge makes a TLS peer a plain socket, which can be read, written and
// handed between threads like any other.
#pragma once

#include <memory>
#include <string>

#include "arena/base/deadlines.hpp"
#include "arena/base/io.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

struct ssl_st;  // OpenSSL's SSL

namespace arena {

// Keys, certificates and the check of peers: TLS 1.2 or later. Threads may share it.
class Tls {
  public:
    // The session of a completed handshake over a socket. No bytes after the handshake have
    // been read from it.
    struct Session {
        protocol::UniqueFd socket;
        std::shared_ptr<ssl_st> state;
    };

    // For a client: the peer's certificate must be signed by one in `ca_file`; empty: by one
    // that the system trusts.
    static protocol::Result<std::shared_ptr<const Tls>> client(const std::string& ca_file);
    // For a server: PEM files of the certificate, with the certificates that sign it, and of
    // its key. A client without TLS gets `plain_reply`, at once or, if it waits for the server
    // to speak first, after two seconds; empty: it gets TLS's own error.
    static protocol::Result<std::shared_ptr<const Tls>> server(
        const std::string& certificate, const std::string& key,
        const std::string& plain_reply = {});
    ~Tls();

    // Performs the handshake over a connected, nonblocking socket. A client gives the `host`
    // that it dialled, which the certificate must name. Errors: BadInput for an untrusted
    // certificate, TimedOut, Disconnected.
    Awaitable<protocol::Result<Session>> shake_hands(boost::asio::io_context& context,
                                                     Deadlines& deadlines,
                                                     protocol::UniqueFd socket,
                                                     std::string host,
                                                     Clock::time_point deadline) const;
    // Returns a plain socket for the session. The bridge between the two runs on `context`,
    // which need not be the one of the handshake, and ends with either of them.
    static protocol::Result<protocol::UniqueFd> carry(boost::asio::io_context& context,
                                                      Deadlines& deadlines, Session session);
    // shake_hands(), then carry().
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

// The SHA-256 of the first certificate of a PEM file, in hexadecimal: what `connect.py --pin`
// compares a server's certificate with.
protocol::Result<std::string> certificate_pin(const std::string& file);

}  // namespace arena

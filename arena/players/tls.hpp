// Terminates TLS: a bridge makes a TLS peer a plain socket, which can be read, written and
// handed between threads like any other.
#pragma once

#include <memory>
#include <string>

#include "arena/base/run_alone.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// Keys, certificates and the check of peers: TLS 1.2 or later. Threads may share it.
class Tls {
  public:
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

    // That a server's certificate is not valid now; empty: it is.
    const std::string& warning() const;

    // Performs the handshake over a connected, nonblocking socket; its arithmetic runs on the
    // compute threads, so that many handshakes do not delay what else runs there. Returns a
    // plain socket for the session. The bridge between the two runs on the io_context and ends
    // with either of them. A client gives the `host` that it dialled, which the certificate
    // must name. Errors: BadInput for an untrusted certificate, TimedOut, Disconnected.
    Awaitable<protocol::Result<protocol::UniqueFd>> bridge(EventLoop loop,
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

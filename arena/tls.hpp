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

namespace arena {

// Keys, certificates, and how peers are checked: TLS 1.2 or later. Safe to share by threads.
class Tls {
  public:
    // For who dials: the peer's certificate must be signed by one in `ca_file`, or, where that
    // is empty, by one that the system trusts.
    static protocol::Result<std::shared_ptr<const Tls>> client(const std::string& ca_file);
    // For who is dialled: PEM files of the certificate, with those that sign it, and of its
    // key.
    static protocol::Result<std::shared_ptr<const Tls>> server(const std::string& certificate,
                                                               const std::string& key);
    ~Tls();

    // Shakes hands over a connected socket and gives a plain one in its stead. A client names
    // the `host` that it dialled, which the certificate must be for. What runs between the two
    // belongs to `context` and ends with either of them.
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

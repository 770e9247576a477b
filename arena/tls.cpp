#include "arena/tls.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "protocol/text.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using protocol::Error;
using protocol::Fault;
using protocol::Result;
using Descriptor = asio::posix::stream_descriptor;

constexpr std::chrono::seconds kWriteLimit{30};  // for a peer to take what it was sent
constexpr std::chrono::seconds kLeaveTime{1};    // for its farewell

// Both ends of a bridge, and what is on its way.
struct Bridge {
    Bridge(asio::io_context& context, Deadlines& all, asio::ssl::context& keys,
           protocol::UniqueFd socket)
        : deadlines(all), peer(Descriptor(context, socket.release()), keys), plain(context) {}

    void close() {
        error_code ignored;
        peer.lowest_layer().close(ignored);
        plain.close(ignored);
    }

    Deadlines& deadlines;
    asio::ssl::stream<Descriptor> peer;
    Descriptor plain;
    std::array<char, 4096> from_peer;
    std::array<char, 4096> to_peer;
};
using SharedBridge = std::shared_ptr<Bridge>;

Awaitable<void> carry_in(SharedBridge bridge) {
    error_code failed;
    while (!failed) {
        const std::size_t size = co_await bridge->peer.async_read_some(
            asio::buffer(bridge->from_peer), asio::redirect_error(asio::use_awaitable, failed));
        if (failed || size == 0) break;
        co_await asio::async_write(bridge->plain, asio::buffer(bridge->from_peer, size),
                                   asio::redirect_error(asio::use_awaitable, failed));
    }
    bridge->close();
}

Awaitable<void> carry_out(SharedBridge bridge) {
    error_code failed;
    for (;;) {
        const std::size_t size = co_await bridge->plain.async_read_some(
            asio::buffer(bridge->to_peer), asio::redirect_error(asio::use_awaitable, failed));
        if (failed || size == 0) break;
        const CancelAt limit(bridge->deadlines, Clock::now() + kWriteLimit,
                             [&bridge] { bridge->close(); });
        co_await asio::async_write(bridge->peer, asio::buffer(bridge->to_peer, size),
                                   asio::redirect_error(asio::use_awaitable, failed));
        if (failed) break;
    }
    if (failed == asio::error::eof) {
        const CancelAt limit(bridge->deadlines, Clock::now() + kLeaveTime,
                             [&bridge] { bridge->close(); });
        co_await bridge->peer.async_shutdown(asio::redirect_error(asio::use_awaitable, failed));
    }
    bridge->close();
}

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

// Says why a certificate was not taken.
std::string words_of(const error_code& failed, SSL* session, const std::string& host) {
    const long verified = ::SSL_get_verify_result(session);
    if (verified == X509_V_OK) return failed.message();
    if (verified == X509_V_ERR_UNSPECIFIED) return "its certificate is not for " + host;
    return std::string("its certificate is not trusted: ") +
           ::X509_verify_cert_error_string(verified);
}

}  // namespace

struct Tls::Impl {
    Impl(asio::ssl::context::method method, bool dials) : keys(method), is_client(dials) {
        ::SSL_CTX_set_min_proto_version(keys.native_handle(), TLS1_2_VERSION);
        // Buffers of sessions that have nothing to say are given back.
        ::SSL_CTX_set_mode(keys.native_handle(), SSL_MODE_RELEASE_BUFFERS);
    }
    mutable asio::ssl::context keys;
    bool is_client;
};

Tls::Tls(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Tls::~Tls() = default;

Result<std::shared_ptr<const Tls>> Tls::client(const std::string& ca_file) {
    auto impl = std::make_unique<Impl>(asio::ssl::context::tls_client, true);
    error_code failed;
    if (ca_file.empty())
        impl->keys.set_default_verify_paths(failed);
    else
        impl->keys.load_verify_file(ca_file, failed);
    if (failed) {
        return refuse("cannot read certificates of " + protocol::quoted(ca_file) + ": " +
                      failed.message() + "; expected a PEM file");
    }
    impl->keys.set_verify_mode(asio::ssl::verify_peer, failed);
    return std::shared_ptr<const Tls>(new Tls(std::move(impl)));
}

Result<std::shared_ptr<const Tls>> Tls::server(const std::string& certificate,
                                               const std::string& key) {
    auto impl = std::make_unique<Impl>(asio::ssl::context::tls_server, false);
    error_code failed;
    impl->keys.use_certificate_chain_file(certificate, failed);
    if (failed) {
        return refuse("cannot use the certificate " + protocol::quoted(certificate) + ": " +
                      failed.message() + "; expected a PEM file");
    }
    impl->keys.use_private_key_file(key, asio::ssl::context::pem, failed);
    if (failed) {
        return refuse("cannot use the key " + protocol::quoted(key) + ": " + failed.message() +
                      "; expected a PEM file with the key of the certificate");
    }
    return std::shared_ptr<const Tls>(new Tls(std::move(impl)));
}

Awaitable<Result<protocol::UniqueFd>> Tls::bridge(asio::io_context& context,
                                                  Deadlines& deadlines,
                                                  protocol::UniqueFd socket, std::string host,
                                                  Clock::time_point deadline) const {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) !=
        0) {
        co_return Error{Fault::Disconnected, std::generic_category().message(errno), 0};
    }
    protocol::UniqueFd ours(ends[0]);
    protocol::UniqueFd theirs(ends[1]);
    const auto bridge =
        std::make_shared<Bridge>(context, deadlines, impl_->keys, std::move(socket));
    bridge->plain.assign(ours.release());
    error_code failed;
    auto kind = asio::ssl::stream_base::server;
    if (impl_->is_client) {
        kind = asio::ssl::stream_base::client;
        error_code is_name;
        asio::ip::make_address(host, is_name);
        if (is_name) ::SSL_set_tlsext_host_name(bridge->peer.native_handle(), host.c_str());
        bridge->peer.set_verify_callback(asio::ssl::host_name_verification(host), failed);
    }
    {
        const CancelAt limit(deadlines, deadline, [&bridge] { bridge->close(); });
        co_await bridge->peer.async_handshake(
            kind, asio::redirect_error(asio::use_awaitable, failed));
        if (limit.fired()) {
            co_return Error{Fault::TimedOut, "the TLS handshake did not end in time", 0};
        }
    }
    if (failed) {
        const std::string why = words_of(failed, bridge->peer.native_handle(), host);
        bridge->close();
        co_return Error{Fault::Disconnected, "the TLS handshake failed: " + why, 0};
    }
    // What goes wrong in carrying ends the bridge, which both ends see.
    const auto ended = [bridge](const std::exception_ptr&) { bridge->close(); };
    asio::co_spawn(context, carry_in(bridge), ended);
    asio::co_spawn(context, carry_out(bridge), ended);
    co_return theirs;
}

}  // namespace arena

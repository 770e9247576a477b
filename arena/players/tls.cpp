#include "arena/players/tls.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/compute.hpp"
#include "arena/players/sockets.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using protocol::Error;
using protocol::Fault;
using protocol::Result;
using Descriptor = asio::posix::stream_descriptor;
using SharedSession = std::shared_ptr<SSL>;

constexpr std::chrono::seconds kWriteLimit{30};  // for a peer to read what it was sent
constexpr std::chrono::seconds kLeaveTime{1};    // for the peer to close, too
constexpr std::chrono::seconds kSilence{2};      // a TLS client speaks first, and sooner
constexpr unsigned char kHandshakeRecord = 22;   // the first byte of TLS

// Closes the socket even if assign() throws.
void adopt(Descriptor& descriptor, protocol::UniqueFd socket) {
    descriptor.assign(socket.get());
    socket.release();
}

// Waits until a session can continue that lacks this, of SSL_get_error(). False: failed.
Awaitable<bool> until_ready(Descriptor& socket, int lack) {
    if (lack != SSL_ERROR_WANT_READ && lack != SSL_ERROR_WANT_WRITE) co_return false;
    const auto what =
        lack == SSL_ERROR_WANT_READ ? Descriptor::wait_read : Descriptor::wait_write;
    error_code failed;
    co_await socket.async_wait(what, asio::redirect_error(asio::use_awaitable, failed));
    co_return !failed;
}

// Both ends of a bridge, and the bytes in transit.
struct Bridge {
    Bridge(const EventLoop& loop, SharedSession given, Descriptor socket,
           protocol::UniqueFd ours)
        : deadlines(loop.deadlines),
          session(std::move(given)),
          peer(std::move(socket)),
          plain(loop.io) {
        adopt(plain, std::move(ours));
    }

    // The session must not be used after this: it holds the socket's number, not the socket.
    void close() {
        is_open = false;
        error_code ignored;
        peer.close(ignored);
        plain.close(ignored);
    }

    Deadlines& deadlines;
    SharedSession session;
    Descriptor peer;
    Descriptor plain;
    bool is_open = true;
    std::optional<CancelAt> leaving;  // the deadline of the peer's closing
    std::array<char, 4096> from_peer;
    std::array<char, 4096> to_peer;
};
using SharedBridge = std::shared_ptr<Bridge>;

Awaitable<void> carry_in(SharedBridge bridge) {
    while (bridge->is_open) {
        ::ERR_clear_error();
        const int size = ::SSL_read(bridge->session.get(), bridge->from_peer.data(),
                                    static_cast<int>(bridge->from_peer.size()));
        if (size <= 0) {
            const int lack = ::SSL_get_error(bridge->session.get(), size);
            const bool continues = co_await until_ready(bridge->peer, lack);
            if (!continues) break;
            continue;
        }
        error_code failed;
        const auto read = asio::buffer(bridge->from_peer, static_cast<std::size_t>(size));
        co_await asio::async_write(bridge->plain, read,
                                   asio::redirect_error(asio::use_awaitable, failed));
        if (failed) break;
    }
    bridge->close();
}

// Returns false if the peer accepts nothing more.
Awaitable<bool> send(Bridge& bridge, std::size_t size) {
    const CancelAt limit(bridge.deadlines, Clock::now() + kWriteLimit,
                         [&bridge] { bridge.close(); });
    while (bridge.is_open) {
        ::ERR_clear_error();
        const int sent =
            ::SSL_write(bridge.session.get(), bridge.to_peer.data(), static_cast<int>(size));
        if (sent > 0) co_return true;
        const int lack = ::SSL_get_error(bridge.session.get(), sent);
        const bool continues = co_await until_ready(bridge.peer, lack);
        if (!continues) break;
    }
    co_return false;
}

// Ends our direction. The peer may still answer, as a bot does after the end of its input.
void end_output(Bridge& bridge) {
    ::ERR_clear_error();
    ::SSL_shutdown(bridge.session.get());
    ::shutdown(bridge.peer.native_handle(), SHUT_WR);
}

// Waits until our end reads no more either, then gives the peer a moment to close: closing at
// once would reset the connection and could lose our last bytes.
Awaitable<void> take_leave(SharedBridge bridge) {
    error_code ignored;
    co_await bridge->plain.async_wait(Descriptor::wait_error,  // its other end has closed
                                      asio::redirect_error(asio::use_awaitable, ignored));
    if (!bridge->is_open) co_return;
    bridge->leaving.emplace(bridge->deadlines, Clock::now() + kLeaveTime,
                            [closing = bridge.get()] { closing->close(); });
}

Awaitable<void> carry_out(SharedBridge bridge) {
    for (;;) {
        error_code failed;
        const auto room = asio::buffer(bridge->to_peer);
        const std::size_t size = co_await bridge->plain.async_read_some(
            room, asio::redirect_error(asio::use_awaitable, failed));
        if (failed == asio::error::eof && bridge->is_open) {
            end_output(*bridge);
            co_return co_await take_leave(bridge);
        }
        if (failed) break;
        const bool sent = co_await send(*bridge, size);
        if (!sent) break;
    }
    bridge->close();
}

constexpr std::string_view kFailed = "the TLS handshake failed: ";
constexpr const char* kPlain = "it does not speak TLS";

// Why a handshake failed; BadInput: by the peer's certificate.
Error handshake_error(SSL* session, const std::string& host) {
    const long verified = ::SSL_get_verify_result(session);
    if (verified == X509_V_ERR_HOSTNAME_MISMATCH ||
        verified == X509_V_ERR_IP_ADDRESS_MISMATCH) {
        return bad_input("{}its certificate is not for {}", kFailed, host);
    }
    if (verified != X509_V_OK) {
        return bad_input("{}its certificate is not trusted: {}", kFailed,
                         ::X509_verify_cert_error_string(verified));
    }
    const auto code = ::ERR_peek_error();
    const char* why = ::ERR_reason_error_string(code);
    if (why == nullptr) why = "the connection ended";
    if (ERR_GET_REASON(code) == SSL_R_WRONG_VERSION_NUMBER) why = kPlain;
    return Error{Fault::Disconnected, fmt::format("{}{}", kFailed, why), 0};
}

// Waits for the first byte, up to `until`. False: it is not one of TLS, or did not come.
Awaitable<bool> begins_tls(Descriptor& socket, Deadlines& deadlines, Clock::time_point until) {
    for (;;) {
        unsigned char first = 0;
        const auto size = ::recv(socket.native_handle(), &first, 1, MSG_PEEK);
        if (size > 0) co_return first == kHandshakeRecord;
        if (size == 0 || (errno != EAGAIN && errno != EINTR)) co_return true;  // it is gone
        if (Clock::now() >= until) co_return false;
        co_await wait_readable(socket, deadlines, until);
    }
}

// The certificate must name the dialled host.
bool expect_host(SSL* session, const std::string& host) {
    error_code is_name;
    asio::ip::make_address(host, is_name);
    X509_VERIFY_PARAM* const expected = ::SSL_get0_param(session);
    if (!is_name) return ::X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) == 1;
    ::X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return ::X509_VERIFY_PARAM_set1_host(expected, host.c_str(), host.size()) == 1 &&
           ::SSL_set_tlsext_host_name(session, host.c_str()) == 1;
}

Awaitable<Result<void>> shake_hands(const EventLoop& loop, Descriptor& peer, SSL* session,
                                    const std::string& host, Clock::time_point deadline) {
    const CancelAt limit(loop.deadlines, deadline, [&peer] {
        error_code ignored;
        peer.cancel(ignored);
    });
    int lack = SSL_ERROR_NONE;
    const auto waits = [&] {
        return lack == SSL_ERROR_WANT_READ || lack == SSL_ERROR_WANT_WRITE;
    };
    Error why;
    // OpenSSL keeps the reason of a failure for each thread.
    const std::function<void()> go_on = [&] {
        ::ERR_clear_error();
        lack = ::SSL_get_error(session, ::SSL_do_handshake(session));
        if (lack != SSL_ERROR_NONE && !waits()) why = handshake_error(session, host);
    };
    for (;;) {
        // A client's own steps are few and cheap, and must not queue behind moves while its
        // player's time runs.
        if (::SSL_is_server(session) != 0)
            co_await compute(loop.compute, go_on);
        else
            go_on();
        if (lack == SSL_ERROR_NONE) co_return Result<void>();
        if (!waits()) {
            drop_unread(peer.native_handle());  // or the alert could be lost
            co_return why;
        }
        if (Clock::now() < deadline) co_await until_ready(peer, lack);
        if (Clock::now() >= deadline)
            co_return Error{Fault::TimedOut, "the TLS handshake did not end in time", 0};
    }
}

// A plain socket for the session.
Result<protocol::UniqueFd> carry(const EventLoop& loop, SharedSession session,
                                 Descriptor peer) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) !=
        0) {
        return Error{Fault::Failed, std::generic_category().message(errno), 0};
    }
    protocol::UniqueFd ours(ends[0]);
    protocol::UniqueFd theirs(ends[1]);
    const auto bridge =
        std::make_shared<Bridge>(loop, std::move(session), std::move(peer), std::move(ours));
    // An error in the transfer ends the bridge, which both ends notice.
    const auto ended = [bridge](const std::exception_ptr&) { bridge->close(); };
    asio::co_spawn(loop.io, carry_in(bridge), ended);
    asio::co_spawn(loop.io, carry_out(bridge), [bridge](const std::exception_ptr& error) {
        if (error) bridge->close();
    });
    return theirs;
}

}  // namespace

struct Tls::Impl {
    Impl(asio::ssl::context::method method, bool dials) : keys(method), is_client(dials) {
        ::SSL_CTX_set_min_proto_version(keys.native_handle(), TLS1_2_VERSION);
        // Idle sessions release their buffers.
        ::SSL_CTX_set_mode(keys.native_handle(), SSL_MODE_RELEASE_BUFFERS);
        // Ended sessions are not cached, because none is resumed.
        ::SSL_CTX_set_session_cache_mode(keys.native_handle(), SSL_SESS_CACHE_OFF);
        ::SSL_CTX_set_num_tickets(keys.native_handle(), 0);
    }
    mutable asio::ssl::context keys;
    bool is_client;
    // Of a server.
    std::string plain_reply;
    std::string warning;
};

Tls::Tls(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Tls::~Tls() = default;

const std::string& Tls::warning() const { return impl_->warning; }

Result<std::shared_ptr<const Tls>> Tls::client(const std::string& ca_file) {
    auto impl = std::make_unique<Impl>(asio::ssl::context::tls_client, true);
    error_code failed;
    if (ca_file.empty())
        impl->keys.set_default_verify_paths(failed);
    else
        impl->keys.load_verify_file(ca_file, failed);
    if (failed) {
        return bad_input("cannot read certificates of {}: {}; expected a PEM file",
                         protocol::quoted(ca_file), failed.message());
    }
    impl->keys.set_verify_mode(asio::ssl::verify_peer, failed);
    return std::shared_ptr<const Tls>(new Tls(std::move(impl)));
}

Result<std::shared_ptr<const Tls>> Tls::server(const std::string& certificate,
                                               const std::string& key,
                                               const std::string& plain_reply) {
    auto impl = std::make_unique<Impl>(asio::ssl::context::tls_server, false);
    error_code failed;
    impl->keys.use_certificate_chain_file(certificate, failed);
    if (failed) {
        return bad_input("cannot use the certificate {}: {}; expected a PEM file",
                         protocol::quoted(certificate), failed.message());
    }
    impl->keys.use_private_key_file(key, asio::ssl::context::pem, failed);
    // A key of another kind than the certificate's (RSA, EC) is read without an error.
    if (failed || ::SSL_CTX_check_private_key(impl->keys.native_handle()) != 1) {
        return bad_input(
            "cannot use the key {}: {}; expected a PEM file with the key of the certificate",
            protocol::quoted(key), failed ? failed.message() : "it is of another kind");
    }
    const X509* const own = ::SSL_CTX_get0_certificate(impl->keys.native_handle());
    const bool has_ended = ::X509_cmp_current_time(::X509_get0_notAfter(own)) < 0;
    if (has_ended || ::X509_cmp_current_time(::X509_get0_notBefore(own)) > 0) {
        impl->warning = fmt::format("the certificate {} {}: whoever verifies it cannot connect",
                                    protocol::quoted(certificate),
                                    has_ended ? "has expired" : "is not valid yet");
    }
    impl->plain_reply = plain_reply;
    return std::shared_ptr<const Tls>(new Tls(std::move(impl)));
}

Awaitable<Result<protocol::UniqueFd>> Tls::bridge(EventLoop loop, protocol::UniqueFd socket,
                                                  std::string host,
                                                  Clock::time_point deadline) const {
    const SharedSession session(::SSL_new(impl_->keys.native_handle()), ::SSL_free);
    const bool is_ready = session && ::SSL_set_fd(session.get(), socket.get()) == 1;
    if (!is_ready) co_return Error{Fault::Failed, "no TLS session: no memory", 0};
    if (impl_->is_client && !expect_host(session.get(), host)) {
        co_return bad_input(
            "read {}, expected a name or an address that a certificate can be for",
            protocol::quoted(host));
    }
    if (impl_->is_client)
        ::SSL_set_connect_state(session.get());
    else
        ::SSL_set_accept_state(session.get());
    Descriptor peer(loop.io);
    adopt(peer, std::move(socket));
    if (!impl_->plain_reply.empty()) {
        const auto until = std::min(deadline, Clock::now() + kSilence);
        const bool is_tls = co_await begins_tls(peer, loop.deadlines, until);
        if (!is_tls && until < deadline) {
            refuse(peer.native_handle(), impl_->plain_reply);
            co_return Error{Fault::Disconnected, std::string(kFailed) + std::string(kPlain), 0};
        }
    }
    const auto shaken = co_await shake_hands(loop, peer, session.get(), host, deadline);
    if (!shaken) co_return shaken.error();
    co_return carry(loop, session, std::move(peer));
}

Result<std::string> certificate_pin(const std::string& file) {
    const std::unique_ptr<BIO, decltype(&::BIO_free)> in(::BIO_new_file(file.c_str(), "r"),
                                                         ::BIO_free);
    const std::unique_ptr<X509, decltype(&::X509_free)> certificate(
        in ? ::PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr) : nullptr, ::X509_free);
    std::array<unsigned char, 32> hash{};
    if (!certificate ||
        ::X509_digest(certificate.get(), ::EVP_sha256(), hash.data(), nullptr) != 1) {
        const auto* reason = ::ERR_reason_error_string(::ERR_peek_last_error());
        ::ERR_clear_error();
        return bad_input("cannot read a certificate from {}: {}; expected a PEM file",
                         protocol::quoted(file), reason == nullptr ? "an error" : reason);
    }
    return fmt::format("{:02x}", fmt::join(hash, ""));
}

}  // namespace arena

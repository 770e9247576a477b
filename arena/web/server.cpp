// All sockets belong to one thread. An HttpConnection is in one phase at a time, and each phase
// has a deadline:
//
//   Idle -> Reading -> Answering -> Writing -> Idle …   one request after the other
//                                           -> Leaving  after the last response
//   Writing -> Watching                                 GET /api/live
//
// A connection that waits for input has no buffer: bytes are read into one that all share, and
// the reader keeps those of an unfinished request. While a request is answered, one read finds
// out whether the client has hung up; a client that sends more without reading fills its own
// socket. The site answers from any thread through an Outlet, which outlives the server, so
// that a late reply finds no server instead of a destroyed one.
//
// Memory is bounded by the number of connections, in all and from one address: each holds one
// request and one response.
//
// Watchers: at each tick the source is asked for its state, and that one string is sent to all
// who have an older one. A watcher that has not yet taken its last state is left out until it
// has. So a watcher holds one string at most, and most watchers share it. A large state makes
// the ticks rarer.
#include "arena/web/server.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/write.hpp>

#include "arena/base/deadlines.hpp"
#include "arena/players/server_port.hpp"
#include "arena/players/sockets.hpp"
#include "arena/web/limits.hpp"
#include "arena/web/request_reader.hpp"
#include "protocol/sockets.hpp"
#include "protocol/unique_fd.hpp"

namespace arena::web {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using protocol::Error;
using protocol::Fault;
using protocol::Result;
using protocol::UniqueFd;
using Descriptor = asio::posix::stream_descriptor;
using Text = std::shared_ptr<const std::string>;

constexpr std::size_t kScratch = 16 * 1024;
constexpr Milliseconds kLeave{2'000};      // for a client to read the last response
constexpr int kWatcherBuffer = 64 * 1024;  // bytes that wait in a watcher's socket
constexpr std::string_view kLivePath = "/api/live";

// Headers of every response, unless it has its own.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSafety{{
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
     "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "same-origin"},  // without it, forms have no Origin
    {"Cross-Origin-Resource-Policy", "same-origin"},
}};

// Whether the text of a header stays within its line.
bool is_one_line(std::string_view text) {
    return text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos;
}

// Status line and headers. Without a body, the end of the connection ends the response.
std::string head_of(const Response& response, bool keeps_alive) {
    http::response_header<> head;
    head.version(11);
    head.result(static_cast<unsigned>(response.status));
    head.set(http::field::date,
             fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(std::time(nullptr))));
    for (const auto& [name, value] : kSafety) head.set(name, value);
    for (const auto& [name, value] : response.headers)
        if (is_one_line(name) && is_one_line(value)) head.set(name, value);
    if (head.count(http::field::cache_control) == 0)
        head.set(http::field::cache_control, "no-store");
    if (response.status != 304) {
        head.set(http::field::content_type, response.type);
        if (response.body)
            head.set(http::field::content_length, std::to_string(response.body->size()));
    }
    if (!keeps_alive) head.set(http::field::connection, "close");
    std::ostringstream text;
    text << head;
    return text.str();
}

Response too_busy(std::string_view text) {
    return with_header(refuse_request(503, text), "Retry-After", "1");
}

// The reply to a client that does not speak TLS on a TLS port.
std::string plain_reply() {
    const Response response = refuse_request(400, "this port speaks TLS: https://");
    return head_of(response, false) + *response.body;
}

// The way from other threads to the server's thread; null once that has ended.
struct Outlet {
    std::mutex mutex;
    asio::io_context* io;
};

class HttpConnection;

// The server. All but the constructor, start() and stop() runs on its thread.
struct Hub {
    Hub(const ServerOptions& given, Site& answers, LiveSource* source,
        protocol::Listening listening);
    ~Hub() { stop(); }

    void start();
    void stop();
    void run();
    void finish();
    void close_all();

    Awaitable<void> accept_all();
    void admit(UniqueFd socket, const PeerAddress& peer);
    Awaitable<void> shake_hands(UniqueFd socket, std::string address);
    void open(UniqueFd socket, std::string address);
    void send_away(const UniqueFd& socket, std::string_view why);
    void release(const std::string& address);
    void close(HttpConnection& connection);

    void watch(HttpConnection& connection);
    void await_tick();
    void tick();

    ServerOptions options;
    Site& site;
    LiveSource* live;
    std::string address;
    HostNames hosts;
    std::shared_ptr<const Tls> tls;

    std::unique_ptr<asio::io_context> io = std::make_unique<asio::io_context>(1);
    Deadlines deadlines{*io};
    asio::thread_pool compute{1};  // of TLS handshakes
    std::optional<Descriptor> acceptor;
    std::optional<asio::steady_timer> ticker;  // for watchers
    std::unordered_map<HttpConnection*, std::shared_ptr<HttpConnection>> http_connections;
    std::vector<HttpConnection*> watchers;
    std::size_t connections = 0;  // including those in a TLS handshake
    std::unordered_map<std::string, std::size_t> at_address;  // connections
    Clock::time_point last_tick{};
    std::size_t last_size = 0;  // of a state
    Text last_event;            // the newest one, and its version
    std::uint64_t last_version = 0;
    bool is_ticking = false;
    bool is_finishing = false;
    std::array<char, kScratch> scratch;
    std::shared_ptr<Outlet> outlet = std::make_shared<Outlet>();
    std::mutex end_mutex;
    std::condition_variable ended;
    bool has_ended = false;  // run()
    std::thread thread;
};

// A connection. It lives while the server lists it or one of its operations is pending.
class HttpConnection final : public Waiter,
                             public std::enable_shared_from_this<HttpConnection> {
  public:
    HttpConnection(Hub& server, UniqueFd socket, std::string address);
    ~HttpConnection() override;

    void start() { read_request(); }
    void close();
    // To a watcher: the state, or a comment after a long silence.
    void tell(const Text& event, std::uint64_t version, Clock::time_point now);
    void finish();

  private:
    enum class Phase : std::uint8_t { Idle, Reading, Answering, Writing, Watching, Leaving };

    void expire() override;
    void drop_unsent();
    void abandon();
    void await_input();
    void read_input();
    void read_request(std::string_view bytes = {});
    void enter(Phase phase, Milliseconds limit);
    void answer();
    void take(std::uint32_t number, Response response);
    void respond(Response response, bool keeps_alive);
    void written();
    void watch(const std::string& method);
    void send_event(const Text& event);
    void leave();

    Hub& server_;
    Descriptor socket_;
    std::string address_;
    RequestReader reader_;
    std::string head_;  // of the response being written
    Text body_;         // of that response; or the event
    Clock::time_point last_write_{};
    // Set when the request being answered is abandoned; null if there is none.
    std::shared_ptr<std::atomic<bool>> is_abandoned_;
    std::uint32_t number_ = 0;  // of the request being answered; replies to others are late
    Phase phase_ = Phase::Idle;
    bool is_open_ = true;
    bool is_waiting_ = false;  // for input
    bool is_head_ = false;     // the method of the request
    bool keeps_alive_ = true;  // after the response being written
    bool is_writing_ = false;
    std::uint64_t version_ = 0;  // of the last state sent to a watcher
};

HttpConnection::HttpConnection(Hub& server, UniqueFd socket, std::string address)
    : server_(server),
      socket_(*server.io),
      address_(std::move(address)),
      reader_(server.hosts) {
    socket_.assign(socket.get());
    socket.release();
    server_.deadlines.enroll(*this);
}

HttpConnection::~HttpConnection() { server_.deadlines.dismiss(*this); }

void HttpConnection::close() {
    if (!is_open_) return;
    is_open_ = false;
    abandon();
    server_.deadlines.clear(*this);
    error_code ignored;
    socket_.close(ignored);
    server_.release(address_);
    server_.close(*this);  // may destroy it
}

void HttpConnection::enter(Phase phase, Milliseconds limit) {
    phase_ = phase;
    server_.deadlines.set(*this, Clock::now() + limit);
}

void HttpConnection::expire() {
    const auto self = shared_from_this();
    if (phase_ == Phase::Reading) {
        respond(refuse_request(408, "the request did not come in time"), false);
    } else if (phase_ == Phase::Answering) {
        ++number_;
        abandon();
        respond(refuse_request(504, "no answer was found in time"), false);
    } else {
        if (is_writing_ || phase_ == Phase::Writing) drop_unsent();
        close();
    }
}

// Discards what the client has not read, which would stay in the kernel's memory.
void HttpConnection::drop_unsent() {
    const linger none{1, 0};
    ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

void HttpConnection::abandon() {
    if (is_abandoned_) *is_abandoned_ = true;
    is_abandoned_.reset();
}

// ---- reading ----

void HttpConnection::await_input() {
    if (std::exchange(is_waiting_, true)) return;
    socket_.async_wait(Descriptor::wait_read,
                       [self = shared_from_this()](const error_code& failed) {
                           self->is_waiting_ = false;
                           if (failed || !self->is_open_) return;
                           self->read_input();
                       });
}

void HttpConnection::read_input() {
    auto& scratch = server_.scratch;
    const auto size = ::read(socket_.native_handle(), scratch.data(), scratch.size());
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return await_input();
    // The client has hung up, or has closed its sending half and still takes a response.
    const bool is_request_pending = phase_ == Phase::Answering || phase_ == Phase::Writing;
    if (size == 0 && is_request_pending) return abandon();
    if (size <= 0) return close();
    if (phase_ == Phase::Watching) return close();  // a watcher must not send anything
    if (phase_ == Phase::Leaving) return await_input();
    const std::string_view bytes{scratch.data(), static_cast<std::size_t>(size)};
    if (!is_request_pending) return read_request(bytes);
    reader_.add(bytes);  // no more is read until they are answered
}

// Reads the next request as far as it has come.
void HttpConnection::read_request(std::string_view bytes) {
    switch (reader_.add(bytes)) {
        case RequestReader::State::Empty:
            if (phase_ != Phase::Idle || bytes.empty())
                enter(Phase::Idle, server_.options.idle);
            return await_input();
        case RequestReader::State::Partial:
            if (phase_ != Phase::Reading) enter(Phase::Reading, server_.options.request);
            return await_input();
        case RequestReader::State::Whole:
            return answer();
        case RequestReader::State::Refused:
            is_head_ = reader_.is_head();
            return respond(reader_.refusal(), false);
    }
}

// ---- answering ----

void HttpConnection::answer() {
    Request request = reader_.take();
    request.client = address_;
    is_head_ = request.method == "HEAD";
    keeps_alive_ = reader_.keeps_alive();
    enter(Phase::Answering, server_.options.reply);
    if (request.path == kLivePath && server_.live) return watch(request.method);
    is_abandoned_ = std::make_shared<std::atomic<bool>>(false);
    request.is_abandoned = is_abandoned_;
    await_input();
    Reply reply = [outlet = server_.outlet, weak = weak_from_this(),
                   number = ++number_](Response response) {
        const std::lock_guard lock(outlet->mutex);
        if (!outlet->io) return;
        asio::post(*outlet->io, [weak, number, response = std::move(response)]() mutable {
            if (const auto self = weak.lock()) self->take(number, std::move(response));
        });
    };
    try {
        server_.site.answer(std::move(request), std::move(reply));
    } catch (const std::exception&) {  // no memory
        ++number_;
        respond(too_busy("the server is busy"), false);
    }
}

void HttpConnection::take(std::uint32_t number, Response response) {
    if (!is_open_ || phase_ != Phase::Answering || number != number_) return;
    respond(std::move(response), keeps_alive_);
}

void HttpConnection::respond(Response response, bool keeps_alive) {
    is_abandoned_.reset();
    keeps_alive_ = keeps_alive;
    head_ = head_of(response, keeps_alive);
    body_ = is_head_ || response.status == 304 ? nullptr : std::move(response.body);
    enter(Phase::Writing, server_.options.write);
    const std::array<asio::const_buffer, 2> parts{
        asio::buffer(head_), body_ ? asio::buffer(*body_) : asio::const_buffer()};
    asio::async_write(socket_, parts,
                      [self = shared_from_this()](const error_code& failed, std::size_t) {
                          if (!self->is_open_) return;
                          failed ? self->close() : self->written();
                      });
}

void HttpConnection::written() {
    std::string().swap(head_);  // an idle connection holds no memory
    body_ = nullptr;
    is_head_ = false;
    if (keeps_alive_) return read_request();
    leave();
}

// Reads on until the client closes: unread bytes would reset the connection, and the client
// would lose the response.
void HttpConnection::leave() {
    ::shutdown(socket_.native_handle(), SHUT_WR);
    enter(Phase::Leaving, std::min(kLeave, server_.options.write));
    await_input();
}

// ---- watching ----

void HttpConnection::watch(const std::string& method) {
    if (method == "POST") {
        return respond(
            with_header(refuse_request(405, "expected GET or HEAD"), "Allow", "GET, HEAD"),
            keeps_alive_);
    }
    Response response;
    response.type = "text/event-stream";
    response.body = nullptr;
    if (is_head_) return respond(std::move(response), false);
    ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_SNDBUF, &kWatcherBuffer,
                 sizeof kWatcherBuffer);
    phase_ = Phase::Watching;
    send_event(std::make_shared<const std::string>(head_of(response, false)));
    await_input();
    server_.watch(*this);
}

void HttpConnection::tell(const Text& event, std::uint64_t version, Clock::time_point now) {
    static const Text kComment = std::make_shared<const std::string>(": keep-alive\n\n");
    if (is_writing_) return;
    if (std::exchange(version_, version) != version)
        send_event(event);
    else if (now - last_write_ >= server_.options.silence)
        send_event(kComment);
}

void HttpConnection::send_event(const Text& event) {
    body_ = event;
    is_writing_ = true;
    last_write_ = Clock::now();
    server_.deadlines.set(*this, last_write_ + server_.options.write);
    asio::async_write(socket_, asio::buffer(*body_),
                      [self = shared_from_this()](const error_code& failed, std::size_t) {
                          if (!self->is_open_) return;
                          if (failed) return self->close();
                          self->is_writing_ = false;
                          self->body_ = nullptr;
                          self->server_.deadlines.clear(*self);
                          if (self->server_.is_finishing) self->finish();
                      });
}

// At the end: a watcher gets the last state, if it has an older one.
void HttpConnection::finish() {
    if (is_writing_) return;
    if (phase_ == Phase::Watching && server_.last_event && version_ != server_.last_version)
        return tell(server_.last_event, server_.last_version, Clock::now());
    close();
}

// ---- the server: watchers ----

void Hub::watch(HttpConnection& connection) {
    watchers.push_back(&connection);
    live->watched_by(watchers.size());
    if (!std::exchange(is_ticking, true)) await_tick();
}

void Hub::await_tick() {
    const auto pause =
        std::max(options.live, Milliseconds(last_size * 1000 / options.live_rate));
    ticker->expires_at(Clock::real(std::max(Clock::now(), last_tick + pause)));
    ticker->async_wait([this](const error_code& cancelled) {
        if (!cancelled) tick();
    });
}

void Hub::tick() {
    is_ticking = !watchers.empty();
    if (!is_ticking) return;
    last_tick = Clock::now();
    await_tick();  // first, because the calls below may throw
    const LiveState now = live->snapshot();
    last_size = now.text->size();
    const auto event = std::make_shared<const std::string>("data: " + *now.text + "\n\n");
    last_event = event;
    last_version = now.version;
    for (HttpConnection* const watcher : watchers) watcher->tell(event, now.version, last_tick);
}

// ---- the server: connections ----

Hub::Hub(const ServerOptions& given, Site& answers, LiveSource* source,
         protocol::Listening listening)
    : options(given),
      site(answers),
      live(source),
      address(to_string(listening.endpoint)),
      hosts([&] {
          auto names = given.hosts;
          names.push_back(given.listen.host);
          return names;
      }()) {
    acceptor.emplace(*io, listening.socket.get());
    listening.socket.release();
    ticker.emplace(*io);
    outlet->io = io.get();
}

void Hub::start() {
    asio::co_spawn(*io, accept_all(), [](const std::exception_ptr&) {});
    thread = std::thread([this] { run(); });
}

void Hub::run() {
    for (;;) {
        try {
            io->run();
            break;
        } catch (const std::exception&) {  // no memory: one connection is lost
        }
    }
    const std::lock_guard lock(end_mutex);
    has_ended = true;
    ended.notify_all();
}

// TLS bridges still send what was written to them. Once they have, nothing is pending, and
// run() ends.
void Hub::stop() {
    if (!io) return;
    {
        const std::lock_guard lock(outlet->mutex);
        outlet->io = nullptr;
    }
    if (thread.joinable()) {
        asio::post(*io, [this] { finish(); });
        std::unique_lock lock(end_mutex);
        ended.wait_for(lock, options.drain, [this] { return has_ended; });
        lock.unlock();
        io->stop();
        thread.join();
    }
    compute.join();
    close_all();
    io.reset();
}

// Sends watchers the end; they are closed once they have it, the others at once.
void Hub::finish() {
    is_finishing = true;
    error_code ignored;
    acceptor->close(ignored);
    if (live && !watchers.empty()) tick();
    ticker.reset();
    std::vector<std::shared_ptr<HttpConnection>> open;
    for (const auto& [key, connection] : http_connections) open.push_back(connection);
    for (const auto& connection : open) connection->finish();
    if (http_connections.empty()) deadlines.close();
}

void Hub::close_all() {
    acceptor.reset();
    ticker.reset();
    while (!http_connections.empty()) {
        const auto connection = http_connections.begin()->second;
        connection->close();
    }
    deadlines.close();
}

Awaitable<void> Hub::accept_all() {
    const auto on_socket = [this](UniqueFd socket, const PeerAddress& peer) {
        admit(std::move(socket), peer);
    };
    return accept_connections(*acceptor, on_socket, [](const std::string&) {});
}

void Hub::admit(UniqueFd socket, const PeerAddress& peer) {
    if (connections >= options.connections) return send_away(socket, "the server is full");
    if (at_address[peer.counted] >= options.address_connections)
        return send_away(socket, "too many connections from this address");
    ++at_address[peer.counted];
    ++connections;
    if (!tls) return open(std::move(socket), peer.counted);
    try {  // a handshake that fails for lack of memory or files ends alone
        const auto ended_by = [this, address = peer.counted](const std::exception_ptr& failed) {
            if (failed) release(address);
        };
        asio::co_spawn(*io, shake_hands(std::move(socket), peer.counted), ended_by);
    } catch (const std::exception&) {
        release(peer.counted);
    }
}

// Answers before a request has come. Over TLS this would take a handshake, so it only closes.
void Hub::send_away(const UniqueFd& socket, std::string_view why) {
    if (tls) return;
    const Response response = too_busy(why);
    const std::string text = head_of(response, false) + *response.body;
    static_cast<void>(::write(socket.get(), text.data(), text.size()));
    ::shutdown(socket.get(), SHUT_WR);
    static_cast<void>(::read(socket.get(), scratch.data(), scratch.size()));
}

Awaitable<void> Hub::shake_hands(UniqueFd socket, std::string peer) {
    const auto until = Clock::now() + options.request;
    const EventLoop loop{*io, deadlines, compute};
    auto plain = co_await tls->bridge(loop, std::move(socket), {}, until);
    if (plain)
        open(*std::move(plain), std::move(peer));
    else
        release(peer);
}

void Hub::open(UniqueFd socket, std::string peer) {
    std::shared_ptr<HttpConnection> connection;
    try {
        connection = std::make_shared<HttpConnection>(*this, std::move(socket), peer);
        http_connections.emplace(connection.get(), connection);
    } catch (const std::exception&) {  // no memory, or no room in epoll
        return release(peer);
    }
    try {
        connection->start();
    } catch (const std::exception&) {
        connection->close();
    }
}

void Hub::release(const std::string& peer) {
    if (--at_address[peer] == 0) at_address.erase(peer);
    --connections;
}

void Hub::close(HttpConnection& connection) {
    if (std::erase(watchers, &connection) > 0) live->watched_by(watchers.size());
    http_connections.erase(&connection);
    if (is_finishing && http_connections.empty()) deadlines.close();  // then run() ends
}

}  // namespace

struct Server::Impl : Hub {
    using Hub::Hub;
};

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options, Site& site,
                                              LiveSource* live) {
    auto port =
        open_port(options, "where others can read and change what is sent", plain_reply());
    if (!port) return port.error();
    auto impl = std::make_unique<Impl>(options, site, live, std::move(port->listening));
    impl->options.connections = port->connections;
    impl->tls = std::move(port->tls);
    impl->start();
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;
const std::string& Server::address() const { return impl_->address; }
std::size_t Server::connections() const { return impl_->options.connections; }
void Server::stop() { impl_->stop(); }

}  // namespace arena::web

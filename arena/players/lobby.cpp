// All state of the lobby belongs to one thread, with one io_context; calls from other threads
// are posted to it, so it needs no lock. Each connection is a coroutine there: receive() runs
// the handshake under the limits of its address (Unproven), then wait_for_game() holds the
// player's Seat until a worker wants it or the connection ends. hand_over() gives the bare
// socket to the worker's thread; take_back() begins the wait again.
//
// A waiting bot costs a socket and a small coroutine, but no buffer: bytes that nobody asked
// for are read into one array shared by all. So a server has room for thousands of bots.
// Handshakes of TLS cost a thousand times the CPU time of a move, and are computed on a second
// thread, so that they do not delay moves through bridges. A thread for each connection was
// ruled out: its stack is far larger than such a coroutine.
#include "arena/players/lobby.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <exception>
#include <map>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/deadlines.hpp"
#include "arena/base/line_limit.hpp"
#include "arena/players/conversation.hpp"
#include "arena/players/diagnosis.hpp"
#include "arena/players/server_port.hpp"
#include "arena/players/sockets.hpp"
#include "arena/players/tls.hpp"
#include "arena/players/tokens.hpp"
#include "protocol/sockets.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using protocol::Error;
using protocol::Fault;
using protocol::Result;
using protocol::UniqueFd;
using Descriptor = asio::posix::stream_descriptor;
using Work = asio::executor_work_guard<asio::io_context::executor_type>;

constexpr std::chrono::seconds kUsualHandshake{1};
constexpr int kGamesForAbsence = 20;  // games played that make up for one --absence
constexpr std::size_t kMostHandshakeBytes = 16384;  // up to `ugiok`
constexpr std::size_t kMostUnasked = 64 * 1024;  // bytes from a waiting bot between questions
constexpr Milliseconds kClosing{300};            // for the last writes
constexpr char kSpeaksTls[] = "refused tls: this port speaks TLS; connect.py needs --tls\n";
constexpr std::string_view kCrowded =
    "too many connections from this address shake hands: come again later";
constexpr std::string_view kReady = "readyok";
constexpr std::string_view kReplaced = "replaced: another connection came with the same token";

Error has_left(std::string why) { return {Fault::Disconnected, std::move(why), 0}; }

// A waiting connection. It has no buffer of its own.
struct WaitingConnection {
    WaitingConnection(asio::io_context& io, LobbySession given)
        : socket(io), session(std::move(given)) {
        socket.assign(session.socket.get());  // if it throws, the session closes the socket
        session.socket.release();
    }

    Descriptor socket;
    LobbySession session;      // without the socket
    bool is_replaced = false;  // by a newer connection with the same token
};
using SharedConnection = std::shared_ptr<WaitingConnection>;

// Does not wait: short lines fit the socket's buffer, unless the peer has stopped reading.
void say(int socket, std::string_view line) {
    static_cast<void>(::write(socket, line.data(), line.size()));
}
void say(WaitingConnection& peer, std::string_view line) {
    say(peer.socket.native_handle(), line);
}

void send_away(int socket, std::string_view why) {
    refuse(socket, fmt::format("refused {}\n", why));
}
void send_away(WaitingConnection& peer, std::string_view why) {
    send_away(peer.socket.native_handle(), why);
}

}  // namespace

struct Lobby::Impl {
    // A game slot that waits for its player: answered on the lobby's thread, woken on the
    // slot's.
    struct Request {
        explicit Request(const asio::any_io_executor& executor)
            : woken(executor, SteadyClock::time_point::max()) {}
        asio::steady_timer woken;
        std::optional<Result<LobbySession>> answer;  // none: the game is called off
    };
    // A player's place: at most one connection waits, and one is at a table.
    struct Seat {
        SharedConnection waiting;
        bool at_table = false;
        UniqueFd farewell;           // at a table: a copy of the socket, for `quit` at the end
        bool wants_notices = false;  // its connection at a table
        Clock::time_point gone_since = Clock::now();
        // How long games have waited for it; shrinks with each game that it completes.
        Clock::duration waited_for{};
        std::deque<std::shared_ptr<Request>> requests;  // of slots that wait for it
        std::unique_ptr<asio::steady_timer> returns;    // in await_return() only

        bool is_there() const { return waiting || at_table; }
        bool is_wanted() const { return !requests.empty() && !at_table; }
    };
    Impl(const LobbyOptions& given, protocol::Listening listening)
        : options(given),
          address(to_string(listening.endpoint)),
          io(std::make_unique<asio::io_context>(1)),
          deadlines(*io),
          door(std::make_unique<Descriptor>(*io, listening.socket.release())) {}
    ~Impl() {
        busy.reset();
        if (thread.joinable()) thread.join();
        compute.join();
        // Coroutines that are dropped now still use the deadlines in their destructors.
        deadlines.close();
        seats.clear();
        closing_timer.reset();
        door.reset();
        io.reset();
    }

    void run() {
        for (;;) {
            try {
                io->run();
                return;
            } catch (const std::exception& failed) {  // out of memory
                complain(failures, failed.what());
            }
        }
    }

    // ---- accepting ----

    Awaitable<void> accept_all() {
        const auto on_socket = [this](UniqueFd socket, PeerAddress origin) {
            welcome(std::move(socket), std::move(origin));
        };
        const auto on_trouble = [this](const std::string& why) { complain(failures, why); };
        return accept_connections(*door, on_socket, on_trouble);
    }

    void welcome(UniqueFd socket, PeerAddress origin) {
        std::string_view why;
        if (present - chores + at_tables >= options.connections)
            why = "the server is full: come again later";
        const auto here = unproven.find(origin.counted);
        const bool is_crowded =
            here != unproven.end() && here->second.size() >= options.unproven;
        if (why.empty() && is_crowded && !make_room(here->second)) why = kCrowded;
        if (!why.empty() && tls) return;  // the reason could be sent only after a handshake
        if (!why.empty()) return send_away(socket.get(), why);
        spawn(receive(std::move(socket), std::move(origin)));
    }

    // Runs the coroutine of a connection, or a chore, which has none. An exception ends only
    // this coroutine.
    void spawn(Awaitable<void> conversation, bool is_chore = false) {
        ++present;
        chores += is_chore ? 1 : 0;
        const auto ended = [this, is_chore](const std::exception_ptr& error) {
            --present;
            chores -= is_chore ? 1 : 0;
            if (error) complain(failures, "a connection was dropped: " + words_of(error));
            if (closing && !tls && present == 0) io->stop();  // with TLS, bridges may be busy
        };
        asio::co_spawn(*io, std::move(conversation), ended);
    }

    void complain(LineLimit& limit, const std::string& what) {
        if (const auto more = limit.show(Clock::now())) events.trouble(what + *more);
    }

    static std::string words_of(const std::exception_ptr& error) {
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& failed) {
            return failed.what();
        }
    }

    // Counts a connection against the limit of its address, until it has shown a token or has
    // made room for another.
    class Unproven {
      public:
        Unproven(Impl& lobby, std::string address)
            : lobby_(lobby), address_(std::move(address)) {
            lobby_.unproven[address_].push_back(this);
        }
        ~Unproven() { leave(); }
        Unproven(const Unproven&) = delete;
        Unproven& operator=(const Unproven&) = delete;

        // The stage of its handshake: TLS on this socket, then the protocol, or its refusal.
        void is_at(int socket) { tls_socket_.reset(::fcntl(socket, F_DUPFD_CLOEXEC, 0)); }
        void is_at(Connection* connection) {
            tls_socket_.reset();
            connection_ = connection;
        }
        void is_refused(WaitingConnection& peer) { refused_ = &peer; }
        bool is_silent() const { return connection_ == nullptr || !connection_->heard(); }
        bool is_old() const { return Clock::now() - began_ > kUsualHandshake; }
        // Ends its handshake.
        void make_room() {
            leave();
            has_made_room_ = true;
            if (tls_socket_) ::shutdown(tls_socket_.get(), SHUT_RDWR);
            if (connection_ != nullptr) connection_->peer_ended();
            if (refused_ != nullptr) ::shutdown(refused_->socket.native_handle(), SHUT_RDWR);
        }
        bool has_made_room() const { return has_made_room_; }

      private:
        void leave() {
            const auto here = lobby_.unproven.find(address_);
            if (here == lobby_.unproven.end()) return;
            std::erase(here->second, this);
            if (here->second.empty()) lobby_.unproven.erase(here);
        }

        Impl& lobby_;
        const std::string address_;
        const Clock::time_point began_ = Clock::now();
        UniqueFd tls_socket_;
        Connection* connection_ = nullptr;
        WaitingConnection* refused_ = nullptr;
        bool has_made_room_ = false;
    };

    // Many bots may share an address, such as those of a class. So the oldest connection that
    // has sent nothing, was refused, or has taken long, ends. False: all are new and active.
    static bool make_room(const std::vector<Unproven*>& here) {
        auto oldest = std::ranges::find_if(here, &Unproven::is_silent);
        if (oldest == here.end()) oldest = std::ranges::find_if(here, &Unproven::is_old);
        if (oldest == here.end()) return false;
        (*oldest)->make_room();
        return true;
    }

    // ---- from the first byte to the lobby ----

    Awaitable<void> receive(UniqueFd socket, PeerAddress origin) {
        const auto deadline = Clock::now() + options.handshake;
        std::optional<Unproven> counted(std::in_place, *this, origin.counted);
        const EventLoop loop{*io, deadlines, compute};
        if (tls) {
            counted->is_at(socket.get());
            auto bridged = co_await tls->bridge(loop, std::move(socket), {}, deadline);
            if (!bridged || counted->has_made_room()) co_return;
            socket = *std::move(bridged);
        }
        LobbySession session;
        session.address = origin.shown;
        auto connection = std::make_unique<Connection>(loop, std::move(socket), UniqueFd(),
                                                       kMostHandshakeBytes);
        counted->is_at(connection.get());
        const Result<int> player = co_await shake_hands(*connection, session, deadline);
        counted->is_at(static_cast<Connection*>(nullptr));
        session.socket = connection->release();
        connection.reset();
        const auto peer = std::make_shared<WaitingConnection>(*io, std::move(session));
        if (counted->has_made_room()) co_return send_away(*peer, kCrowded);
        if (!player) {
            const std::string& why = player.error().text;
            if (player.error().fault == Fault::BadInput)  // whose text never has a token
                complain(refused[why.substr(0, why.find_first_of("'0123456789"))],
                         fmt::format("{} was refused: {}", peer->session.address, why));
            send_away(*peer, why);
            counted->is_refused(*peer);
            // Closing at once could lose the line.
            const auto until = std::max(deadline, Clock::now() + Milliseconds(1000));
            co_await wait_for_end(*peer, until);
            co_return;
        }
        counted.reset();
        co_await wait_for_game(*player, peer, true);
    }

    Awaitable<void> wait_for_end(WaitingConnection& peer, Clock::time_point deadline) {
        for (;;) {
            const bool readable = co_await wait_readable(peer.socket, deadlines, deadline);
            if (!readable || !read_some(peer, nullptr)) co_return;
        }
    }

    // From `ugi` to the first `readyok`. Returns the player's number.
    Awaitable<Result<int>> shake_hands(Connection& connection, LobbySession& session,
                                       Clock::time_point deadline) {
        Conversation talk(connection);
        const auto done = co_await talk.shake_hands(deadline, {});
        if (!done) co_return handshake_error(done.error(), "ugiok", talk, connection);
        const Introduction& told = talk.introduction();
        const auto name = find_owner(told.token);
        if (!name) co_return name.error();
        static_cast<Introduction&>(session) = told;
        session.token.clear();
        session.options.clear();
        const auto asked = Clock::now();
        const auto ready = co_await talk.ask("isready\n", "readyok", deadline);
        if (!ready) co_return handshake_error(ready.error(), "readyok", talk, connection);
        session.round_trip = std::chrono::duration_cast<Microseconds>(Clock::now() - asked);
        co_return events.admit(*name);
    }

    // Of a handshake in which the line `awaited` did not come.
    Error handshake_error(Error error, std::string_view awaited, const Conversation& talk,
                          const Connection& connection) const {
        if (error.fault == Fault::TimedOut) {
            const Silence silence{awaited, talk.last_line(), connection.unfinished()};
            const bool has_end = silence.unfinished.empty();
            const auto heard = has_end ? silence.last_line : without_secret(silence.unfinished);
            std::string advice = word_advice(silence);
            if (advice.empty() && !has_end) advice = kNoLineEnd;
            error.text = fmt::format("handshake: no '{}' within {} ms, read {}{}{}", awaited,
                                     options.handshake.count(),
                                     heard.empty() ? "nothing" : protocol::quoted(heard),
                                     advice.empty() ? "" : "; ", advice);
        }
        if (error.fault == Fault::TooLong) {
            error.text =
                fmt::format("handshake: read {} bytes without 'ugiok', expected a shorter one",
                            kMostHandshakeBytes);
        }
        if (error.fault == Fault::BadInput && !error.text.starts_with("token:"))
            error.text = "handshake: " + error.text;
        return error;
    }

    Result<std::string> find_owner(const std::string& token) {
        if (token.empty()) {
            return bad_input("token: read 'ugiok', expected 'id token SECRET' before it");
        }
        const auto read = tokens.refresh();
        if (!read) {
            events.trouble(fmt::format(
                "the old tokens stay valid: the file has changed, but {}", read.error().text));
        }
        if (const auto owner = tokens.tokens().owner(token)) return std::string(*owner);
        return bad_input(
            "token: no player here has this one; ask who runs the server for another");
    }

    // ---- the wait for a game ----

    // Returns when the player is wanted at a table, or has gone. `is_new`: not from a table.
    Awaitable<void> wait_for_game(int player, SharedConnection peer, bool is_new) {
        Seat& seat = seats[player];
        const bool was_there = seat.is_there();
        if (seat.waiting && seat.waiting != peer) {
            seat.waiting->is_replaced = true;  // the older one may be dead without notice
            wake(*seat.waiting);
        }
        seat.waiting = peer;
        std::string why;
        try {
            if (is_new && !was_there) events.came(player, peer->session);
            if (is_new && peer->session.wants_notices)
                say(*peer, fmt::format("info notice {}\n", events.greet(player)));
            if (seat.returns) seat.returns->cancel();
            why = co_await keep(player, seat, *peer);
        } catch (const std::exception& failed) {  // the seat must be freed
            why = failed.what();
        }
        if (seat.waiting == peer) {
            seat.waiting.reset();
            leave(player, seat, why);
        }
    }

    // Returns why the connection has gone; empty if another reason ends the wait.
    Awaitable<std::string> keep(int player, Seat& seat, WaitingConnection& peer) {
        std::string why;
        while (why.empty()) {
            if (peer.is_replaced) {
                send_away(peer, kReplaced);
                break;
            }
            if (closing) {
                dismiss(player, peer);
                break;
            }
            if (seat.is_wanted()) {
                hand_over(seat, peer);
                break;
            }
            why = co_await look_after(seat, peer);
        }
        co_return why;
    }

    static void wake(WaitingConnection& peer) {
        error_code ignored;
        peer.socket.cancel(ignored);
    }

    void leave(int player, Seat& seat, const std::string& why) {
        if (seat.is_there()) return;
        seat.gone_since = Clock::now();
        if (!shut) events.left(player, why);
        await_if_wanted(player, seat);
    }

    // One round of waiting: drops what the bot writes, then sends `isready`. Returns why the
    // connection has gone; empty: it has not.
    Awaitable<std::string> look_after(const Seat& seat, WaitingConnection& peer) {
        std::size_t unasked = 0;
        const auto ask_at = Clock::now() + options.idle;
        while (Clock::now() < ask_at) {
            const bool readable = co_await wait_readable(peer.socket, deadlines, ask_at);
            if (seat.is_wanted() || peer.is_replaced || closing) co_return std::string();
            if (!readable) continue;
            const auto read = read_some(peer, nullptr);
            if (!read) co_return read.error().text;
            unasked += *read;
            if (unasked > kMostUnasked) {
                send_away(peer, "too much was said that nobody asked for");
                co_return std::string("it said too much out of turn");
            }
        }
        co_return co_await ask_whether_ready(peer);
    }

    Awaitable<std::string> ask_whether_ready(WaitingConnection& peer) {
        const auto asked = Clock::now();
        const auto deadline = asked + options.answer.value_or(options.idle);
        std::string heard;  // the last bytes, because the word may come in pieces
        std::size_t said = 0;
        bool ready = false;
        say(peer, "isready\n");
        while (!ready && said <= kMostUnasked) {
            const bool readable = co_await wait_readable(peer.socket, deadlines, deadline);
            if (peer.is_replaced || closing) co_return std::string();
            if (!readable && Clock::now() >= deadline) break;
            if (!readable) continue;  // wanted at a table: handed over after the answer
            const auto read = read_some(peer, &heard);
            if (!read) co_return read.error().text;
            said += *read;
            ready = heard.find(kReady) != heard.npos;
            heard.erase(0, heard.size() - std::min(heard.size(), kReady.size() - 1));
        }
        if (!ready) {
            send_away(peer, "no 'readyok' came in time");
            co_return std::string("it did not answer 'isready' in time");
        }
        peer.session.round_trip =
            std::chrono::duration_cast<Microseconds>(Clock::now() - asked);
        co_return std::string();
    }

    // Returns the number of bytes read, and appends them to `heard`.
    Result<std::size_t> read_some(WaitingConnection& peer, std::string* heard) {
        const auto size = ::read(peer.socket.native_handle(), scratch.data(), scratch.size());
        if (size == 0) return has_left("it closed the connection");
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) return std::size_t{0};
        if (size < 0) return has_left(std::generic_category().message(errno));
        if (heard != nullptr) heard->append(scratch.data(), static_cast<std::size_t>(size));
        return static_cast<std::size_t>(size);
    }

    // ---- to a table and back ----

    void want(int player, std::shared_ptr<Request> request) {
        Seat& seat = seats[player];
        seat.requests.push_back(std::move(request));
        if (seat.waiting) return wake(*seat.waiting);
        if (!seat.at_table) await_if_wanted(player, seat);
    }

    void await_if_wanted(int player, const Seat& seat) {
        const bool is_awaited = seat.returns != nullptr;
        if (!seat.requests.empty() && !is_awaited) spawn(await_return(player), true);
    }

    // Runs while slots wait for an absent player.
    Awaitable<void> await_return(int player) {
        Seat& seat = seats[player];
        if (events.may_wait && !seat.is_there() && !shut && !events.may_wait(player)) {
            while (!seat.requests.empty()) answer(seat, std::nullopt);
            co_return;
        }
        seat.returns = std::make_unique<asio::steady_timer>(*io);
        const auto began = Clock::now();
        const auto spent = options.sums_absence ? seat.waited_for : Clock::duration::zero();
        const auto patience =
            std::max<Clock::duration>(options.absence - spent, Clock::duration::zero());
        const auto until = [&] {
            return std::min(seat.gone_since + options.absence, began + patience);
        };
        const auto wait = std::chrono::ceil<std::chrono::seconds>(until() - began);
        if (!seat.is_there() && !shut && wait.count() > 0 && events.awaited)
            events.awaited(player, wait);
        while (!seat.is_there() && !seat.requests.empty() && !shut && Clock::now() < until()) {
            seat.returns->expires_at(Clock::real(until()));
            error_code ignored;
            co_await seat.returns->async_wait(
                asio::redirect_error(asio::use_awaitable, ignored));
        }
        seat.returns.reset();
        const auto now = Clock::now();
        seat.waited_for += now - began;
        if (seat.is_there()) co_return;
        const auto absent =
            std::chrono::duration_cast<std::chrono::seconds>(now - seat.gone_since);
        while (!seat.requests.empty()) {
            if (now < until()) {  // the lobby is shut
                answer(seat, std::nullopt);
                continue;
            }
            std::string why =
                fmt::format("it was not connected, for {} s by then", absent.count());
            if (now < seat.gone_since + options.absence)
                why += "; it has left games so often that no more wait for it";
            answer(seat, has_left(std::move(why)));
        }
    }

    void hand_over(Seat& seat, WaitingConnection& peer) {
        LobbySession session = std::move(peer.session);
        session.socket.reset(peer.socket.release());
        seat.waiting.reset();
        seat.at_table = true;
        seat.wants_notices = session.wants_notices;
        seat.farewell.reset(::fcntl(session.socket.get(), F_DUPFD_CLOEXEC, 0));
        ++at_tables;
        answer(seat, std::move(session));
    }

    // Answers the slot that has waited longest.
    static void answer(Seat& seat, std::optional<Result<LobbySession>> result) {
        const auto request = std::move(seat.requests.front());
        seat.requests.pop_front();
        request->answer = std::move(result);
        // Posted to the slot's own thread: so the cancel never comes before its wait.
        const auto executor = request->woken.get_executor();
        asio::post(executor, [request] { request->woken.cancel(); });
    }

    void take_back(int player, LobbySession session, std::string why) {
        Seat& seat = seats[player];
        seat.at_table = false;
        seat.farewell.reset();
        --at_tables;
        SharedConnection peer;
        try {
            if (session.socket)
                peer = std::make_shared<WaitingConnection>(*io, std::move(session));
        } catch (const std::exception& failed) {
            why = failed.what();
            complain(failures, "a connection was dropped: " + why);
        }
        if (!peer) {
            if (seat.waiting) wake(*seat.waiting);  // a newer connection, which may be wanted
            return leave(player, seat, why);
        }
        if (closing) return dismiss(player, *peer);
        seat.waited_for -=
            std::min<Clock::duration>(seat.waited_for, options.absence / kGamesForAbsence);
        if (seat.waiting) {
            send_away(*peer, kReplaced);
            return wake(*seat.waiting);
        }
        spawn(wait_for_game(player, peer, false));
    }

    // ---- the end ----

    void shut_door() {
        shut = true;
        error_code ignored;
        door->close(ignored);
        for (auto& [player, seat] : seats) {
            if (seat.returns) seat.returns->cancel();
        }
    }

    void dismiss(int player, WaitingConnection& peer) {
        say(peer, last_words(player, peer.session.wants_notices));
    }

    std::string last_words(int player, bool wants_notices) const {
        const auto notice = last_notices.find(player);
        if (!wants_notices || notice == last_notices.end()) return "quit\n";
        return fmt::format("info notice {}\nquit\n", notice->second);
    }

    void close(std::map<int, std::string> notices) {
        last_notices = std::move(notices);
        shut_door();
        closing = true;
        std::size_t untold = 0;
        for (const auto& [why, limit] : refused) untold += limit.left_out();
        if (untold > 0)
            events.trouble(counted(untold, "more connection") +
                           " refused, for reasons told before");
        for (auto& [player, seat] : seats) {
            if (seat.waiting) wake(*seat.waiting);
            if (seat.at_table) say(seat.farewell.get(), last_words(player, seat.wants_notices));
        }
        if (!tls && present == 0) return io->stop();
        closing_timer = std::make_unique<asio::steady_timer>(*io, kClosing);
        closing_timer->async_wait([this](const error_code&) { io->stop(); });
    }

    LobbyOptions options;
    std::string address;
    std::shared_ptr<const Tls> tls;
    TokenFile tokens;
    LobbyEvents events;
    std::unique_ptr<asio::io_context> io;
    // Up to close(), because slots may ask for a player even if no connection is left.
    std::optional<Work> busy{io->get_executor()};
    Deadlines deadlines;
    std::unique_ptr<Descriptor> door;
    std::unique_ptr<asio::steady_timer> closing_timer;
    std::map<int, Seat> seats;
    std::size_t present = 0;    // coroutines: connections not at tables, and chores
    std::size_t chores = 0;     // accept_all(), and await_return() for absent players
    std::size_t at_tables = 0;  // connections
    LineLimit failures;         // connections that ended by an exception, or could not begin
    std::map<std::string, LineLimit>
        refused;  // handshakes, by why, up to what that quotes or counts
    std::map<std::string, std::vector<Unproven*>> unproven;  // by address, the oldest first
    std::array<char, 4096> scratch;
    std::map<int, std::string> last_notices;  // by player, once it closes
    bool shut = false;
    bool closing = false;
    asio::thread_pool compute{1};
    std::thread thread;
};

Lobby::Lobby(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Lobby::~Lobby() { close(); }

Result<std::unique_ptr<Lobby>> Lobby::open(const LobbyOptions& options) {
    TokenFile tokens;
    const auto read = tokens.open(options.tokens);
    if (!read) return read.error();
    auto port = open_port(options, "and whoever listens there reads the tokens", kSpeaksTls);
    if (!port) return port.error();
    auto impl = std::make_unique<Impl>(options, std::move(port->listening));
    impl->options.connections = port->connections;
    impl->tls = std::move(port->tls);
    impl->tokens = std::move(tokens);
    return std::unique_ptr<Lobby>(new Lobby(std::move(impl)));
}

const std::string& Lobby::address() const { return impl_->address; }

std::size_t Lobby::connections() const { return impl_->options.connections; }

std::vector<std::string> Lobby::warnings() const {
    std::vector<std::string> all{impl_->tokens.tokens().warning()};
    if (impl_->tls) all.push_back(impl_->tls->warning());
    std::erase(all, "");
    return all;
}

void Lobby::start(LobbyEvents events) {
    impl_->events = std::move(events);
    impl_->spawn(impl_->accept_all(), true);
    impl_->thread = std::thread([this] { impl_->run(); });
}

Awaitable<Result<LobbySession>> Lobby::take(int player) {
    const auto executor = co_await asio::this_coro::executor;
    const auto request = std::make_shared<Impl::Request>(executor);
    asio::post(*impl_->io,
               [impl = impl_.get(), player, request] { impl->want(player, request); });
    error_code woken;
    co_await request->woken.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (!request->answer) throw GameCalledOff();
    Result<LobbySession> answer = *std::move(request->answer);
    co_return answer;
}

void Lobby::give_back(int player, LobbySession session, std::string why) {
    const auto shared = std::make_shared<LobbySession>(std::move(session));
    asio::post(*impl_->io, [impl = impl_.get(), player, shared, why = std::move(why)] {
        impl->take_back(player, std::move(*shared), why);
    });
}

void Lobby::run_there(std::function<void()> work) { asio::post(*impl_->io, std::move(work)); }

void Lobby::shut() {
    asio::post(*impl_->io, [impl = impl_.get()] { impl->shut_door(); });
}

void Lobby::close(std::map<int, std::string> last_notices) {
    if (!impl_->thread.joinable()) return;
    asio::post(*impl_->io, [impl = impl_.get(), notices = std::move(last_notices)]() mutable {
        impl->close(std::move(notices));
    });
    impl_->thread.join();
    // Frees the requests while the threads of their slots still exist.
    impl_->seats.clear();
}

}  // namespace arena

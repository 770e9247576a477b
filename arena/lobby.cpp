#include "arena/lobby.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
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

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "arena/deadlines.hpp"
#include "arena/line_limit.hpp"
#include "arena/player_spec.hpp"
#include "arena/sockets.hpp"
#include "arena/tls.hpp"
#include "arena/tokens.hpp"
#include "protocol/line_buffer.hpp"
#include "protocol/message.hpp"
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

constexpr Milliseconds kFirstPenalty{100};  // for a wrong token; doubled for each further one
constexpr Milliseconds kMostPenalty{2000};
constexpr std::chrono::seconds kForgive{60};  // after the last wrong one
constexpr std::size_t kMostOffenders = 10'000;
constexpr std::size_t kMostUnasked = 64 * 1024;  // bytes between two questions to one who waits
constexpr int kMostInARow = 16;  // that are let in before others on the thread have their turn
constexpr Milliseconds kRetryAccept{100};        // where no file descriptor is left
constexpr Milliseconds kFarewell{300};           // for what is under way
constexpr std::size_t kMaxId = 1000;
constexpr std::size_t kFilesOfTls = 3;    // of a connection: its socket, and a pair to bridge it
constexpr std::size_t kOtherFiles = 256;  // the record, logs, the server's own players
constexpr std::string_view kReady = "readyok";
constexpr std::string_view kReplaced = "another connection came with the same token";

Error disconnected(std::string why) { return {Fault::Disconnected, std::move(why), 0}; }

// As many files as this process may open, which are raised to that.
std::size_t raise_file_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

// As many connections as fit into the limit of files: all that were asked for, or, where nobody
// did, what there is.
Result<std::size_t> connections_within(const LobbyOptions& options, std::size_t files) {
    const std::size_t each = options.certificate.empty() ? 1 : kFilesOfTls;
    const std::size_t most = (files - std::min(files, kOtherFiles)) / each;
    if (options.connections <= most) return options.connections;
    if (most > 0 && !options.connections_given) return most;
    return Error{Fault::BadInput,
                 fmt::format("--connections: read {}, and this process may open {} files, which "
                             "is enough for {}; expected no more, or a higher hard limit "
                             "(ulimit -Hn {}, or LimitNOFILE of a systemd service)",
                             options.connections, files, most,
                             options.connections * each + kOtherFiles),
                 0};
}

// Who dialled, as it is shown, and as it is counted: of IPv6 a whole /64, which one customer
// has.
struct Origin {
    std::string shown;
    std::string counted;
};
Origin origin_of(const sockaddr_storage& address) {
    if (address.ss_family == AF_INET6) {
        const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
        asio::ip::address_v6::bytes_type bytes{};
        std::copy_n(six.sin6_addr.s6_addr, bytes.size(), bytes.begin());
        const asio::ip::address_v6 full(bytes);
        const std::string shown =
            fmt::format("[{}]:{}", full.to_string(), ntohs(six.sin6_port));
        if (full.is_v4_mapped() || full.is_loopback()) return {shown, full.to_string()};
        std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
        return {shown, asio::ip::address_v6(bytes).to_string()};
    }
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    const asio::ip::address_v4 plain(ntohl(four.sin_addr.s_addr));
    return {fmt::format("{}:{}", plain.to_string(), ntohs(four.sin_port)), plain.to_string()};
}

// A connection on the lobby's thread. Nothing is read before it is there, so that one who waits
// needs no buffer.
struct Visitor {
    Visitor(asio::io_context& io, UniqueFd connected, std::string from)
        : socket(io), address(std::move(from)) {
        socket.assign(connected.get());  // closed where that throws, too
        connected.release();
    }

    Descriptor socket;
    std::string address;
    std::string id;
    bool lists_legal_moves = false;
    Microseconds round_trip{};
    bool is_replaced = false;  // by another with its token
};
using SharedVisitor = std::shared_ptr<Visitor>;

// What is small enough for the socket's own buffer, else nothing more will be heard of it.
void say(Visitor& visitor, std::string_view line) {
    static_cast<void>(::write(visitor.socket.native_handle(), line.data(), line.size()));
}

// By one line, and then the end.
void send_away(Visitor& visitor, std::string_view why) {
    say(visitor, fmt::format("refused {}\n", why));
    // What it has sent and nobody has read would reset the connection, and lose that line.
    std::array<char, 4096> unread;
    for (int i = 0; i < 64; ++i) {
        const auto size = ::read(visitor.socket.native_handle(), unread.data(), unread.size());
        if (size <= 0) break;
    }
    ::shutdown(visitor.socket.native_handle(), SHUT_WR);
}

}  // namespace

struct Lobby::Impl {
    // A slot that waits for its player: answered on the lobby's thread, woken on its own.
    struct Request {
        explicit Request(const asio::any_io_executor& executor)
            : woken(executor, Clock::time_point::max()) {}
        asio::steady_timer woken;
        std::optional<Result<Guest>> answer;  // none: it is called off
    };
    // A player's place: at most one connection waits there, and one is at a table.
    struct Seat {
        SharedVisitor waiting;
        bool at_table = false;
        Clock::time_point gone_since = Clock::now();
        std::deque<std::shared_ptr<Request>> requests;  // of slots that wait for it
        std::unique_ptr<asio::steady_timer> returns;    // made on need

        bool is_there() const { return waiting || at_table; }
        bool is_wanted() const { return !requests.empty() && !at_table; }
    };
    struct Offences {
        int count = 0;
        Clock::time_point last{};
    };
    // Where handshakes of TLS are done.
    struct Gate {
        ~Gate() { end(); }
        void start() {
            thread = std::thread([this] { run(); });
        }
        void run() {
            for (;;) {
                try {
                    io->run();
                    return;
                } catch (const std::exception&) {  // for want of memory: the others go on
                }
            }
        }
        void end() {
            if (thread.joinable()) {
                busy.reset();
                io->stop();
                thread.join();
            }
            deadlines.close();
            busy.reset();
            io.reset();
        }

        std::unique_ptr<asio::io_context> io = std::make_unique<asio::io_context>(1);
        std::optional<Work> busy{io->get_executor()};
        Deadlines deadlines{*io};
        std::thread thread;
    };
    struct Lines {
        protocol::LineBuffer buffer{64 * 1024};
        std::size_t bytes = 0;
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
        gate.end();
        // What is dropped in the middle uses the deadlines up to its end.
        deadlines.close();
        seats.clear();
        farewell.reset();
        door.reset();
        io.reset();
    }

    void run() {
        for (;;) {
            try {
                io->run();
                return;
            } catch (const std::exception& failed) {  // for want of memory
                complain(failures, failed.what());
            }
        }
    }

    // ---- the door ----

    Awaitable<void> accept_all() {
        int in_a_row = 0;
        while (!shut) {
            sockaddr_storage from{};
            socklen_t size = sizeof from;
            UniqueFd socket(::accept4(door->native_handle(), reinterpret_cast<sockaddr*>(&from),
                                      &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
            const int error = errno;
            if (socket) {
                try {
                    welcome(std::move(socket), origin_of(from));
                } catch (const std::exception& failed) {
                    complain(failures,
                             fmt::format("a connection was dropped: {}", failed.what()));
                }
                if (++in_a_row % kMostInARow == 0)
                    co_await asio::post(*io, asio::use_awaitable);
                continue;
            }
            if (error == EINTR || error == ECONNABORTED) continue;
            error_code ended;
            if (error == EAGAIN) {
                co_await door->async_wait(Descriptor::wait_read,
                                          asio::redirect_error(asio::use_awaitable, ended));
            } else if (!shut) {  // no file descriptor, no memory: there may be some later
                complain(refusals, fmt::format("nobody can be let in for now: {}",
                                               std::generic_category().message(error)));
                asio::steady_timer pause(*io, kRetryAccept);
                co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, ended));
            }
        }
    }

    void welcome(UniqueFd socket, Origin origin) {
        protocol::set_socket_options(socket.get());
        std::string_view why;
        if (present - chores + at_tables >= options.connections)
            why = "the server is full: come again later";
        const auto here = unproven.find(origin.counted);
        if (why.empty() && here != unproven.end() && here->second >= options.unproven)
            why = "too many connections from this address shake hands: come again later";
        if (!why.empty() && !tls) {
            Visitor visitor(*io, std::move(socket), origin.shown);
            return send_away(visitor, why);
        }
        if (!why.empty()) return;  // it would take a handshake to tell
        spawn(receive(std::move(socket), std::move(origin)));
    }

    // A conversation of the lobby's, or a chore, which is none with a connection. One that fails
    // for want of memory or of files ends alone.
    void spawn(Awaitable<void> conversation, bool is_chore = false) {
        ++present;
        chores += is_chore ? 1 : 0;
        const auto ended = [this, is_chore](const std::exception_ptr& error) {
            --present;
            chores -= is_chore ? 1 : 0;
            if (error) complain(failures, "a connection was dropped: " + words_of(error));
            if (closing && !tls && present == 0) io->stop();  // bridges may still carry
        };
        asio::co_spawn(*io, std::move(conversation), ended);
    }

    // On the lobby's thread, too.
    void complain(LineLimit& limit, const std::string& what) {
        if (const auto more = limit.tell(Clock::now())) events.trouble(what + *more);
    }

    static std::string words_of(const std::exception_ptr& error) {
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& failed) {
            return failed.what();
        } catch (...) {
            return "an unknown error";
        }
    }

    // Counts a connection of an address until it has proven who it is.
    class Stranger {
      public:
        Stranger(Impl& lobby, std::string address)
            : lobby_(lobby), address_(std::move(address)) {
            ++lobby_.unproven[address_];
        }
        ~Stranger() {
            const auto here = lobby_.unproven.find(address_);
            if (--here->second == 0) lobby_.unproven.erase(here);
        }
        Stranger(const Stranger&) = delete;
        Stranger& operator=(const Stranger&) = delete;

      private:
        Impl& lobby_;
        std::string address_;
    };

    // ---- from the first byte to the lobby ----

    Awaitable<void> receive(UniqueFd socket, Origin origin) {
        const auto deadline = Clock::now() + options.handshake;
        std::optional<Stranger> stranger(std::in_place, *this, origin.counted);
        if (tls) {
            auto session = co_await at_the_gate(std::move(socket), deadline);
            if (!session) co_return;
            auto bridged = Tls::carry(*io, deadlines, *std::move(session));
            if (!bridged) co_return;
            socket = *std::move(bridged);
        }
        const auto visitor = std::make_shared<Visitor>(*io, std::move(socket), origin.shown);
        const Result<int> player = co_await shake_hands(*visitor, origin, deadline);
        if (!player) {
            send_away(*visitor, player.error().text);
            // Closed when it has read that, or at the end of its time.
            co_await wait_for_end(*visitor, deadline);
            co_return;
        }
        stranger.reset();
        co_await host(*player, visitor);
    }

    // A handshake of TLS takes a thousand times the CPU time of a move's way through a bridge, so
    // it is done on a thread of its own: many of them keep nobody waiting who plays.
    Awaitable<Result<Tls::Session>> at_the_gate(UniqueFd socket, Clock::time_point deadline) {
        std::optional<Result<Tls::Session>> session;
        Awaitable<void> handshake = shake_tls_hands(std::move(socket), deadline, session);
        co_await asio::co_spawn(*gate.io, std::move(handshake), asio::use_awaitable);
        co_return *std::move(session);
    }

    Awaitable<void> shake_tls_hands(UniqueFd socket, Clock::time_point deadline,
                                    std::optional<Result<Tls::Session>>& session) {
        auto done = co_await tls->shake_hands(*gate.io, gate.deadlines, std::move(socket), {},
                                              deadline);
        session.emplace(std::move(done));
    }

    Awaitable<void> wait_for_end(Visitor& visitor, Clock::time_point deadline) {
        for (;;) {
            const bool readable = co_await wait_readable(visitor, deadline);
            if (!readable) co_return;
            std::array<char, 512> unread;
            const auto size =
                ::read(visitor.socket.native_handle(), unread.data(), unread.size());
            if (size == 0 || (size < 0 && errno != EAGAIN)) co_return;
        }
    }

    // False: the deadline has passed, or somebody has ended the wait.
    Awaitable<bool> wait_readable(Visitor& visitor, Clock::time_point deadline) {
        if (Clock::now() >= deadline) co_return false;
        const CancelAt limit(deadlines, deadline, [&visitor] {
            error_code ignored;
            visitor.socket.cancel(ignored);
        });
        error_code failed;
        co_await visitor.socket.async_wait(Descriptor::wait_read,
                                           asio::redirect_error(asio::use_awaitable, failed));
        co_return !failed;
    }

    // The next line; bounded in time and in bytes.
    Awaitable<Result<std::string>> read_line(Visitor& visitor, Lines& lines,
                                             Clock::time_point deadline) {
        for (;;) {
            if (const auto line = lines.buffer.next_line()) {
                if (!*line) co_return line->error();
                co_return std::string(**line);
            }
            if (lines.bytes >= options.handshake_bytes) {
                co_return Error{Fault::TooLong,
                                fmt::format("read {} bytes without 'ugiok', expected a shorter "
                                            "handshake",
                                            lines.bytes),
                                0};
            }
            const auto room = lines.buffer.space();
            const auto most = std::min(room.size(), options.handshake_bytes - lines.bytes);
            const auto size = ::read(visitor.socket.native_handle(), room.data(), most);
            if (size == 0) co_return disconnected("the connection ended");
            if (size > 0) {
                lines.buffer.commit(static_cast<std::size_t>(size));
                lines.bytes += static_cast<std::size_t>(size);
                continue;
            }
            if (errno != EAGAIN && errno != EINTR)
                co_return disconnected(std::generic_category().message(errno));
            const bool readable = co_await wait_readable(visitor, deadline);
            if (!readable) co_return Error{Fault::TimedOut, "no handshake in time", 0};
        }
    }

    // Up to `ugiok` and the first `readyok`: only then it joins. Gives the player's number.
    Awaitable<Result<int>> shake_hands(Visitor& visitor, const Origin& origin,
                                       Clock::time_point deadline) {
        const auto lines = std::make_unique<Lines>();
        std::optional<std::string> name;  // whom the token belongs to
        Clock::time_point asked{};
        say(visitor, "ugi\n");
        for (;;) {
            const auto line = co_await read_line(visitor, *lines, deadline);
            if (!line) co_return line.error();
            const protocol::Reply reply = protocol::parse_reply(*line);
            if (const auto* id = std::get_if<protocol::IdReply>(&reply)) {
                if (id->key == "token") {
                    if (name) {
                        co_return Error{Fault::BadInput,
                                        "token: read a second one, expected one of them", 0};
                    }
                    const auto read = tokens.refresh();
                    if (!read) {
                        events.trouble(fmt::format(
                            "the tokens of before hold, for they have changed, but {}",
                            read.error().text));
                    }
                    const auto owner = tokens.tokens().owner(protocol::trim(id->value));
                    if (!owner) {
                        co_await punish(origin);
                        co_return Error{Fault::BadInput,
                                        "token: nobody here has this one; ask who runs the "
                                        "server for another",
                                        0};
                    }
                    offenders.erase(origin.counted);
                    name = *owner;
                } else if (visitor.id.size() < kMaxId) {
                    visitor.id +=
                        fmt::format("{}{} {}", visitor.id.empty() ? "" : "; ",
                                    shown_name(id->key), shown_name(protocol::trim(id->value)));
                }
            } else if (const auto* option = std::get_if<protocol::OptionReply>(&reply)) {
                if (option->name == "LegalMoves") visitor.lists_legal_moves = true;
            } else if (std::holds_alternative<protocol::UgiOkReply>(reply)) {
                if (!name) {
                    co_return Error{Fault::BadInput,
                                    "token: read 'ugiok', expected 'id token SECRET' before it",
                                    0};
                }
                asked = Clock::now();
                say(visitor, "isready\n");
            } else if (std::holds_alternative<protocol::ReadyOkReply>(reply) &&
                       asked != Clock::time_point{}) {
                visitor.round_trip =
                    std::chrono::duration_cast<Microseconds>(Clock::now() - asked);
                co_return events.admit(*name);
            }
        }
    }

    // Who tries tokens waits for each answer, longer and longer.
    Awaitable<void> punish(const Origin& origin) {
        const auto now = Clock::now();
        if (offenders.size() >= kMostOffenders) {
            std::erase_if(offenders, [&](const auto& entry) {
                return now - entry.second.last > kForgive;
            });
            if (offenders.size() >= kMostOffenders) offenders.clear();
        }
        Offences& offences = offenders[origin.counted];
        if (now - offences.last > kForgive) offences.count = 0;
        offences.last = now;
        const Milliseconds wait =
            std::min(kMostPenalty, kFirstPenalty * (1 << std::min(offences.count, 5)));
        ++offences.count;
        asio::steady_timer timer(*io, wait);
        error_code ignored;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }

    // ---- the wait for a game ----

    // Until it is wanted at a table, or goes.
    Awaitable<void> host(int player, SharedVisitor visitor) {
        Seat& seat = seats[player];
        const bool was_there = seat.is_there();
        if (seat.waiting && seat.waiting != visitor) {
            seat.waiting->is_replaced = true;  // the newer connection is the one that lives
            wake(*seat.waiting);
        }
        seat.waiting = visitor;
        std::string why;
        try {
            if (!was_there) {
                const Guest guest{{},
                                  visitor->address,
                                  visitor->id,
                                  visitor->lists_legal_moves,
                                  visitor->round_trip};
                events.came(player, guest);
            }
            if (seat.returns) seat.returns->cancel();
            why = co_await entertain(seat, *visitor);
        } catch (const std::exception& failed) {  // its place must not be kept for it
            why = failed.what();
        }
        if (seat.waiting == visitor) {
            seat.waiting.reset();
            leave(player, seat, why);
        }
    }

    // Gives why it has gone; it has not, where it is not the one who waits any more.
    Awaitable<std::string> entertain(Seat& seat, Visitor& visitor) {
        std::string why;
        while (why.empty()) {
            if (visitor.is_replaced) {
                send_away(visitor, kReplaced);
                break;
            }
            if (closing) {
                say(visitor, "quit\n");
                break;
            }
            if (seat.is_wanted()) {
                hand_over(seat, visitor);
                break;
            }
            why = co_await look_after(seat, visitor);
        }
        co_return why;
    }

    static void wake(Visitor& visitor) {
        error_code ignored;
        visitor.socket.cancel(ignored);
    }

    void leave(int player, Seat& seat, const std::string& why) {
        if (seat.is_there()) return;
        seat.gone_since = Clock::now();
        if (!shut) events.left(player, why);
        await_if_wanted(player, seat);
    }

    // One turn of waiting: reads what nobody asked for, and asks now and then whether it is
    // still there. Gives why it is not, or nothing.
    Awaitable<std::string> look_after(const Seat& seat, Visitor& visitor) {
        std::size_t unasked = 0;
        const auto ask_at = Clock::now() + options.idle;
        while (Clock::now() < ask_at) {
            const bool readable = co_await wait_readable(visitor, ask_at);
            if (seat.is_wanted() || visitor.is_replaced || closing) co_return std::string();
            if (!readable) continue;
            const auto read = take_in(visitor, nullptr);
            if (!read) co_return read.error().text;
            unasked += *read;
            if (unasked > kMostUnasked) {
                send_away(visitor, "too much was said that nobody asked for");
                co_return std::string("it said too much out of turn");
            }
        }
        co_return co_await ask_whether_ready(visitor);
    }

    Awaitable<std::string> ask_whether_ready(Visitor& visitor) {
        const auto asked = Clock::now();
        const auto deadline = asked + options.idle;
        std::string heard;  // its last bytes, since the word may come in pieces
        std::size_t said = 0;
        bool ready = false;
        say(visitor, "isready\n");
        while (!ready && said <= kMostUnasked) {
            const bool readable = co_await wait_readable(visitor, deadline);
            if (visitor.is_replaced || closing) co_return std::string();
            if (!readable && Clock::now() >= deadline) break;
            if (!readable)
                continue;  // it is wanted, and will be handed over when it has answered
            const auto read = take_in(visitor, &heard);
            if (!read) co_return read.error().text;
            said += *read;
            ready = heard.find(kReady) != heard.npos;
            heard.erase(0, heard.size() - std::min(heard.size(), kReady.size() - 1));
        }
        if (!ready) {
            send_away(visitor, "no 'readyok' came in time");
            co_return std::string("it did not answer 'isready' in time");
        }
        visitor.round_trip = std::chrono::duration_cast<Microseconds>(Clock::now() - asked);
        co_return std::string();
    }

    // Bytes read, which are added to `heard`.
    Result<std::size_t> take_in(Visitor& visitor, std::string* heard) {
        const auto size =
            ::read(visitor.socket.native_handle(), scratch.data(), scratch.size());
        if (size == 0) return disconnected("it closed the connection");
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) return std::size_t{0};
        if (size < 0) return disconnected(std::generic_category().message(errno));
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

    // While slots wait for one that has gone.
    Awaitable<void> await_return(int player) {
        Seat& seat = seats[player];
        seat.returns = std::make_unique<asio::steady_timer>(*io);
        const auto until = [&] { return seat.gone_since + options.absence; };
        while (!seat.is_there() && !seat.requests.empty() && !shut && Clock::now() < until()) {
            seat.returns->expires_at(until());
            error_code ignored;
            co_await seat.returns->async_wait(
                asio::redirect_error(asio::use_awaitable, ignored));
        }
        seat.returns.reset();
        if (seat.is_there()) co_return;
        const auto now = Clock::now();
        const auto absent =
            std::chrono::duration_cast<std::chrono::seconds>(now - seat.gone_since);
        while (!seat.requests.empty()) {
            if (now < until()) {  // the lobby is shut
                answer(seat, std::nullopt);
                continue;
            }
            answer(seat, disconnected(fmt::format("it was not connected, for {} s by then",
                                                  absent.count())));
        }
    }

    void hand_over(Seat& seat, Visitor& visitor) {
        Guest guest;
        guest.socket.reset(visitor.socket.release());
        guest.address = std::move(visitor.address);
        guest.id = std::move(visitor.id);
        guest.lists_legal_moves = visitor.lists_legal_moves;
        guest.round_trip = visitor.round_trip;
        seat.waiting.reset();
        seat.at_table = true;
        ++at_tables;
        answer(seat, std::move(guest));
    }

    // The first slot that waits.
    static void answer(Seat& seat, std::optional<Result<Guest>> result) {
        const auto request = std::move(seat.requests.front());
        seat.requests.pop_front();
        request->answer = std::move(result);
        // On its own thread, and so never before it waits.
        const auto executor = request->woken.get_executor();
        asio::post(executor, [request] { request->woken.cancel(); });
    }

    void take_back(int player, Guest guest) {
        Seat& seat = seats[player];
        seat.at_table = false;
        --at_tables;
        if (!guest.socket) {
            if (seat.waiting) wake(*seat.waiting);  // it may be wanted
            return leave(player, seat, "its connection ended in a game");
        }
        SharedVisitor visitor;
        try {
            visitor = std::make_shared<Visitor>(*io, std::move(guest.socket),
                                                std::move(guest.address));
        } catch (const std::exception& failed) {
            complain(failures, fmt::format("a connection was dropped: {}", failed.what()));
            if (seat.waiting) wake(*seat.waiting);
            return leave(player, seat, failed.what());
        }
        visitor->id = std::move(guest.id);
        visitor->lists_legal_moves = guest.lists_legal_moves;
        visitor->round_trip = guest.round_trip;
        if (closing) return say(*visitor, "quit\n");
        if (seat.waiting) {
            send_away(*visitor, kReplaced);
            return wake(*seat.waiting);
        }
        spawn(host_again(player, seat, visitor));
    }

    Awaitable<void> host_again(int player, Seat& seat, SharedVisitor visitor) {
        seat.waiting = visitor;
        co_await host(player, visitor);
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

    void close() {
        shut_door();
        closing = true;
        for (auto& [player, seat] : seats) {
            if (seat.waiting) wake(*seat.waiting);
        }
        if (!tls && present == 0) return io->stop();
        farewell = std::make_unique<asio::steady_timer>(*io, kFarewell);
        farewell->async_wait([this](const error_code&) { io->stop(); });
    }

    LobbyOptions options;
    std::string address;
    std::shared_ptr<const Tls> tls;
    TokenFile tokens;
    LobbyEvents events;
    std::unique_ptr<asio::io_context> io;
    // Up to close(): also with the door shut and nobody there, slots may still ask for a player.
    std::optional<Work> busy{io->get_executor()};
    Deadlines deadlines;
    std::unique_ptr<Descriptor> door;
    std::unique_ptr<asio::steady_timer> farewell;
    std::map<int, Seat> seats;
    std::size_t present = 0;    // conversations of the lobby's: connections not at tables, and
    std::size_t chores = 0;     // of these: the door, and waits for those who have gone
    std::size_t at_tables = 0;  // connections that are
    LineLimit failures;         // conversations that ended for want of memory or of files
    LineLimit refusals;         // connections that cannot be accepted
    std::map<std::string, std::size_t> unproven;  // by address
    std::map<std::string, Offences> offenders;    // by address
    std::array<char, 4096> scratch;
    bool shut = false;
    bool closing = false;
    Gate gate;
    std::thread thread;
};

Lobby::Lobby(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Lobby::~Lobby() { close(); }

Result<std::unique_ptr<Lobby>> Lobby::open(const LobbyOptions& options) {
    const auto connections = connections_within(options, raise_file_limit());
    if (!connections) return connections.error();
    TokenFile tokens;
    const auto read = tokens.open(options.tokens);
    if (!read) return read.error();
    std::shared_ptr<const Tls> tls;
    if (!options.certificate.empty()) {
        auto keys = Tls::server(options.certificate, options.key);
        if (!keys) return keys.error();
        tls = *std::move(keys);
    }
    auto listening = protocol::listen_socket(options.listen);
    if (!listening) return listening.error();
    if (!tls && !options.insecure && !is_loopback(listening->socket.get())) {
        return Error{
            Fault::BadInput,
            fmt::format("--listen: {} is open to the network, and whoever listens there reads "
                        "the tokens; expected --tls CERT,KEY, or an address such as "
                        "127.0.0.1, or --insecure",
                        to_string(listening->endpoint)),
            0};
    }
    ::fcntl(listening->socket.get(), F_SETFL, O_NONBLOCK);
    auto impl = std::make_unique<Impl>(options, *std::move(listening));
    impl->options.connections = *connections;
    impl->tls = std::move(tls);
    impl->tokens = std::move(tokens);
    return std::unique_ptr<Lobby>(new Lobby(std::move(impl)));
}

const std::string& Lobby::address() const { return impl_->address; }

std::size_t Lobby::connections() const { return impl_->options.connections; }

void Lobby::start(LobbyEvents events) {
    impl_->events = std::move(events);
    impl_->spawn(impl_->accept_all(), true);
    if (impl_->tls) impl_->gate.start();
    impl_->thread = std::thread([this] { impl_->run(); });
}

Awaitable<Result<Guest>> Lobby::take(int player) {
    const auto executor = co_await asio::this_coro::executor;
    const auto request = std::make_shared<Impl::Request>(executor);
    asio::post(*impl_->io,
               [impl = impl_.get(), player, request] { impl->want(player, request); });
    error_code woken;
    co_await request->woken.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (!request->answer) throw GameCalledOff();
    Result<Guest> answer = *std::move(request->answer);
    co_return answer;
}

void Lobby::give_back(int player, Guest guest) {
    const auto shared = std::make_shared<Guest>(std::move(guest));
    asio::post(*impl_->io, [impl = impl_.get(), player, shared] {
        impl->take_back(player, std::move(*shared));
    });
}

void Lobby::shut() {
    asio::post(*impl_->io, [impl = impl_.get()] { impl->shut_door(); });
}

void Lobby::close() {
    if (!impl_->thread.joinable()) return;
    asio::post(*impl_->io, [impl = impl_.get()] { impl->close(); });
    impl_->thread.join();
    // Slots that waited belong to threads that end now.
    impl_->seats.clear();
}

}  // namespace arena

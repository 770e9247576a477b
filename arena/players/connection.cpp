#include "arena/players/connection.hpp"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "arena/base/files.hpp"
#include "arena/players/watched_fd.hpp"
#include "protocol/line_buffer.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;
using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr std::size_t kMaxUnawaited = 64 * 1024;  // bytes read out of turn
constexpr int kReadsAtOnce = 2;  // a socket that gave bytes and then none has no more

Error disconnected(std::string why) { return {Fault::Disconnected, std::move(why), 0}; }

std::string words_of(int error) { return std::generic_category().message(error); }

bool is_best_move(std::string_view line) { return protocol::next_word(line) == "bestmove"; }

// Resumes a suspended coroutine, and tells it whether the connection is still there.
using Resume = asio::async_result<asio::use_awaitable_t<>, void(bool)>::handler_type;

}  // namespace

// All output is read as it comes, whether a coroutine waits for a line or not. So output out of
// turn is known before the next question, and no deadlock is possible where the player writes
// much before it reads. A coroutine waits by wait() for anything to happen, and looks again.
//
// A timer for each wait was ruled out, see deadlines.hpp; expire() and drop() are the calls of
// the one timer that all share.
struct Connection::Impl : Waiter, std::enable_shared_from_this<Connection::Impl> {
    Impl(EventLoop given, protocol::UniqueFd to_player, protocol::UniqueFd from_player,
         std::size_t max_bytes)
        : max_reply_bytes(max_bytes),
          is_pipe(static_cast<bool>(from_player)),
          loop(given.io),
          deadlines(given.deadlines),
          write_end(loop, std::move(to_player)) {
        if (is_pipe) own_read_end.emplace(loop, std::move(from_player));
        read_end().watch([this](bool has_hung_up) {
            hung_up = has_hung_up;
            has_more = true;
            read_on();
        });
        deadlines.enroll(*this);
    }
    ~Impl() override { deadlines.dismiss(*this); }

    WatchedFd& read_end() { return own_read_end ? *own_read_end : write_end; }

    // The owner is gone: a pending wait ends, and with it this object.
    void close() {
        is_orphan = true;
        closed = "closed";
        write_end.close();
        if (own_read_end) own_read_end->close();
        if (waiting) wake_later();
    }

    // What can be read, or much of it. Then resumes the coroutine that waits for it; but where
    // others wait, too, only after what else is readable has been read, because it may judge a
    // move: so the time of each answer is that of its arrival.
    void read_on() {
        const auto self = shared_from_this();
        for (int i = 0; i < kReadsAtOnce && has_more && may_read(); ++i) read_some();
        if (waiting && deadlines.waits() > 1)
            wake_later();
        else
            wake();
        read_rest_later();
    }

    // Out of turn only this much is read; then the player blocks, as on a full pipe.
    bool may_read() const {
        if (closed || beyond_limits()) return false;
        return waiting || lines.unread() <= kMaxUnawaited;
    }

    void read_rest_later() {
        if (!has_more || !may_read() || reads_later) return;
        reads_later = true;
        asio::post(loop, [self = shared_from_this()] {
            self->reads_later = false;
            self->read_on();
        });
    }

    void read_some() {
        const auto room = lines.space();
        const ssize_t size = ::read(read_end().get(), room.data(), room.size());
        if (size > 0) {
            count(static_cast<std::size_t>(size));
            // A pipe that gives less than it is asked for is empty. Of a socket that is not
            // known to have hung up, the end may follow.
            has_more = !is_pipe || hung_up || static_cast<std::size_t>(size) == room.size();
        } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
            closed = size == 0 ? "end of output" : words_of(errno);
            arrived = SteadyClock::now();
        } else {
            has_more = errno == EINTR;
        }
    }

    // Reads what the ended process left in the pipe, even if another process holds it open.
    void read_rest() {
        has_more = true;
        while (has_more && !closed && !beyond_limits()) read_some();
        if (!closed) arrived = SteadyClock::now();
        closed = "the process has ended";
    }

    void count(std::size_t bytes) {
        lines.commit(bytes);
        reply_bytes += bytes;
        arrived = SteadyClock::now();
    }

    bool beyond_limits() const {
        return reply_bytes > max_reply_bytes || reply_lines > kMaxReplyLines;
    }

    // Suspends the coroutine until wake(): on input, on writability, or at the deadline.
    Awaitable<bool> wait(Clock::time_point deadline) {
        deadlines.set(*this, deadline);
        auto suspend = [this](Resume resume) {
            waiting.emplace(std::move(resume));
            read_rest_later();
        };
        return asio::async_initiate<const asio::use_awaitable_t<>, void(bool)>(
            suspend, asio::use_awaitable);
    }

    void wake() {
        if (!waiting) return;
        deadlines.clear(*this);
        Resume resume = std::move(*waiting);
        waiting.reset();
        std::move(resume)(!is_orphan);
    }

    // The coroutine may destroy the caller of this, so it is resumed a little later.
    void wake_later() {
        asio::post(loop, [self = shared_from_this()] { self->wake(); });
    }

    void expire() override { wake_later(); }

    // Breaks a cycle: the waiting coroutine may own this object, which owns its resumption.
    void drop() override {
        if (!waiting) return;
        const auto self = shared_from_this();
        const Resume dropped = std::move(*waiting);
        waiting.reset();
    }

    void peer_ended() {
        ended = true;
        if (!closed) read_rest();
        wake_later();
    }

    void wait_until_writable() {
        if (awaiting_room) return;
        awaiting_room = true;
        write_end.await_room([this] {
            const auto self = shared_from_this();
            awaiting_room = false;
            wake();
        });
    }

    const std::size_t max_reply_bytes;
    const bool is_pipe;  // two of them; else one socket
    asio::io_context& loop;
    Deadlines& deadlines;
    WatchedFd write_end;
    std::optional<WatchedFd> own_read_end;  // none where a socket serves both ways
    protocol::LineBuffer lines;
    std::optional<Resume> waiting;
    std::size_t reply_bytes = 0;
    std::size_t reply_lines = 0;
    std::size_t sent_bytes = 0;
    SteadyClock::time_point arrived{};
    bool hung_up = false;      // after what can be read there is the end
    bool has_more = false;     // there may be something to be read, of which no event will tell
    bool reads_later = false;  // a call of read_on() is pending
    bool is_orphan = false;    // its owner is gone
    bool awaiting_room = false;
    bool ended = false;                 // the process has ended
    std::optional<std::string> closed;  // why nothing more will come
};

Connection::Connection(EventLoop loop, protocol::UniqueFd to_player,
                       protocol::UniqueFd from_player, std::size_t max_reply_bytes)
    : impl_(std::make_shared<Impl>(loop, std::move(to_player), std::move(from_player),
                                   max_reply_bytes)) {}

Connection::~Connection() { impl_->close(); }

std::optional<Result<void>> Connection::try_write(std::string_view& bytes) {
    Impl& io = *impl_;
    while (!bytes.empty()) {
        const ssize_t size = ::write(io.write_end.get(), bytes.data(), bytes.size());
        if (size >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(size));
            io.sent_bytes += static_cast<std::size_t>(size);
        } else if (errno == EAGAIN) {
            if (!io.ended) return std::nullopt;
            return disconnected("the process has ended");
        } else if (is_shortage(errno)) {
            throw std::system_error(errno, std::generic_category(), "cannot ask a player");
        } else if (errno != EINTR) {
            return disconnected(words_of(errno));
        }
    }
    return Result<void>();
}

Awaitable<Result<void>> Connection::write(std::string_view bytes, Clock::time_point deadline) {
    Impl& io = *impl_;
    for (;;) {
        const auto written = try_write(bytes);
        if (written) co_return *written;
        if (Clock::now() >= deadline) {
            co_return Error{Fault::TimedOut, "did not read what it was sent in time", 0};
        }
        io.wait_until_writable();
        const bool is_there = co_await io.wait(deadline);
        if (!is_there) co_return disconnected("closed");
    }
}

int Connection::begin_question() {
    Impl& io = *impl_;
    io.reply_bytes = io.reply_lines = io.sent_bytes = 0;
    int best_moves = 0;
    while (const auto line = io.lines.next_line()) {
        if (*line && is_best_move(**line)) ++best_moves;
    }
    io.read_rest_later();
    return best_moves;
}

std::optional<Result<std::string_view>> Connection::try_read_line(Clock::time_point deadline) {
    Impl& io = *impl_;
    if (const auto line = io.lines.next_line()) {
        ++io.reply_lines;
        if (!*line || !io.beyond_limits()) return line;
    }
    if (io.beyond_limits()) {
        return Error{Fault::TooLong,
                     "read more than " + std::to_string(kMaxReplyBytes >> 20) + " MiB or " +
                         std::to_string(kMaxReplyLines) + " lines, expected a shorter reply",
                     0};
    }
    if (io.closed) return disconnected(*io.closed);
    // Checks the clock here as well as by the timer: a player that writes all the time must not
    // starve the timer.
    if (Clock::now() >= deadline) return Error{Fault::TimedOut, "no line came in time", 0};
    return std::nullopt;
}

Awaitable<Result<std::string_view>> Connection::read_line(Clock::time_point deadline) {
    for (;;) {
        const auto line = try_read_line(deadline);
        if (line) co_return *line;
        const bool is_there = co_await wait(deadline);
        if (!is_there) co_return disconnected("closed");
    }
}

Awaitable<bool> Connection::wait(Clock::time_point deadline) { return impl_->wait(deadline); }

void Connection::end_input() {
    Impl& io = *impl_;
    if (io.is_pipe)
        io.write_end.close();
    else
        ::shutdown(io.write_end.get(), SHUT_WR);
}

SteadyClock::time_point Connection::arrived() const { return impl_->arrived; }

std::string_view Connection::unfinished() const { return impl_->lines.unfinished(); }

bool Connection::heard() const { return impl_->reply_bytes > 0; }

// What nobody has read stays in the pipe, also when its reader is gone.
bool Connection::is_unread() const {
    int pending = 0;
    return impl_->is_pipe && ::ioctl(impl_->write_end.get(), FIONREAD, &pending) == 0 &&
           static_cast<std::size_t>(pending) >= impl_->sent_bytes;
}

void Connection::peer_ended() { impl_->peer_ended(); }

protocol::UniqueFd Connection::release() {
    impl_->closed = "handed to another owner";
    return impl_->write_end.release();
}

}  // namespace arena

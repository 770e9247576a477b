#include "arena/players/connection.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "protocol/line_buffer.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using protocol::Error;
using protocol::Fault;
using protocol::Result;
using Descriptor = asio::posix::stream_descriptor;

constexpr std::size_t kMaxUnawaited = 64 * 1024;  // bytes read out of turn

Error disconnected(std::string why) { return {Fault::Disconnected, std::move(why), 0}; }

std::string words_of(int error) { return std::generic_category().message(error); }

bool is_best_move(std::string_view line) { return protocol::next_word(line) == "bestmove"; }

using Resume = asio::async_result<asio::use_awaitable_t<>, void()>::handler_type;

}  // namespace

// One read is always pending, whether a coroutine waits for a line or not. So output out of
// turn is known before the next question, and no deadlock is possible where the player writes
// much before it reads. A coroutine waits by wait() for anything to happen, and looks again.
//
// A timer for each wait was ruled out, see deadlines.hpp; expire() and drop() are the calls of
// the one timer that all share.
struct Connection::Impl : Waiter, std::enable_shared_from_this<Connection::Impl> {
    Impl(asio::io_context& context, Deadlines& all, protocol::UniqueFd to_player,
         protocol::UniqueFd from_player, std::size_t max_bytes)
        : max_reply_bytes(max_bytes),
          deadlines(all),
          write_end(context, to_player.release()),
          own_read_end(context),
          read_end(from_player ? own_read_end : write_end) {
        if (from_player) own_read_end.assign(from_player.release());
        write_end.native_non_blocking(true);
        read_end.native_non_blocking(true);
        deadlines.enroll(*this);
    }
    ~Impl() override { deadlines.dismiss(*this); }

    // The owner is gone: pending handlers end, and this object with the last of them.
    void close() {
        closed = "closed";
        error_code ignored;
        write_end.close(ignored);
        own_read_end.close(ignored);
    }

    // Beyond kMaxUnawaited the player blocks out of turn, as on a full pipe.
    void read_on() {
        if (reading || closed || beyond_limits()) return;
        if (!reads_freely() && lines.unread() > kMaxUnawaited) return;
        reading = true;
        const auto room = lines.space();
        read_end.async_read_some(
            asio::buffer(room.data(), room.size()),
            [self = shared_from_this()](error_code failed, std::size_t size) {
                self->on_read(failed, size);
            });
    }

    void on_read(error_code failed, std::size_t size) {
        reading = false;
        if (size > 0) count(size);
        if (failed) arrived = Clock::now();
        if (failed == asio::error::eof)
            closed = "end of output";
        else if (failed && !ended)
            closed = failed.message();
        else if (failed)
            read_rest();
        if (!waiting) return read_on();
        // Posted, because the coroutine may compute for a while: first all that is readable
        // is read, so that no other answer gets a later time than that of its arrival.
        asio::post(write_end.get_executor(), [self = shared_from_this()] {
            self->wake();
            // Only now, because the coroutine may have used a line up to here.
            self->read_on();
        });
    }

    // Reads what the ended process left in the pipe, even if another process holds it open.
    void read_rest() {
        ssize_t size = 1;
        while (size > 0 && !beyond_limits()) {
            const auto room = lines.space();
            size = ::read(read_end.native_handle(), room.data(), room.size());
            if (size > 0) count(static_cast<std::size_t>(size));
            if (size < 0 && errno == EINTR) size = 1;
        }
        closed = "the process has ended";
    }

    void count(std::size_t bytes) {
        lines.commit(bytes);
        reply_bytes += bytes;
        arrived = Clock::now();
    }

    bool passes_on() const { return max_reply_bytes == kNoReplyLimit; }
    bool reads_freely() const { return waiting && !(passes_on() && writing); }
    bool beyond_limits() const {
        return !passes_on() && (reply_bytes > max_reply_bytes || reply_lines > kMaxReplyLines);
    }

    // Suspends the coroutine until wake(): on input, on writability, or at the deadline.
    Awaitable<void> wait(Clock::time_point deadline) {
        deadlines.set(*this, deadline);
        auto suspend = [this](Resume resume) {
            waiting.emplace(std::move(resume));
            read_on();
        };
        co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(
            suspend, asio::use_awaitable);
        deadlines.clear(*this);
    }

    void wake() {
        if (!waiting) return;
        Resume resume = std::move(*waiting);
        waiting.reset();
        std::move(resume)();
    }

    // The coroutine may destroy the caller of this, so it is resumed a little later.
    void wake_later() {
        asio::post(write_end.get_executor(), [self = shared_from_this()] { self->wake(); });
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
        if (reading) {
            error_code ignored;
            read_end.cancel(ignored);  // on_read() continues
        } else {
            if (!closed) read_rest();
            wake_later();
        }
    }

    void wait_until_writable() {
        if (awaiting_room) return;
        awaiting_room = true;
        write_end.async_wait(Descriptor::wait_write, [self = shared_from_this()](error_code) {
            self->awaiting_room = false;
            self->wake();
        });
    }

    const std::size_t max_reply_bytes;
    Deadlines& deadlines;
    Descriptor write_end;
    Descriptor own_read_end;  // unused where a socket serves both ways
    Descriptor& read_end;
    protocol::LineBuffer lines;
    std::optional<Resume> waiting;
    std::size_t reply_bytes = 0;
    std::size_t reply_lines = 0;
    Clock::time_point arrived{};
    bool reading = false;
    bool awaiting_room = false;
    bool writing = false;
    bool ended = false;                 // the process has ended
    std::optional<std::string> closed;  // why nothing more will come
};

Connection::Connection(asio::io_context& context, Deadlines& deadlines,
                       protocol::UniqueFd to_player, protocol::UniqueFd from_player,
                       std::size_t max_reply_bytes)
    : impl_(std::make_shared<Impl>(context, deadlines, std::move(to_player),
                                   std::move(from_player), max_reply_bytes)) {
    impl_->read_on();
}

Connection::~Connection() { impl_->close(); }

Awaitable<Result<void>> Connection::write(std::string_view bytes, Clock::time_point deadline) {
    Impl& io = *impl_;
    for (;;) {
        const ssize_t size = ::write(io.write_end.native_handle(), bytes.data(), bytes.size());
        if (size >= 0) bytes.remove_prefix(static_cast<std::size_t>(size));
        if (bytes.empty()) co_return Result<void>();
        if (size >= 0 || errno == EINTR) continue;
        if (errno != EAGAIN) co_return disconnected(words_of(errno));
        if (io.ended && !io.passes_on()) co_return disconnected("the process has ended");
        if (Clock::now() >= deadline) {
            co_return Error{Fault::TimedOut, "did not read what it was sent in time", 0};
        }
        io.wait_until_writable();
        io.writing = true;
        co_await io.wait(deadline);
        io.writing = false;
    }
}

int Connection::begin_question() {
    Impl& io = *impl_;
    io.reply_bytes = io.reply_lines = 0;
    int best_moves = 0;
    while (const auto line = io.lines.next_line()) {
        if (*line && is_best_move(**line)) ++best_moves;
    }
    io.read_on();
    return best_moves;
}

Awaitable<Result<std::string_view>> Connection::read_line(Clock::time_point deadline) {
    Impl& io = *impl_;
    for (;;) {
        if (const auto line = io.lines.next_line()) {
            ++io.reply_lines;
            if (!*line) co_return line->error();
            if (!io.beyond_limits()) co_return **line;
        }
        if (io.beyond_limits()) {
            co_return Error{Fault::TooLong,
                            "read more than " + std::to_string(kMaxReplyBytes >> 20) +
                                " MiB or " + std::to_string(kMaxReplyLines) +
                                " lines, expected a shorter reply",
                            0};
        }
        if (io.closed) co_return disconnected(*io.closed);
        // Checks the clock here as well as by the timer: a player that writes all the time must
        // not starve the timer.
        if (Clock::now() >= deadline)
            co_return Error{Fault::TimedOut, "no line came in time", 0};
        co_await io.wait(deadline);
    }
}

void Connection::end_input() {
    Impl& io = *impl_;
    error_code ignored;
    if (&io.read_end == &io.write_end)
        ::shutdown(io.write_end.native_handle(), SHUT_WR);
    else
        io.write_end.close(ignored);
}

Clock::time_point Connection::arrived() const { return impl_->arrived; }

std::string_view Connection::unfinished() const { return impl_->lines.unfinished(); }

bool Connection::heard() const { return impl_->reply_bytes > 0; }

void Connection::peer_ended() { impl_->peer_ended(); }

protocol::UniqueFd Connection::release() {
    impl_->closed = "handed to another owner";
    return protocol::UniqueFd(impl_->write_end.release());
}

}  // namespace arena

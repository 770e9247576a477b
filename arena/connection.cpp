#include "arena/connection.hpp"

#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
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

Error disconnected(std::string why) { return {Fault::Disconnected, std::move(why), 0}; }

std::string words_of(int error) { return std::generic_category().message(error); }

bool is_best_move(std::string_view line) {
    return line.starts_with("bestmove") || protocol::next_word(line) == "bestmove";
}

}  // namespace

struct Connection::Impl : Waiter {
    Impl(asio::io_context& context, Deadlines& all, UniqueFd to_player, UniqueFd from_player)
        : deadlines(all),
          write_end(context, to_player.release()),
          own_read_end(context),
          read_end(from_player.get() >= 0 ? own_read_end : write_end) {
        if (from_player.get() >= 0) own_read_end.assign(from_player.release());
        write_end.native_non_blocking(true);
        read_end.native_non_blocking(true);
        deadlines.enroll(*this);
    }
    ~Impl() override { deadlines.dismiss(*this); }

    void expire() override {
        timed_out = true;
        error_code ignored;
        write_end.cancel(ignored);
        read_end.cancel(ignored);
    }

    // Sets the deadline for the life of a wait.
    class Wait {
      public:
        Wait(Impl& impl, Clock::time_point at) : impl_(impl) {
            impl_.timed_out = false;
            impl_.deadlines.set(impl_, at);
        }
        ~Wait() { impl_.deadlines.clear(impl_); }

      private:
        Impl& impl_;
    };

    void count(std::size_t bytes) {
        lines.commit(bytes);
        reply_bytes += bytes;
        arrived = Clock::now();
    }

    // Takes in what is there without waiting: true if there was something. `closed` is set at
    // the end of the stream.
    bool read_now() {
        const auto room = lines.space();
        ssize_t size = 0;
        do {
            size = ::read(read_end.native_handle(), room.data(), room.size());
        } while (size < 0 && errno == EINTR);
        if (size > 0) count(static_cast<std::size_t>(size));
        if (size == 0) closed = "end of output";
        if (size < 0 && errno != EAGAIN) closed = words_of(errno);
        return size > 0;
    }

    // Waits for more; false where the deadline passed, `closed` or `ended` say the rest.
    Awaitable<bool> read_more(Clock::time_point at) {
        const Wait wait(*this, at);
        const auto room = lines.space();
        error_code failed;
        const auto buffer = asio::buffer(room.data(), room.size());
        const std::size_t size = co_await read_end.async_read_some(
            buffer, asio::redirect_error(asio::use_awaitable, failed));
        if (size > 0) count(size);
        if (!failed || ended) co_return true;
        if (timed_out || failed == asio::error::operation_aborted) co_return false;
        closed = failed == asio::error::eof ? "end of output" : failed.message();
        co_return true;
    }

    // The pipe to the player is full. What the player writes meanwhile is taken in, for its
    // sake and within the limits, until its pipe takes bytes again or the deadline passes.
    Awaitable<void> wait_until_writable(Clock::time_point at) {
        using asio::experimental::awaitable_operators::operator||;
        const Wait wait(*this, at);
        if (!closed && !beyond_limits()) read_now();
        error_code write_failed;
        auto writable = write_end.async_wait(
            Descriptor::wait_write, asio::redirect_error(asio::use_awaitable, write_failed));
        if (closed || beyond_limits()) {
            co_await std::move(writable);
            co_return;
        }
        error_code read_failed;
        auto readable = read_end.async_wait(
            Descriptor::wait_read, asio::redirect_error(asio::use_awaitable, read_failed));
        auto either = std::move(writable) || std::move(readable);
        co_await std::move(either);
    }

    bool beyond_limits() const {
        return reply_bytes > kMaxReplyBytes || reply_lines > kMaxReplyLines;
    }

    Deadlines& deadlines;
    Descriptor write_end;
    Descriptor own_read_end;  // unused where a socket serves both ways
    Descriptor& read_end;
    protocol::LineBuffer lines;
    std::size_t reply_bytes = 0;
    std::size_t reply_lines = 0;
    Clock::time_point arrived{};
    bool timed_out = false;
    bool ended = false;                 // the process is gone
    std::optional<std::string> closed;  // nothing more will come: why
};

Connection::Connection(asio::io_context& context, Deadlines& deadlines, UniqueFd to_player,
                       UniqueFd from_player)
    : impl_(new Impl(context, deadlines, std::move(to_player), std::move(from_player))) {}

Connection::~Connection() = default;

Awaitable<Result<void>> Connection::write(std::string_view bytes, Clock::time_point deadline) {
    Impl& io = *impl_;
    for (;;) {
        const ssize_t size = ::write(io.write_end.native_handle(), bytes.data(), bytes.size());
        if (size >= 0) bytes.remove_prefix(static_cast<std::size_t>(size));
        if (bytes.empty()) co_return Result<void>();
        if (size >= 0 || errno == EINTR) continue;
        if (errno != EAGAIN) co_return disconnected(words_of(errno));

        if (io.ended) co_return disconnected("the process has ended");
        if (Clock::now() >= deadline) {
            co_return Error{Fault::TimedOut, "what was sent was not read in time", 0};
        }
        co_await io.wait_until_writable(deadline);
    }
}

int Connection::begin_question() {
    Impl& io = *impl_;
    io.reply_bytes = io.reply_lines = 0;
    int best_moves = 0;
    do {
        while (const auto line = io.lines.next_line()) {
            if (*line && is_best_move(**line)) ++best_moves;
            ++io.reply_lines;
        }
    } while (!io.closed && !io.beyond_limits() && io.read_now());
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
        if (io.ended) {
            if (!io.read_now() && !io.closed) co_return disconnected("the process has ended");
            continue;
        }
        // The clock is asked here as well as by the timer: a player that keeps the descriptor
        // readable must not outrun the timer.
        if (Clock::now() >= deadline)
            io.timed_out = true;
        else if (co_await io.read_more(deadline))
            continue;
        co_return Error{Fault::TimedOut, "no line came in time", 0};
    }
}

Clock::time_point Connection::arrived() const { return impl_->arrived; }

bool Connection::heard() const { return impl_->reply_bytes > 0; }

void Connection::peer_ended() {
    impl_->ended = true;
    error_code ignored;
    impl_->read_end.cancel(ignored);
    impl_->write_end.cancel(ignored);
}

}  // namespace arena

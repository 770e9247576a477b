#include "arena/process/child.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "arena/process/process_cpu.hpp"
#include "arena/process/process_table.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Descriptor = asio::posix::stream_descriptor;

}  // namespace

// Shared by the Child and the two coroutines that watch it.
struct Child::State {
    State(asio::io_context& context, PlayerProcess& process)
        : pid(process.pid),
          control(std::move(process.control)),
          control_wait(context, control.fd()),
          errors(context, process.err.release()),
          end_noticed(context, SteadyClock::time_point::max()) {}
    ~State() { control_wait.release(); }  // the control closes this descriptor itself

    // Waits before it reads, so that the room to read is on the stack, and none is held for
    // each child that says nothing.
    static Awaitable<void> drain_stderr(std::shared_ptr<State> child) {
        for (;;) {
            error_code failed;
            co_await child->errors.async_wait(
                Descriptor::wait_read, asio::redirect_error(asio::use_awaitable, failed));
            if (failed || !child->read_stderr()) co_return;
        }
    }

    // At most what a pipe holds; the rest is read later. False at the end.
    bool read_stderr() {
        std::array<char, 16384> piece;
        for (int i = 0; i < 4; ++i) {
            const ssize_t size = ::read(errors.native_handle(), piece.data(), piece.size());
            if (size <= 0) return size < 0 && (errno == EAGAIN || errno == EINTR);
            if (on_stderr) on_stderr({piece.data(), static_cast<std::size_t>(size)});
        }
        return true;
    }

    static Awaitable<void> watch_end(std::shared_ptr<State> child) {
        for (;;) {
            error_code failed;
            co_await child->control_wait.async_wait(
                Descriptor::wait_read, asio::redirect_error(asio::use_awaitable, failed));
            if (failed) co_return;
            const auto end = child->control.ended();
            if (end && !*end) continue;
            if (end) child->status = *end;
            child->guardian_gone = !end;
            child->ended = true;
            child->end_noticed.cancel();
            if (child->on_end) child->on_end();
            co_return;
        }
    }

    pid_t pid;
    PlayerControl control;
    Descriptor control_wait;
    Descriptor errors;
    asio::steady_timer end_noticed;  // never expires; cancelled when the process ends
    bool ended = false;
    bool guardian_gone = false;
    std::optional<ExitStatus> status;
    std::function<void(std::string_view)> on_stderr;
    std::function<void()> on_end;
};

Child::Child(asio::io_context& context, PlayerProcess& process,
             std::function<void(std::string_view)> on_stderr, std::function<void()> on_end)
    : state_(std::make_shared<State>(context, process)) {
    state_->on_stderr = std::move(on_stderr);
    state_->on_end = std::move(on_end);
    // An exception leaves through the io_context, to the worker that runs it.
    const auto rethrow = [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
    };
    asio::co_spawn(context, State::drain_stderr(state_), rethrow);
    asio::co_spawn(context, State::watch_end(state_), rethrow);
}

// The coroutines end.
Child::~Child() {
    state_->on_stderr = nullptr;
    state_->on_end = nullptr;
    error_code ignored;
    state_->control_wait.cancel(ignored);
    state_->errors.cancel(ignored);
}

pid_t Child::pid() const { return state_->pid; }

void Child::read_stderr() { state_->read_stderr(); }

bool Child::has_ended() const { return state_->ended; }

bool Child::is_ending() const { return state_->ended || arena::is_ending(state_->pid); }

bool Child::guardian_gone() const { return state_->guardian_gone; }

std::optional<ExitStatus> Child::exit_status() const { return state_->status; }

Awaitable<void> Child::wait_for_end(Clock::time_point deadline) {
    const auto state = state_;
    while (!state->ended) {
        state->end_noticed.expires_at(Clock::real(deadline));
        error_code ignored;
        co_await state->end_noticed.async_wait(
            asio::redirect_error(asio::use_awaitable, ignored));
        if (Clock::now() >= deadline) co_return;
    }
}

void Child::rest() { state_->control.rest(); }
void Child::wake() { state_->control.wake(); }

Microseconds Child::cpu() const {
    const auto counted = state_->control.group_cpu();
    return counted ? *counted : process_cpu(state_->pid);
}

bool Child::has_group_cpu() const { return state_->control.group_cpu().has_value(); }

CpuCount Child::count_cpu() const {
    return {SteadyClock::now(), cpu(), queue_time(state_->pid)};
}

void Child::end() { state_->control.end(); }

}  // namespace arena

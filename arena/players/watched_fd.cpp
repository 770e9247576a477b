// Asio's own waits cost a system call each: async_read_some() first reads in vain, async_wait()
// calls epoll_ctl(). Its reactor does not need that: it registers a descriptor once,
// edge-triggered, and an operation that is started while another one waits is only put into a
// queue. So two operations take turns here: when one is done it is queued again after the
// other, which declines as long as an event is being told. A third one, which the reactor
// performs for urgent data, errors and hang-ups alone, is never done and notes these.
//
// This uses Asio's internal names, as its public ones have no such wait. They have been the
// same from Boost 1.74 on.
#include "arena/players/watched_fd.hpp"

#include <fcntl.h>

#include <array>
#include <system_error>
#include <utility>

#include <boost/asio/detail/reactor.hpp>
#include <boost/asio/detail/reactor_op.hpp>
#include <boost/asio/io_context.hpp>

namespace arena {

struct WatchedFd::State : std::enable_shared_from_this<State> {
    using reactor = boost::asio::detail::reactor;
    using reactor_op = boost::asio::detail::reactor_op;
    using error_code = boost::system::error_code;

    // An operation in the reactor, which keeps the state alive.
    struct Operation : reactor_op {
        Operation(State& state, perform_func_type on_event, func_type on_end)
            : reactor_op(error_code(), on_event, on_end), state_(state) {}

        void start(int kind) {
            owner_ = state_.shared_from_this();
            ec_ = error_code();
            state_.reactor_.start_op(kind, state_.fd_.get(), state_.data_, this, false, false);
        }

        State& state_;
        std::shared_ptr<State> owner_;
    };

    State(boost::asio::io_context& context, protocol::UniqueFd fd)
        : reactor_(boost::asio::use_service<reactor>(context)), fd_(std::move(fd)) {
        reactor_.init_task();
        ::fcntl(fd_.get(), F_SETFL, ::fcntl(fd_.get(), F_GETFL) | O_NONBLOCK);
    }
    ~State() { close(); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void enroll() {
        if (data_ != nullptr) return;
        const int error = reactor_.register_descriptor(fd_.get(), data_);
        if (error == 0) return;
        throw std::system_error(error, std::generic_category(), "cannot wait for a player");
    }

    void leave(bool closing) {
        if (data_ == nullptr) return;
        reactor_.deregister_descriptor(fd_.get(), data_, closing);
        if (closing) fd_.reset();
        reactor_.cleanup_descriptor_data(data_);
        data_ = nullptr;
    }

    void close() {
        leave(true);
        fd_.reset();
    }

    static reactor_op::status begin_event(reactor_op* base) {
        State& state = static_cast<Operation*>(base)->state_;
        if (std::exchange(state.telling_, true)) return reactor_op::not_done;
        return reactor_op::done;
    }

    static reactor_op::status note_hang_up(reactor_op* base) {
        static_cast<Operation*>(base)->state_.hung_up_ = true;
        return reactor_op::not_done;
    }

    static reactor_op::status always(reactor_op*) { return reactor_op::done; }

    // `loop`: null where the operation is destroyed with its io_context.
    static void tell_event(void* loop, boost::asio::detail::operation* base, const error_code&,
                           std::size_t) {
        auto* const operation = static_cast<Operation*>(base);
        const std::shared_ptr<State> state = std::move(operation->owner_);
        state->telling_ = false;
        if (loop == nullptr || state->data_ == nullptr) return;
        if (!operation->ec_) operation->start(reactor::read_op);  // else it is a plain file
        state->on_event_(state->hung_up_);
    }

    static void tell_room(void* loop, boost::asio::detail::operation* base, const error_code&,
                          std::size_t) {
        const std::shared_ptr<State> state = std::move(static_cast<Operation*>(base)->owner_);
        const auto on_room = std::exchange(state->on_room_, nullptr);
        if (loop != nullptr && state->data_ != nullptr) on_room();
    }

    static void end(void*, boost::asio::detail::operation* base, const error_code&,
                    std::size_t) {
        const std::shared_ptr<State> state = std::move(static_cast<Operation*>(base)->owner_);
    }

    reactor& reactor_;
    protocol::UniqueFd fd_;
    reactor::per_descriptor_data data_ = nullptr;  // null: not in the reactor
    bool telling_ = false;                         // an event that has not been told yet
    bool hung_up_ = false;
    std::function<void(bool hung_up)> on_event_;
    std::function<void()> on_room_;
    std::array<Operation, 2> readable_{Operation(*this, begin_event, tell_event),
                                       Operation(*this, begin_event, tell_event)};
    Operation hang_up_{*this, note_hang_up, end};
    Operation writable_{*this, always, tell_room};
};

WatchedFd::WatchedFd(boost::asio::io_context& context, protocol::UniqueFd fd)
    : state_(std::make_shared<State>(context, std::move(fd))) {}

WatchedFd::~WatchedFd() { close(); }

int WatchedFd::get() const { return state_->fd_.get(); }

void WatchedFd::watch(std::function<void(bool hung_up)> on_event) {
    state_->on_event_ = std::move(on_event);
    state_->enroll();
    state_->hang_up_.start(State::reactor::except_op);
    for (State::Operation& operation : state_->readable_)
        operation.start(State::reactor::read_op);
}

void WatchedFd::await_room(std::function<void()> on_room) {
    state_->on_room_ = std::move(on_room);
    state_->enroll();
    state_->writable_.start(State::reactor::write_op);
}

void WatchedFd::close() {
    const auto state = state_;  // a handler may destroy this
    state->close();
}

protocol::UniqueFd WatchedFd::release() {
    state_->leave(false);
    return std::move(state_->fd_);
}

}  // namespace arena

#include "arena/check/peer.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/awaitable.hpp>

#include "arena/base/heartbeat.hpp"
#include "arena/players/launcher.hpp"
#include "arena/players/lobby.hpp"

namespace arena {
namespace {

using protocol::Fault;
using protocol::Result;

class LinkedPeer : public Peer {
  public:
    LinkedPeer(const PlayerSpec& spec, std::size_t index, const PlayerContext& context)
        : spec_(spec), index_(index), context_(context) {}
    // A player of the lobby that is still connected goes back there.
    ~LinkedPeer() override {
        if (link_ && link_->borrowed) link_->borrowed->give_back(link_->connection->release());
    }
    LinkedPeer(const LinkedPeer&) = delete;
    LinkedPeer& operator=(const LinkedPeer&) = delete;

    Clock::time_point now() const override { return Clock::at(SteadyClock::now()); }

    Awaitable<Result<void>> open(Clock::time_point deadline,
                                 Conversation::Listener listener) override {
        opened_ = SteadyClock::now();
        auto opened =
            co_await open_link(spec_, index_, context_, deadline, std::move(listener));
        if (!opened) co_return opened.error();
        link_ = *std::move(opened);
        co_return Result<void>();
    }
    bool is_open() const override { return link_ != nullptr; }
    void close() override { link_.reset(); }

    Awaitable<Result<void>> shake_hands(Clock::time_point deadline) override {
        constexpr Milliseconds kSilence{1500};
        if (link_->borrowed) co_return Result<void>();  // the lobby has shaken hands
        co_return co_await link_->talk->shake_hands(deadline, spec_.options, kSilence);
    }
    const Introduction& introduction() const override {
        if (link_->borrowed) return link_->borrowed->session();
        return link_->talk->introduction();
    }
    Awaitable<Result<void>> send(std::string_view lines, Clock::time_point deadline) override {
        return link_->send(lines, deadline);
    }
    Awaitable<Conversation::Line> hear(std::string_view awaited, Clock::time_point deadline,
                                       std::string_view other) override {
        const auto line = co_await link_->hear(awaited, deadline, other);
        const auto arrived = link_->connection->arrived();
        if (!line || Heartbeat::knows(arrived)) co_return line;
        kept_ = *line;  // it is valid until the next wait
        co_await Heartbeat::await(arrived);
        co_return std::string_view(kept_);
    }
    Clock::time_point arrived() const override {
        return Clock::at(std::max(opened_, link_->connection->arrived()));
    }
    std::string_view unfinished() const override { return link_->connection->unfinished(); }
    int begin_question() override { return link_->connection->begin_question(); }
    void end_input() override { link_->end_input(); }

    bool has_process() const override { return link_ && link_->child; }
    CpuCount cpu() const override { return link_ ? link_->cpu() : CpuCount(); }
    bool is_starved() const override { return link_ && arena::is_starved(*link_, opened_); }
    std::string memory_limit() const override {
        const auto exit = exit_status();
        return context_.shared.launcher.memory_text(spec_, exit && exit->out_of_memory);
    }
    std::string_view environment() const override {
        return context_.shared.launcher.environment_text(spec_);
    }
    Awaitable<std::optional<ExitStatus>> await_exit() override {
        const auto exit = co_await arena::await_exit(*link_);
        if (link_->child) link_->child->read_stderr();
        co_return exit;
    }
    Awaitable<bool> wait_for_end(Clock::time_point deadline) override {
        if (link_->child) {
            co_await link_->child->wait_for_end(deadline);
            // On a busy machine the news of its end is late.
            if (link_->child->is_ending()) co_await arena::await_exit(*link_);
            co_return link_->child->has_ended();
        }
        for (;;) {
            const auto line = co_await link_->hear({}, deadline, {});
            if (!line) co_return line.error().fault == Fault::Disconnected;
        }
    }
    std::optional<ExitStatus> exit_status() const override {
        return has_process() ? link_->child->exit_status() : std::nullopt;
    }

  private:
    const PlayerSpec& spec_;
    std::size_t index_;
    const PlayerContext& context_;
    std::unique_ptr<Link> link_;
    SteadyClock::time_point opened_;
    std::string kept_;  // the last line
};

}  // namespace

std::unique_ptr<Peer> linked_peer(const PlayerSpec& spec, std::size_t index,
                                  const PlayerContext& context) {
    return std::make_unique<LinkedPeer>(spec, index, context);
}

}  // namespace arena

// Each thread has an io_context and runs some players, which take block after block until none
// is left. Each reply has a referee of its own, which judges time, then legality.
#include "arena/check/asking.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include <boost/asio/awaitable.hpp>

#include "arena/base/at_once.hpp"
#include "arena/base/cores.hpp"
#include "arena/base/run_alone.hpp"
#include "arena/game/referee.hpp"
#include "arena/game/seeds.hpp"
#include "arena/players/names.hpp"

namespace arena {
namespace {

constexpr std::size_t kBlock = 32;       // questions
constexpr std::size_t kMaxPlies = 2;     // more than the one move of a question
constexpr Milliseconds kLateReply{100};  // the wait for a late reply after `stop`

// Whether the bot needs Player::recover() after this fault.
bool needs_recovery(Reason reason) {
    return reason == Reason::Timeout || reason == Reason::Disconnected ||
           reason == Reason::Protocol;
}

// Shared by all threads.
class AskState {
  public:
    AskState(const Asking& the_asking, const TimeControl& the_clock, int restarts)
        : asking(the_asking), clock(the_clock), restarts_left_(restarts) {}

    // The first question of the next block; nullopt: there is none.
    std::optional<std::size_t> next_block() {
        if (stopped || is_late()) return std::nullopt;
        const std::size_t first = next_.fetch_add(kBlock);
        if (first >= asking.order.size()) return std::nullopt;
        return first;
    }

    bool is_late() const { return Clock::now() >= asking.until; }

    void count_answer() {
        ++answered_;
        if (asking.on_progress && news_.is_due()) asking.on_progress(answered_);
    }

    // The bot did not start or restart.
    void fail_start(Cause cause) {
        const std::lock_guard lock(mutex_);
        stopped = true;
        if (!start_failure) start_failure = std::move(cause);
    }
    // Whether the bot may be started again.
    bool may_restart() {
        if (restarts_left_.fetch_sub(1) > 0) return true;
        stopped = gave_up = true;
        return false;
    }

    void keep_error(std::exception_ptr thrown) {
        const std::lock_guard lock(mutex_);
        stopped = true;
        if (!error) error = std::move(thrown);
    }

    const Asking& asking;
    const TimeControl clock;
    std::atomic<bool> stopped{false};
    std::atomic<bool> gave_up{false};
    std::atomic<int> signal{0};
    std::optional<Cause> start_failure;
    std::exception_ptr error;

    std::uint64_t answered() const { return answered_; }

  private:
    std::atomic<std::size_t> next_{0};
    std::atomic<std::uint64_t> answered_{0};
    ProgressTimer news_;
    std::atomic<int> restarts_left_;
    std::mutex mutex_;
};

// Asks one player block after block.
class Interview {
  public:
    Interview(AskState& state, Player& player) : state_(state), player_(player) {}

    Awaitable<void> run() {
        bool goes_on = true;
        while (goes_on) {
            const auto first = state_.next_block();
            if (!first) break;
            goes_on = co_await ask_block(*first);
        }
    }

    // That a process has ended after its last answer shows when it is spoken to once more.
    Awaitable<void> take_last_end() {
        if (!answered_ || state_.stopped) co_return;
        auto failure = co_await player_.go_on(seed());
        take_own_end();
        if (failure && failure->reason == Reason::Timeout) fail_start(*std::move(failure));
    }

  private:
    // False: stop asking the bot.
    Awaitable<bool> ask_block(std::size_t first) {
        block_ = first / kBlock + 1;
        restarts_ = 0;
        auto failure = co_await player_.prepare(seed());
        take_own_end();
        if (failure) {
            fail_start(*std::move(failure));
            co_return false;
        }
        const std::size_t end = std::min(first + kBlock, state_.asking.order.size());
        for (std::size_t i = first; i < end && !state_.stopped && !state_.is_late(); ++i) {
            const bool goes_on = co_await ask_one(state_.asking.order[i]);
            if (!goes_on) co_return false;
        }
        co_return true;
    }

    // Of the process that gave the last answer of a block.
    void take_own_end() {
        const auto end = player_.take_own_end();
        if (end && answered_) state_.asking.survey.take_end(*answered_, *end);
        answered_.reset();
    }

    // Again where it had ended before the question.
    Awaitable<bool> ask_one(std::size_t number) {
        for (;;) {
            AskedPosition asked = state_.asking.survey.asked(number);
            Referee referee(std::move(asked.game), {state_.clock, state_.clock}, kMaxPlies,
                            {"it", "it"});
            const Question question{referee, asked.line};
            const Answer answer = co_await player_.ask(question);
            if (answer.failure) {
                referee.fail(*answer.failure, answer.used);
            } else if (referee.answer(answer.word, answer.used, answer.line)) {
                report(number, {referee.last_move(), answer.refusal, nullptr});
                co_return true;
            }
            Cause fault = *referee.verdict();
            const bool recovers = needs_recovery(fault.reason);
            if (recovers) fault.stderr_tail = player_.stderr_tail();
            const bool is_asked = !answer.is_unread || !answered_;
            if (is_asked)
                report(number, {answer.word, answer.refusal, &fault});
            else
                state_.asking.survey.take_end(*answered_, fault);
            if (!recovers) co_return true;
            const bool has_recovered = co_await restart(fault.reason);
            if (is_asked || !has_recovered) co_return has_recovered;
        }
    }

    Awaitable<bool> restart(Reason fault) {
        answered_.reset();
        if (!state_.may_restart()) {
            co_await player_.end_game(true);
            co_return false;
        }
        ++restarts_;
        auto failure = co_await player_.recover(fault, kLateReply, seed());
        if (!failure) co_return true;
        fail_start(*std::move(failure));
        co_return false;
    }

    // Another one after each restart: with the same a bot might draw the same and end again.
    std::uint64_t seed() const { return Seeds(state_.asking.seed).of_game(block_, restarts_); }

    void report(std::size_t number, const AskedMove& asked) {
        state_.count_answer();
        state_.asking.survey.take(number, asked, state_.asking.again);
        answered_ = number;
    }

    void fail_start(Cause failure) {
        failure.stderr_tail = player_.stderr_tail();
        state_.fail_start(std::move(failure));
    }

    AskState& state_;
    Player& player_;
    std::uint64_t block_ = 0;     // that is asked, from 1
    std::uint64_t restarts_ = 0;  // in it
    // The last position that the process has answered.
    std::optional<std::size_t> answered_;
};

// An error stops all players.
Awaitable<void> interview(AskState& state, const PlayerSpec& spec,
                          const PlayerContext& context) {
    try {
        const auto player = make_player(spec, 0, context);
        Interview one(state, *player);
        co_await one.run();
        co_await one.take_last_end();
        co_await player->quit();
    } catch (...) {
        state.keep_error(std::current_exception());
    }
}

// Runs some players of a thread until all of them are done.
void run_players(AskState& state, const AskSetup& setup, const PlayerResources& resources,
                 std::size_t players, std::optional<int> core) {
    if (core) pin_to(*core);
    std::optional<PlayerContext> context;  // outlives the coroutines of the players
    const std::function<Awaitable<void>(std::size_t, std::size_t)> work = [&](auto, auto) {
        return interview(state, setup.options.players.front(), *context);
    };
    try {
        const int signal = run_alone([&](const EventLoop& loop) {
            context.emplace(PlayerContext{loop, resources});
            if (core) context->cores = {*core};
            return run_at_once(loop.io, players, players, work);
        });
        if (signal == 0) return;
        state.signal = signal;
        state.stopped = true;
    } catch (...) {
        state.keep_error(std::current_exception());
    }
}

}  // namespace

Awaitable<void> ask_player(Player& player, const TimeControl& clock, int restarts,
                           const Asking& asking) {
    AskState state(asking, clock, restarts);
    Interview one(state, player);
    co_await one.run();
}

AskEnd ask_all(const AskSetup& setup, const Asking& asking) {
    AskState state(asking, clock_of(setup.options, 0), setup.restarts);
    Names names(setup.options.players);
    PlayerResources resources = setup.resources;
    resources.names = &names;
    std::vector<std::thread> threads;
    const int count = static_cast<int>(setup.cores.size());
    for (int i = 0; i < count; ++i) {
        const int players = setup.processes / count + (i < setup.processes % count ? 1 : 0);
        const auto core = setup.cores[static_cast<std::size_t>(i)];
        threads.emplace_back([&, players, core] {
            run_players(state, setup, resources, static_cast<std::size_t>(players), core);
        });
    }
    for (std::thread& thread : threads) thread.join();
    if (state.error && state.signal == 0) std::rethrow_exception(state.error);
    return {std::move(state.start_failure),
            state.answered() > 0,
            state.gave_up,
            state.signal,
            names.of(0),
            names.remarks()};
}

}  // namespace arena

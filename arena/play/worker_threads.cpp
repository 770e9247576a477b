#include "arena/play/worker_threads.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <optional>
#include <system_error>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "arena/base/cores.hpp"
#include "arena/base/deadlines.hpp"
#include "arena/base/interrupts.hpp"
#include "arena/players/player.hpp"

namespace arena {

namespace asio = boost::asio;

namespace {

// Players that are started at a time before the first game. One that hangs takes all of
// --startup, and no CPU time.
constexpr int kTriedAtOnce = 8;
// Players that are kept running besides those that play.
constexpr int kSpareProcesses = 8;

}  // namespace

struct WorkerThreads::Worker {
    // `core`: where the thread and the players of its games run; nullopt: anywhere.
    // `processes`: as many players are kept running by it, unless more play.
    Worker(PlayContext& shared, int slots, int processes, std::optional<int> where)
        : play(shared), core(where) {
        if (core) context.cores = {*core};
        pool.emplace(play.options.players, context, processes);
        for (int i = 0; i < slots; ++i) add_slot();
    }
    // Coroutines dropped in the middle of a game are destroyed with the io_context and use the
    // deadlines until then; the timer must be destroyed before it.
    ~Worker() {
        deadlines.close();
        pool.reset();
        io.reset();
    }

    // Plays until no game is left or stop() is called. Throws on errors of the arena
    // itself.
    void run() {
        if (core) pin_to(*core);
        io->run();
    }
    // From any thread: games in progress are dropped.
    void stop() { io->stop(); }

    void add_slot() {
        ++running;
        spawn(play_slot());
    }

    void add_trial() { spawn(try_players(play, *pool)); }

    void spawn(Awaitable<void> work) {
        const auto done = [](const std::exception_ptr& error) {
            if (error) std::rethrow_exception(error);  // out of run()
        };
        asio::co_spawn(*io, std::move(work), done);
    }

    // The last slot to end closes the players.
    Awaitable<void> play_slot() {
        co_await run_slot(play, *pool);
        if (--running > 0) co_return;
        co_await pool->quit();
        io->stop();  // the deadlines' timer may still wait
    }

    PlayContext& play;
    std::optional<int> core;
    int running = 0;
    std::unique_ptr<asio::io_context> io = std::make_unique<asio::io_context>(1);
    Deadlines deadlines{*io};
    PlayerContext context{{*io, deadlines, play.compute}, play.players};
    std::optional<PlayerPool> pool;
};

WaitableEvent::WaitableEvent() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!fd_) throw std::system_error(errno, std::generic_category(), "cannot wait for events");
}

void WaitableEvent::set() const { ::eventfd_write(fd_.get(), 1); }

void WaitableEvent::clear() const {
    eventfd_t ignored = 0;
    ::eventfd_read(fd_.get(), &ignored);
}

ThreadPlan plan_threads(const PlayOptions& options, std::uint64_t games,
                        const std::vector<int>& allowed) {
    const auto one_at_a_time = [](const PlayerSpec& player) {
        return player.kind == PlayerKind::Human || player.kind == PlayerKind::TcpListen;
    };
    const auto local = [](const PlayerSpec& player) {
        return player.kind == PlayerKind::Command || player.kind == PlayerKind::Builtin;
    };
    const std::vector<int>& cores =
        options.affinity == AffinityMode::List ? options.cores : allowed;
    const int core_count = static_cast<int>(cores.size());
    const bool serial = std::ranges::any_of(options.players, one_at_a_time);

    const bool pinned = options.affinity == AffinityMode::Default
                            ? std::ranges::all_of(options.players, local)
                            : options.affinity != AffinityMode::Off;

    ThreadPlan plan;
    plan.concurrency = options.concurrency.value_or(serial   ? 1
                                                    : pinned ? core_count
                                                             : std::max(1, core_count / 2));
    if (static_cast<std::uint64_t>(plan.concurrency) > games) {
        plan.concurrency = static_cast<int>(games);
    }
    // With only two players, both are in every game.
    for (const PlayerSpec& player : options.players) {
        if (options.players.size() > 2 || player.instances == 0) continue;
        plan.concurrency = std::min(plan.concurrency, player.instances);
    }
    for (int i = 0; i < std::min(plan.concurrency, core_count); ++i) {
        plan.cores.push_back(pinned ? std::optional(cores[static_cast<std::size_t>(i)])
                                    : std::nullopt);
    }
    return plan;
}

WorkerThreads::WorkerThreads() = default;
WorkerThreads::~WorkerThreads() = default;

void WorkerThreads::dismiss() { workers_.clear(); }

void WorkerThreads::start(PlayContext& play, const ThreadPlan& plan) {
    const int threads = static_cast<int>(plan.cores.size());
    running_ = threads;
    for (int i = 0; i < threads; ++i) {
        const int slots = plan.concurrency / threads + (i < plan.concurrency % threads);
        const int processes = 2 * slots + kSpareProcesses * slots / plan.concurrency;
        workers_.push_back(std::make_unique<Worker>(play, slots, processes,
                                                    plan.cores[static_cast<std::size_t>(i)]));
    }
    if (play.on_tried) {
        const auto players = static_cast<int>(play.options.players.size());
        for (int i = 0; i < std::max(threads, std::min(kTriedAtOnce, players)); ++i)
            workers_[static_cast<std::size_t>(i % threads)]->add_trial();
    }
    for (const auto& worker : workers_) {
        threads_.emplace_back([this, &worker] { run(*worker); });
    }
}

void WorkerThreads::run(Worker& worker) {
    try {
        worker.run();
    } catch (const std::exception& error) {
        fail(error.what());
    }
    if (--running_ == 0) done_.set();
}

int WorkerThreads::wait(Interrupts& interrupts, Milliseconds interval,
                        const std::function<void()>& tick, const Drain& drain) {
    std::optional<Clock::time_point> end;  // of the drain, once that has begun
    Clock::time_point begun{};
    int begun_by = 0;               // the signal
    int early = interrupts.read();  // a signal before the first game, or 0
    for (;;) {
        std::array<pollfd, 3> watched{
            {{done_.fd(), POLLIN, 0}, {interrupts.fd(), POLLIN, 0}, {failed_.fd(), POLLIN, 0}}};
        int timeout = interval.count() > 0 ? static_cast<int>(interval.count()) : -1;
        if (end) {
            const auto left = std::chrono::ceil<Milliseconds>(*end - Clock::now()).count();
            const int most = static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
            timeout = timeout < 0 ? most : std::min(timeout, most);
        }
        if (early == 0) ::poll(watched.data(), watched.size(), timeout);
        const bool has_signal = early != 0 || watched[1].revents != 0;
        const int signal = early != 0 ? std::exchange(early, 0) : interrupts.read();
        if (has_signal && !end && drain.time.count() > 0 && watched[2].revents == 0) {
            begun = Clock::now();
            end = begun + drain.time;
            begun_by = signal;
            drain.begin();
            continue;
        }
        // When a terminal closes, the shell and the kernel both send SIGHUP.
        const bool is_echo =
            signal == begun_by && (signal == SIGHUP || Clock::now() < begun + kEcho);
        const bool is_second = has_signal && !is_echo;
        const bool is_late = end && (is_second || Clock::now() >= *end);
        if ((signal != 0 && !end) || is_late || watched[2].revents != 0) {
            interrupt();
            return signal;
        }
        if (watched[0].revents != 0) return signal;
        tick();
    }
}

void WorkerThreads::join() {
    for (std::thread& thread : threads_) {
        if (thread.joinable()) thread.join();
    }
}

// Games in progress are dropped; a second signal ends the program at once.
void WorkerThreads::interrupt() {
    // First of all, so that no game uses aborted operations.
    for (const auto& worker : workers_) worker->stop();
    stop_.request_stop();
    stopped_.set();
}

void WorkerThreads::fail(const std::string& text) {
    const std::lock_guard lock(failure_mutex_);
    if (failure_.empty()) failure_ = text;
    failed_.set();
}

std::string WorkerThreads::failure() const {
    const std::lock_guard lock(failure_mutex_);
    return failure_;
}

}  // namespace arena

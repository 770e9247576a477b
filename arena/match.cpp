#include "arena/match.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/asio/thread_pool.hpp>

#include "arena/console.hpp"
#include "arena/exit_codes.hpp"
#include "arena/interrupts.hpp"
#include "arena/names.hpp"
#include "arena/recorder.hpp"
#include "arena/report.hpp"
#include "arena/schedule.hpp"
#include "arena/sockets.hpp"
#include "arena/traffic_log.hpp"
#include "arena/worker.hpp"
#include "engine/solver/analyst.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Result;

constexpr Milliseconds kProgressInterval{200};  // on a terminal
constexpr int kMostWaiting = 1000;              // games, to be recorded
constexpr std::uint64_t kFewGames = 20;         // a line each; of more, a line each tenth

std::vector<int> allowed_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
    }
    return cores;
}

// Something that can be waited for beside signals.
class Event {
  public:
    Event() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
    void set() const { ::eventfd_write(fd_.get(), 1); }
    int fd() const { return fd_.get(); }

  private:
    protocol::UniqueFd fd_;
};

// "game 3: ann beat bob in 12 moves (no-moves)".
std::string game_line(const GameRecord& record, const std::vector<std::string>& names) {
    const auto name_of = [&](int seat) {
        return names[static_cast<std::size_t>(
            record.task.players[static_cast<std::size_t>(seat)])];
    };
    std::string outcome = fmt::format("{} and {} drew", name_of(0), name_of(1));
    if (record.winner) {
        outcome =
            fmt::format("{} beat {}", name_of(*record.winner), name_of(1 - *record.winner));
    }
    if (record.reason == Reason::Void) outcome = "void";
    const std::size_t moves = record.moves.size();
    return fmt::format("game {}: {} in {} move{} ({})", record.task.game, outcome, moves,
                       moves == 1 ? "" : "s", name(record.reason));
}

// One run of a match. What workers use is declared before them, and so outlives them.
class Match {
  public:
    Match(const MatchOptions& options, const Guardian& guardian,
          std::vector<std::unique_ptr<Listener>> listeners, std::unique_ptr<TrafficLog> log,
          std::unique_ptr<LineFile> record)
        : options_(options),
          console_(options.jsonl == "-" ? stderr : stdout),
          analyst_(engine::make_analyst()),
          schedule_(options, *analyst_),
          names_(options.players),
          listeners_(std::move(listeners)),
          log_(std::move(log)),
          recorder_(
              std::move(record), *analyst_, names_, options.seed,
              has_person() ? 0 : kMostWaiting,
              [this](const GameRecord& game, const Tally& tally) { tell_game(game, tally); },
              [this](const Error& error) { fail(describe(error)); }),
          compute_(std::max(1u, std::thread::hardware_concurrency())),
          context_{options,   schedule_,         guardian,      *analyst_,
                   compute_,  listeners_,        names_,        *log_,
                   recorder_, stop_.get_token(), stopped_.fd(), console_.file()} {}

    int run() {
        const auto plan = plan_threads(options_, schedule_.size(), allowed_cores());
        context_.concurrency = plan.concurrency;
        announce(plan);
        start(plan);
        wait();
        interrupts_.release();
        for (std::thread& thread : threads_) thread.join();
        // What computes may belong to a game, which goes with its worker.
        compute_.join();
        recorder_.finish();
        workers_.clear();
        return console_.finish(report());
    }

  private:
    void announce(const ThreadPlan& plan) {
        for (const auto& listener : listeners_) {
            // Always, and for a program to read: who is to dial in must know where.
            if (listener) console_.line("listening on " + listener->address());
        }
        if (options_.quiet) return;
        console_.line(fmt::format("{} games, {} at once{}, seed {}", schedule_.size(),
                                  plan.concurrency, plan.pinned() ? " (pinned to cores)" : "",
                                  options_.seed));
    }

    void start(const ThreadPlan& plan) {
        const int threads = static_cast<int>(plan.cores.size());
        running_ = threads;
        for (int i = 0; i < threads; ++i) {
            const int slots = plan.concurrency / threads + (i < plan.concurrency % threads);
            workers_.push_back(std::make_unique<Worker>(
                context_, slots, plan.cores[static_cast<std::size_t>(i)]));
        }
        for (const auto& worker : workers_) {
            threads_.emplace_back([this, &worker] { run(*worker); });
        }
    }

    void run(Worker& worker) {
        try {
            worker.run();
        } catch (const std::exception& error) {
            fail(error.what());
        }
        if (--running_ == 0) done_.set();
    }

    // Until the last worker is done, a signal comes, or something fails.
    void wait() {
        const bool shows_progress = console_.terminal() && !options_.quiet && !has_person();
        for (;;) {
            std::array<pollfd, 3> watched{{{done_.fd(), POLLIN, 0},
                                           {interrupts_.fd(), POLLIN, 0},
                                           {failed_.fd(), POLLIN, 0}}};
            const int timeout =
                shows_progress ? static_cast<int>(kProgressInterval.count()) : -1;
            ::poll(watched.data(), watched.size(), timeout);
            signal_ = interrupts_.read();
            if (signal_ != 0 || watched[2].revents != 0) return interrupt();
            if (watched[0].revents != 0) return;
            if (shows_progress) show_progress();
        }
    }

    // Games in progress are dropped; a second signal ends the program where it stands.
    void interrupt() {
        // First of all, so that no game goes on with what was broken off.
        for (const auto& worker : workers_) worker->stop();
        stop_.request_stop();
        stopped_.set();
    }

    int report() {
        const auto logged = log_->finish();
        if (!logged) fail(describe(logged.error()));
        const Tally tally = recorder_.tally();
        std::string text = final_report(tally, names_.all());
        if (text.ends_with('\n')) text.pop_back();
        console_.line(text);
        if (!failure_.empty()) {
            complain(fmt::format("nim-arena: {}\n", failure_));
            return kExitInternal;
        }
        if (signal_ != 0) {
            console_.line(fmt::format("interrupted: {} of {} games were played",
                                      tally.finished(), schedule_.size()));
            return 128 + signal_;
        }
        const auto& endings = tally.endings();
        if (endings.contains(Reason::Startup)) return kExitStartup;
        if (options_.strict && tally.has_faults()) return kExitStrict;
        return kExitPlayed;
    }

    bool has_person() const {
        return std::ranges::any_of(options_.players, [](const PlayerSpec& player) {
            return player.kind == PlayerKind::Human;
        });
    }

    // A log that cannot be written ends the match, as a record does.
    void check_log() {
        const auto logged = log_->state();
        if (!logged) fail(describe(logged.error()));
    }

    void tell_game(const GameRecord& game, const Tally& tally) {
        check_log();
        if (options_.quiet || (console_.terminal() && !has_person())) return;
        if (schedule_.size() <= kFewGames) {
            console_.line(game_line(game, names_.all()));
        } else if (tally.finished() * 10 / schedule_.size() !=
                   (tally.finished() - 1) * 10 / schedule_.size()) {
            console_.line(progress_text(tally));
        }
    }

    void show_progress() { console_.progress(progress_text(recorder_.tally())); }

    std::string progress_text(const Tally& tally) const {
        const auto elapsed = std::chrono::duration_cast<Milliseconds>(Clock::now() - started_);
        return progress_line(tally, names_.all(), schedule_.size(), elapsed);
    }

    // From any thread: the first failure of the arena itself ends the match.
    void fail(const std::string& text) {
        const std::lock_guard lock(failure_mutex_);
        if (failure_.empty()) failure_ = text;
        failed_.set();
    }

    const MatchOptions& options_;
    Interrupts interrupts_;  // before anything that starts a thread
    Console console_;
    Clock::time_point started_ = Clock::now();
    Event done_, failed_, stopped_;
    std::stop_source stop_;
    int signal_ = 0;
    std::mutex failure_mutex_;
    std::string failure_;
    std::unique_ptr<engine::Analyst> analyst_;
    Schedule schedule_;
    Names names_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    std::unique_ptr<TrafficLog> log_;
    Recorder recorder_;
    boost::asio::thread_pool compute_;
    MatchContext context_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::atomic<int> running_{0};
    std::vector<std::thread> threads_;
};

Result<std::vector<std::unique_ptr<Listener>>> open_listeners(const MatchOptions& options) {
    std::vector<std::unique_ptr<Listener>> listeners;
    for (const PlayerSpec& player : options.players) {
        listeners.emplace_back();
        if (player.kind != PlayerKind::TcpListen) continue;
        auto listener = Listener::open(player.endpoint);
        if (!listener) return listener.error();
        listeners.back() = *std::move(listener);
    }
    return listeners;
}

int refuse(const Error& error, int status) {
    complain(fmt::format("nim-arena: {}\n", describe(error)));
    return status;
}

}  // namespace

Result<void> check_cores(const std::vector<int>& cores) {
    const std::vector<int> allowed = allowed_cores();
    for (const int core : cores) {
        if (std::ranges::binary_search(allowed, core)) continue;
        return Error{
            protocol::Fault::BadInput,
            fmt::format("--affinity: read {}, expected cores that this process may use: "
                        "{}",
                        core, fmt::join(allowed, ",")),
            0};
    }
    return {};
}

int run_match(const MatchOptions& options, const Guardian& guardian) {
    const auto usable = check_cores(options.cores);
    if (!usable) return refuse(usable.error(), kExitUsage);

    auto listeners = open_listeners(options);
    if (!listeners) return refuse(listeners.error(), kExitStartup);

    auto log = std::make_unique<TrafficLog>();
    if (!options.log.empty()) {
        auto opened = TrafficLog::open(options.log);
        if (!opened) return refuse(opened.error(), kExitInternal);
        log = *std::move(opened);
    }
    std::unique_ptr<LineFile> record;
    if (!options.jsonl.empty()) {
        auto opened = LineFile::open(options.jsonl);
        if (!opened) return refuse(opened.error(), kExitInternal);
        record = *std::move(opened);
    }
    Match match(options, guardian, *std::move(listeners), std::move(log), std::move(record));
    return match.run();
}

}  // namespace arena

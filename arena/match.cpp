#include "arena/match.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "arena/console.hpp"
#include "arena/counted.hpp"
#include "arena/exit_codes.hpp"
#include "arena/interrupts.hpp"
#include "arena/names.hpp"
#include "arena/play_setup.hpp"
#include "arena/recorder.hpp"
#include "arena/report.hpp"
#include "arena/schedule.hpp"
#include "arena/sockets.hpp"
#include "arena/traffic_log.hpp"
#include "arena/worker.hpp"
#include "arena/workforce.hpp"
#include "engine/solver/analyst.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;

constexpr Milliseconds kProgressInterval{200};  // on a terminal
constexpr int kMostWaiting = 1000;              // games, to be recorded
constexpr std::uint64_t kFewGames = 20;         // a line each; of more, a line each tenth

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
    return fmt::format("game {}: {} in {} ({})", record.task.game, outcome,
                       counted(record.moves.size(), "move"), name(record.reason));
}

// The games of a match, one at a time.
class MatchGames : public GameSource {
  public:
    explicit MatchGames(const Schedule& schedule) : schedule_(schedule) {}

    Awaitable<std::vector<GameTask>> next() override { co_return take(); }
    std::vector<GameTask> again(const std::vector<GameTask>&) override { return take(); }
    void left(int) override {}

  private:
    std::vector<GameTask> take() {
        const std::uint64_t number = next_.fetch_add(1);
        std::vector<GameTask> games;
        if (number <= schedule_.size()) games.push_back(schedule_.task(number));
        return games;
    }

    const Schedule& schedule_;
    std::atomic<std::uint64_t> next_{1};
};

// One run of a match. What workers use is declared before them, and so outlives them.
class Match {
  public:
    Match(const MatchOptions& options, const Guardian& guardian, PlaySetup setup,
          std::unique_ptr<LineFile> record)
        : options_(options),
          console_(options.jsonl == "-" ? stderr : stdout, options.color),
          analyst_(engine::make_analyst()),
          schedule_(options, *analyst_),
          names_(options.players),
          setup_(std::move(setup)),
          recorder_(
              std::move(record), *analyst_, names_, options.seed,
              has_person() ? 0 : kMostWaiting,
              [this](const GameRecord& game, const Tally& tally) { tell_game(game, tally); },
              [this](const Error& error) { workforce_.fail(describe(error)); }),
          compute_(std::max(1u, std::thread::hardware_concurrency())),
          context_{options,
                   games_,
                   recorder_,
                   guardian,
                   *setup_.launcher,
                   *analyst_,
                   compute_,
                   setup_.listeners,
                   names_,
                   *setup_.log,
                   workforce_.stop_token(),
                   workforce_.stop_fd(),
                   console_.file()} {}

    int run() {
        const auto plan = plan_threads(options_, schedule_.size(), allowed_cores());
        context_.concurrency = plan.concurrency;
        announce(plan);
        workforce_.start(context_, plan);
        const bool shows_progress = console_.terminal() && !options_.quiet && !has_person();
        signal_ =
            workforce_.wait(interrupts_, shows_progress ? kProgressInterval : Milliseconds(0),
                            [this] { show_progress(); }, {});
        interrupts_.release();
        workforce_.join();
        // What computes may belong to a game, which goes with its worker.
        compute_.join();
        recorder_.finish();
        workforce_.dismiss();
        return console_.finish(report());
    }

  private:
    void announce(const ThreadPlan& plan) {
        for (const auto& listener : setup_.listeners) {
            // Always, and for a program to read: who is to dial in must know where.
            if (listener) console_.line("listening on " + listener->address());
        }
        if (options_.quiet) return;
        if (const auto sandbox = setup_.launcher->sandbox_text(); !sandbox.empty()) {
            console_.line("sandbox: " + sandbox);
        }
        console_.line(fmt::format("{} games, {} at once{}, seed {}", schedule_.size(),
                                  plan.concurrency, plan.pinned() ? " (pinned to cores)" : "",
                                  options_.seed));
    }

    int report() {
        const auto logged = setup_.log->finish(
            signal_ == 0 ? BackgroundFile::kPatience : BackgroundFile::kPatienceInterrupted);
        if (!logged) workforce_.fail(describe(logged.error()));
        const Tally tally = recorder_.tally();
        std::string text = final_report(tally, names_.all());
        if (text.ends_with('\n')) text.pop_back();
        console_.line(text);
        if (const auto failure = workforce_.failure(); !failure.empty()) {
            complain(fmt::format("nim-arena: {}\n", failure));
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
        const auto logged = setup_.log->state();
        if (!logged) workforce_.fail(describe(logged.error()));
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

    const MatchOptions& options_;
    Interrupts interrupts_;  // before anything that starts a thread
    Console console_;
    Clock::time_point started_ = Clock::now();
    Workforce workforce_;
    int signal_ = 0;
    std::unique_ptr<engine::Analyst> analyst_;
    Schedule schedule_;
    MatchGames games_{schedule_};
    Names names_;
    PlaySetup setup_;
    Recorder recorder_;
    boost::asio::thread_pool compute_;
    PlayContext context_;
};

}  // namespace

int run_match(const MatchOptions& options, const Guardian& guardian) {
    Refusal refusal;
    const std::string jsonl = options.jsonl == "-" ? "" : options.jsonl;
    auto setup = set_up(options, {jsonl}, guardian, refusal);
    if (!setup) return refuse(refusal);
    std::unique_ptr<LineFile> record;
    if (!options.jsonl.empty()) {
        auto opened = LineFile::open(options.jsonl);
        if (!opened) return refuse({opened.error()});
        record = *std::move(opened);
    }
    Match match(options, guardian, *std::move(setup), std::move(record));
    return match.run();
}

}  // namespace arena

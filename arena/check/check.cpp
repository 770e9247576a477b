#include "arena/check/check.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/at_work.hpp"
#include "arena/base/command_line.hpp"
#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/run_alone.hpp"
#include "arena/check/check_points.hpp"
#include "arena/check/check_talk.hpp"
#include "arena/players/launcher.hpp"
#include "arena/players/sockets.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::string_view kProgram = "nim-arena check";

using protocol::Error;
using protocol::Result;

constexpr Milliseconds kDialInAgain{10'000};  // for a bot that has dialled in before
// For the limit of a process's CPU time: all points together give a bot the time of some 20
// moves, which it may use up.
constexpr Milliseconds kLongestCheck{600'000};
constexpr int kMostMoves = 40;  // ample

// Tests the points in sequence.
class Checker {
  public:
    Checker(const CheckOptions& options, const MakePeer& make_peer, CheckReport& report,
            Console& console)
        : options_(options), check_(options, make_peer), report_(report), console_(console) {
        if (options.json || !console.terminal()) return;
        at_work_.emplace(console);
        check_.progress = [this](const std::string& text) { at_work_->tell(text); };
    }

    Awaitable<void> run() {
        for (const Point& point : points_for(options_.player)) {
            const auto began = check_.talk.now();
            PointResult result;
            result.id = point.id;
            result.title = point.title;
            if (check_.progress)
                check_.progress(fmt::format("{}: {} …", point.id, point.title));
            co_await try_point(point, result);
            result.needed = is_needed(point, check_);
            if (!result.needed && result.verdict == PointVerdict::Failed) {
                result.verdict = PointVerdict::Note;
            }
            result.time = std::chrono::duration_cast<Milliseconds>(check_.talk.now() - began);
            add(std::move(result));
        }
        const std::string not_checked = not_checked_text(report_);
        if (!options_.json && !not_checked.empty()) show(not_checked);
    }

  private:
    Awaitable<void> try_point(const Point& point, PointResult& result) {
        check_.talk.forget();
        if (const auto missing = missing_for(point.uses)) co_return take(*missing, result);
        if (point.uses != Uses::Nothing && !check_.talk.is_open()) {
            co_await start_anew(result);
            if (result.verdict != PointVerdict::Ok) co_return;
        }
        bool has_failed = false;
        try {
            const PointFinding finding = co_await point.run(check_);
            take(finding, result);
            if (check_.talk.is_open() && check_.answers_isready) co_await drain(check_);
        } catch (const PointFailure& failure) {
            take(failure, result);
            has_failed = true;
        }
        if (!has_failed || !check_.talk.is_open() || !check_.answers_isready) co_return;
        try {
            co_await check_.talk.drain();  // what is said of a failure that has been reported
        } catch (const PointFailure&) {
        }
    }

    // Why a point with this requirement cannot be tested; nullopt if it can.
    std::optional<PointFinding> missing_for(Uses uses) const {
        if (uses == Uses::Nothing) return std::nullopt;
        if (!check_.shook_hands) return not_checked("it does not shake hands");
        if (!gone_.empty()) return not_checked(gone_);
        if (uses == Uses::Bot) return std::nullopt;
        if (!check_.answers_isready) return not_checked("it does not answer `isready`");
        if (uses == Uses::Ready) return std::nullopt;
        if (!check_.answers_go) return not_checked("it does not answer `go`");
        if (uses == Uses::Go || check_.plays_usual) return std::nullopt;
        const bool plays_others =
            !check_.plays.empty() && check_.nim_failure.empty() && check_.take_failure.empty();
        constexpr const char* kNoUsual = "it plays neither nim nor take{1,3,4}";
        return plays_others ? not_asked(kNoUsual) : not_checked(kNoUsual);
    }

    // Restarts a bot that died, hung, or ended as requested.
    Awaitable<void> start_anew(PointResult& result) {
        try {
            co_await check_.talk.open(std::min(options_.startup, kDialInAgain));
        } catch (const PointFailure& failure) {
            gone_ = "it could not be reached again: " + failure.detail;
            take(failure, result);
            // A peer may serve one session only.
            if (options_.player.kind != PlayerKind::Command) {
                result.verdict = PointVerdict::NotChecked;
                result.detail = gone_;
            }
        }
    }

    void take(const PointFinding& finding, PointResult& result) {
        static_cast<PointFinding&>(result) = finding;
        if (result.lines.empty()) result.lines = check_.talk.lines();
        result.stderr_tail = check_.talk.stderr_tail();
    }

    void add(PointResult result) {
        report_.started = check_.shook_hands;
        report_.startup = check_.startup;
        report_.name = check_.talk.name();
        if (const std::string earlier = earlier_death_like(result); !earlier.empty()) {
            result.verdict = PointVerdict::NotChecked;
            result.detail = fmt::format("it dies as at {}", earlier);
        }
        result.same_as = earlier_like(result);
        if (!options_.json && result.verdict != PointVerdict::NotChecked) print(result);
        report_.points.push_back(std::move(result));
    }

    // The last line of stderr: usually the text of an exception.
    static std::string_view last_line(const PointResult& result) {
        const std::string_view tail = result.stderr_tail;
        const std::string_view text = tail.substr(0, tail.find_last_not_of("\r\n") + 1);
        return text.substr(text.rfind('\n') + 1);
    }

    // The earlier point that failed by the same death, with the same last line on stderr: most
    // probably this is one mistake, and what the point tests is not known. Empty: none.
    std::string earlier_death_like(const PointResult& result) const {
        if (!result.gave_up || last_line(result).empty()) return {};
        for (const PointResult& earlier : report_.points) {
            if (earlier.verdict == PointVerdict::Failed && earlier.gave_up &&
                earlier.detail == result.detail && last_line(earlier) == last_line(result)) {
                return earlier.id;
            }
        }
        return {};
    }

    // The earlier point that failed with the same remedy, which is shown once; empty: none.
    std::string earlier_like(const PointResult& result) const {
        if (result.verdict != PointVerdict::Failed) return {};
        for (const PointResult& earlier : report_.points) {
            const bool is_the_same = earlier.verdict == PointVerdict::Failed &&
                                     !earlier.fix.empty() && earlier.fix == result.fix &&
                                     last_line(earlier) == last_line(result);
            if (is_the_same) return earlier.id;
        }
        return {};
    }

    // Colours the first line.
    void print(const PointResult& result) {
        const std::string text = to_text(result);
        const auto end = text.find('\n');
        const Tone tone = result.verdict == PointVerdict::Failed ? Tone::Failure
                          : result.verdict == PointVerdict::Note ? Tone::Warning
                                                                 : Tone::Plain;
        console_.line(std::string_view(text).substr(0, end), tone);
        if (end + 1 < text.size()) show(std::string_view(text).substr(end + 1));
    }

    // Prints complete lines in place of the progress.
    void show(std::string_view lines) {
        lines.remove_suffix(1);
        console_.line(lines);
    }

    const CheckOptions& options_;
    Check check_;
    CheckReport& report_;
    Console& console_;
    std::string gone_;  // why no further point can be tested
    std::optional<AtWork> at_work_;
};

// Runs the check to its end. Returns the signal that interrupted it, or 0.
int run(const CheckOptions& options, const PlayerResources& resources, CheckReport& report,
        Console& console) {
    return run_alone([&](const EventLoop& loop) -> Awaitable<void> {
        const PlayerContext context{loop, resources};
        const MakePeer make_peer = [&](const PlayerSpec& spec) {
            return linked_peer(spec, 0, context);
        };
        co_await check_bot(options, make_peer, report, console);
    });
}

int exit_status(const CheckReport& report) {
    if (has_passed(report)) return kExitPlayed;
    const bool no_start = report.points.front().verdict == PointVerdict::Failed;
    return no_start ? kExitStartup : kExitInternal;
}

// With the bot's environment, sandbox and user of the options.
Result<Launcher> open_launcher(const CheckOptions& options, const Guardian& guardian) {
    PlayOptions play = options.play;
    play.players = {options.player};
    play.startup = std::max<Milliseconds>(kLongestCheck, kMostMoves * options.movetime);
    return Launcher::open(play, {}, guardian);
}

}  // namespace

Awaitable<void> check_bot(const CheckOptions& options, const MakePeer& make_peer,
                          CheckReport& report, Console& console) {
    Checker checker(options, make_peer, report, console);
    co_await checker.run();
}

int run_check(const CheckOptions& options, const Guardian& guardian) {
    std::vector<std::unique_ptr<Listener>> listeners(1);
    if (options.player.kind == PlayerKind::TcpListen) {
        auto listener = Listener::open(options.player.endpoint, options.insecure);
        if (!listener) return refuse(cannot_open(listener.error()), kProgram);
        listeners.front() = *std::move(listener);
    }
    const auto launcher = open_launcher(options, guardian);
    if (!launcher) return refuse({launcher.error(), kExitStartup}, kProgram);
    Console console(stdout, options.color);
    if (const auto& listener = listeners.front()) {
        // Printed with --json, too: a bot that dials in must know the address.
        const auto where = fmt::format("listening on {}\n", listener->address());
        options.json ? complain(where) : console.write(where);
    }
    if (!options.json) {
        console.write(fmt::format("checking {}, seed {}\n\n",
                                  protocol::printable(options.player_text), options.seed));
    }
    CheckReport report;
    report.player = options.player_text;
    report.seed = options.seed;
    int signal = 0;
    try {
        signal =
            run(options, {.guardian = guardian, .launcher = *launcher, .listeners = &listeners},
                report, console);
    } catch (const std::exception& error) {
        complain(fmt::format("{}: {}\n", kProgram, protocol::printable(error.what())));
        return kExitInternal;
    }
    if (signal != 0) {
        complain(fmt::format("{}: interrupted\n", kProgram));
        return 128 + signal;
    }
    if (options.json) {
        console.write(to_json(report));
    } else {
        std::string summary = summary_text(report);
        summary.pop_back();
        console.line(summary);  // in place of the progress
    }
    return console.finish(exit_status(report));
}

}  // namespace arena

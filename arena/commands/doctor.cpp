// `nim-arena doctor`: measures whether this machine can judge players by the clock, and prints
// what is wrong with it. The costs of a move and of a process are measured with `cat` as
// player.
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "arena/base/at_work.hpp"
#include "arena/base/console.hpp"
#include "arena/base/cores.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/heartbeat.hpp"
#include "arena/base/option_table.hpp"
#include "arena/commands/commands.hpp"
#include "arena/play/machine.hpp"
#include "arena/players/launcher.hpp"
#include "arena/process/control_groups.hpp"
#include "arena/process/move_latency.hpp"
#include "arena/process/sandbox.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr int kSpawns = 20;
constexpr int kNaps = 100;
constexpr rlim_t kFewFiles = 4096;

constexpr std::string_view kDoctorUsage =
    "Usage: nim-arena doctor\n\n"
    "Measures the least time of a move on this machine, the accuracy of its timers\n"
    "and its limits, and prints what is wrong with it for matches by the clock. Run\n"
    "it while nothing else runs. Exit status 1 if something is wrong.\n";

Microseconds since(SteadyClock::time_point start) {
    return std::chrono::duration_cast<Microseconds>(SteadyClock::now() - start);
}

Result<std::vector<Microseconds>> measure_spawns(const Guardian& guardian) {
    std::vector<Microseconds> times;
    for (int i = 0; i < kSpawns; ++i) {
        const auto start = SteadyClock::now();
        const auto process = guardian.spawn({{"cat"}, {}, {}, {}});
        if (!process) return process.error();
        times.push_back(since(start));
    }
    return times;
}

// How late timers wake.
std::vector<Microseconds> measure_naps() {
    std::vector<Microseconds> times;
    for (int i = 0; i < kNaps; ++i) {
        constexpr Microseconds kNap{1000};
        const auto start = SteadyClock::now();
        const timespec nap{0, kNap.count() * 1000};
        ::clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, nullptr);
        times.push_back(since(start) - kNap);
    }
    return times;
}

std::string first_word_of(const char* path) {
    std::ifstream file(path);
    std::string word;
    file >> word;
    return word;
}

std::string limit_text(rlim_t limit) {
    return limit == RLIM_INFINITY ? "unlimited" : std::to_string(limit);
}

rlim_t soft_limit(__rlimit_resource resource) {
    rlimit limit{};
    ::getrlimit(resource, &limit);
    return limit.rlim_cur;
}

// Prints the findings, each when it is known.
class Examination {
  public:
    explicit Examination(Console& console) : console_(console), at_work_(console) {
        at_work_.tell("measuring");
    }

    void note(const std::string& what, const std::string& measured) {
        console_.line(fmt::format("  {:<34} {}", what, measured));
        at_work_.tell("measuring");
    }
    void complain_of(const std::string& what) { complaints_.push_back(what); }
    void complain_if(bool wrong, const std::string& what) {
        if (wrong) complain_of(what);
    }

    // Prints what is wrong, and gives the exit status.
    int finish() {
        at_work_.tell("");
        for (const std::string& complaint : complaints_) console_.line("wrong: " + complaint);
        if (complaints_.empty()) console_.line("nothing is wrong with this machine");
        return console_.finish(complaints_.empty() ? kExitPlayed : kExitInternal);
    }

  private:
    Console& console_;
    AtWork at_work_;
    std::vector<std::string> complaints_;
};

std::string range_text(const MoveLatency& floor) {
    return fmt::format("{} us (99 of 100 within {} us)", floor.median.count(),
                       floor.p99.count());
}

void examine_time(Examination& examination) {
    timespec resolution{};
    ::clock_getres(CLOCK_MONOTONIC, &resolution);
    examination.note("clock resolution", fmt::format("{} ns", resolution.tv_nsec));
    examination.complain_if(resolution.tv_nsec > 1000,
                            "the clock is coarse: times of moves are not exact; expected a "
                            "kernel with high resolution timers");
    const MoveLatency naps = latency_of(measure_naps());
    examination.note("a timer of 1 ms wakes late by", range_text(naps));
    examination.complain_if(
        naps.p99 > Milliseconds(5),
        "timers wake late: the machine is busy, or a virtual one whose host "
        "is; use a --margin well above that");
}

// Whether the arena ran since `began`, and whether it would know if it did not.
void examine_heartbeat(Examination& examination, SteadyClock::time_point began) {
    const Absences absent = Heartbeat::total();
    const Microseconds time = absent.certain + absent.doubtful;
    examination.note(
        "the arena was stopped for",
        fmt::format("{} ms of {} ms", time / Milliseconds(1), since(began) / Milliseconds(1)));
    examination.complain_if(absent.longest >= kLongAbsence,
                            "the arena itself was stopped meanwhile, or may have been: its "
                            "machine or container is, from time to time");
    const bool can_tell = Heartbeat::can_tell().value_or(false);
    examination.note("a stop and load are told apart", can_tell ? "yes" : "no");
    examination.complain_if(
        !can_tell,
        "the kernel does not count how long a thread waits for a core "
        "(/proc/thread-self/schedstat): where the arena may have been stopped, players are not "
        "credited, and the game is played again, at most three times");
}

void examine_cores(Examination& examination) {
    const auto cores = allowed_cores().size();
    std::array<double, 1> load{};
    ::getloadavg(load.data(), 1);
    examination.note("cores to use", std::to_string(cores));
    examination.note("load of the last minute", fmt::format("{:.2f}", load[0]));
    examination.complain_if(load[0] > 0.5 * static_cast<double>(cores),
                            "other programs are running: players will wait for them");
    const std::string governor =
        first_word_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (!governor.empty()) examination.note("frequency governor", governor);
    examination.complain_if(
        governor == "powersave",
        "the governor powersave slows cores down: cpupower frequency-set -g "
        "performance");
}

void examine_limits(Examination& examination) {
    const rlim_t files = soft_limit(RLIMIT_NOFILE);  // raised to the hard one at the start
    examination.note("open files (ulimit -Hn)", limit_text(files));
    examination.complain_if(files < kFewFiles,
                            fmt::format("few files may be open: each player takes four; ulimit "
                                        "-Hn {}, or LimitNOFILE of a systemd service",
                                        kFewFiles));
    examination.note("processes (ulimit -u)", limit_text(soft_limit(RLIMIT_NPROC)));
    examination.note("core dumps (ulimit -c)", limit_text(soft_limit(RLIMIT_CORE)));
}

Result<void> examine_processes(Examination& examination, const Guardian& guardian) {
    const auto spawns = measure_spawns(guardian);
    if (!spawns) return spawns.error();
    examination.note("starting a process takes", range_text(latency_of(*spawns)));
    const auto floor = measure_latency(guardian);
    if (!floor) return floor.error();
    examination.note("a move takes at least", range_text(*floor));
    examination.note("so the least time for a move is",
                     fmt::format("{} ms", (kLeastLatencies * floor->p99 + Microseconds(999)) /
                                              Milliseconds(1)));
    examination.complain_if(floor->median > Milliseconds(1),
                            "a question and its answer take more than a millisecond: the "
                            "machine is busy, or cores sleep deeply; try --affinity on");
    return {};
}

// Only noted if it does not work, because only programs of strangers need it.
void examine_sandbox(Examination& examination, const Guardian& guardian) {
    const auto sandbox = Sandbox::open(SandboxOptions{}, std::nullopt, {}, guardian);
    const std::string option = "--sandbox bwrap";  // with which the error begins
    examination.note(option, sandbox ? "works: " + sandbox->description()
                                     : sandbox.error().text.substr(option.size() + 1));
}

// How to stop players off turn by something better than signals; empty: nothing to change.
std::string better_fairness() {
    std::error_code error;
    const bool is_container = std::filesystem::exists("/.dockerenv", error) ||
                              std::filesystem::exists("/run/.containerenv", error);
    if (is_container) {
        return "no control group can be made: run the container with --cgroupns=private and a "
               "/sys/fs/cgroup that may be written, as by --privileged";
    }
    return "no control group can be made: start the arena in a unit of systemd with "
           "Delegate=yes "
           "and (from version 254) DelegateSubgroup=arena, or by systemd-run --user --scope -p "
           "Delegate=yes nim-arena ...";
}

void examine_fairness(Examination& examination) {
    const auto turns = find_turn_groups({}, true);
    examination.note("--fair", fairness_text(turns));
    if (!turns) return examination.note("", better_fairness());
    const bool pins = std::ranges::any_of(turns->groups, &ControlGroup::pins);
    examination.note("", pins ? "they cannot leave their cores"
                              : "without --sandbox they may leave their cores: no cpuset here");
}

// Status 1: something is wrong.
int run_doctor(const Guardian& guardian) {
    const auto began = SteadyClock::now();
    Console console(stdout);
    Examination examination(console);
    const auto processes = examine_processes(examination, guardian);
    if (!processes) examination.complain_of(describe(processes.error()));
    examine_time(examination);
    examine_cores(examination);
    examination.note("speed of a core", fmt::format("{} thousand steps/s", measure_speed()));
    examine_limits(examination);
    examine_sandbox(examination, guardian);
    examine_fairness(examination);
    examine_heartbeat(examination, began);
    return examination.finish();
}

}  // namespace

int commands::doctor(const Words& words, const Guardian& guardian) {
    CommandLine line("nim-arena doctor", {}, kDoctorUsage);
    line.argument = [](const std::string& word) -> Result<void> {
        return bad_input("read {}, expected nothing", protocol::quoted(word));
    };
    return run(parse(line, words), [&](std::monostate) { return run_doctor(guardian); });
}

}  // namespace arena

#include "arena/doctor.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "arena/console.hpp"
#include "arena/exit_codes.hpp"
#include "arena/sandbox.hpp"
#include "arena/workforce.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr int kRoundTrips = 400;
constexpr int kSpawns = 20;
constexpr int kNaps = 100;
constexpr int kPatience = 2000;  // ms, for an answer of a child that only copies
constexpr rlim_t kFewFiles = 4096;

constexpr std::string_view kUsage =
    "Usage: nim-arena doctor\n\n"
    "Measures what this machine takes for a move at the least, how exactly it keeps time, and\n"
    "what its limits are, and says what is wrong with it for matches by the clock. Best run "
    "while\n"
    "nothing else does. Exit status 1 where something is wrong.\n";

Microseconds since(Clock::time_point start) {
    return std::chrono::duration_cast<Microseconds>(Clock::now() - start);
}

// What of a hundred measurements is below the given share.
Microseconds quantile(std::vector<Microseconds> times, double share) {
    std::ranges::sort(times);
    const auto place = static_cast<std::size_t>(share * static_cast<double>(times.size()));
    return times[std::min(place, times.size() - 1)];
}

Floor floor_of(const std::vector<Microseconds>& times) {
    return {quantile(times, 0.5), quantile(times, 0.99)};
}

bool wait_for_line(int fd) {
    std::array<char, 64> block;
    for (;;) {
        pollfd wait{fd, POLLIN, 0};
        if (::poll(&wait, 1, kPatience) <= 0) return false;
        const ssize_t count = ::read(fd, block.data(), block.size());
        if (count > 0) return block[static_cast<std::size_t>(count) - 1] == '\n';
        if (count == 0 || (errno != EAGAIN && errno != EINTR)) return false;
    }
}

Result<std::vector<Microseconds>> measure_spawns(const Guardian& guardian) {
    std::vector<Microseconds> times;
    for (int i = 0; i < kSpawns; ++i) {
        const auto start = Clock::now();
        const auto process = guardian.spawn({{"cat"}, {}, {}, {}});
        if (!process) return process.error();
        times.push_back(since(start));
    }
    return times;
}

// How much later than asked a sleeper wakes.
std::vector<Microseconds> measure_naps() {
    std::vector<Microseconds> times;
    for (int i = 0; i < kNaps; ++i) {
        constexpr Microseconds kNap{1000};
        const auto start = Clock::now();
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

// The findings, as they come.
class Examination {
  public:
    void note(const std::string& what, const std::string& measured) {
        text_ += fmt::format("  {:<34} {}\n", what, measured);
    }
    void complain_of(const std::string& what) { complaints_.push_back(what); }
    void complain_if(bool wrong, const std::string& what) {
        if (wrong) complain_of(what);
    }

    bool is_well() const { return complaints_.empty(); }
    std::string text() const {
        std::string text = text_;
        for (const std::string& complaint : complaints_) text += "wrong: " + complaint + "\n";
        if (is_well()) text += "nothing is wrong with this machine\n";
        return text;
    }

  private:
    std::string text_;
    std::vector<std::string> complaints_;
};

std::string range_text(const Floor& floor) {
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
    const Floor naps = floor_of(measure_naps());
    examination.note("a timer of 1 ms wakes late by", range_text(naps));
    examination.complain_if(
        naps.p99 > Milliseconds(5),
        "timers wake late: the machine is busy, or a virtual one whose host "
        "is; use a --margin well above that");
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
    const rlim_t files = soft_limit(RLIMIT_NOFILE);
    examination.note("open files (ulimit -n)", limit_text(files));
    examination.complain_if(files < kFewFiles,
                            fmt::format("few files may be open: each player takes four; ulimit "
                                        "-n {}",
                                        kFewFiles));
    examination.note("processes (ulimit -u)", limit_text(soft_limit(RLIMIT_NPROC)));
    examination.note("core dumps (ulimit -c)", limit_text(soft_limit(RLIMIT_CORE)));
}

Result<void> examine_processes(Examination& examination, const Guardian& guardian) {
    const auto spawns = measure_spawns(guardian);
    if (!spawns) return spawns.error();
    examination.note("starting a process takes", range_text(floor_of(*spawns)));
    const auto floor = measure_floor(guardian);
    if (!floor) return floor.error();
    examination.note("a move takes at least", range_text(*floor));
    examination.note("so the least time for a move is",
                     fmt::format("{} ms", (kLeastFloors * floor->p99 + Microseconds(999)) /
                                              Milliseconds(1)));
    examination.complain_if(floor->median > Milliseconds(1),
                            "a question and its answer take more than a millisecond: the "
                            "machine is busy, or cores sleep deeply; try --affinity on");
    return {};
}

// Not wrong where it does not work: only those who play strangers' programs need it.
void examine_sandbox(Examination& examination, const Guardian& guardian) {
    const auto sandbox = Sandbox::open(SandboxOptions{}, std::nullopt, {}, guardian);
    examination.note("--sandbox bwrap",
                     sandbox ? "works: " + sandbox->description() : sandbox.error().text);
}

}  // namespace

Result<Floor> measure_floor(const Guardian& guardian) {
    const auto process = guardian.spawn({{"cat"}, {}, {}, {}});
    if (!process) return process.error();
    std::vector<Microseconds> times;
    for (int i = 0; i < kRoundTrips; ++i) {
        constexpr std::string_view kLine = "isready\n";
        const auto start = Clock::now();
        const bool written = ::write(process->in.get(), kLine.data(), kLine.size()) ==
                             static_cast<ssize_t>(kLine.size());
        if (!written || !wait_for_line(process->out.get())) {
            return Error{Fault::Disconnected, "the program cat does not copy what it is sent",
                         0};
        }
        times.push_back(since(start));
    }
    return floor_of(times);
}

int run_doctor(const std::vector<std::string>& arguments, const Guardian& guardian) {
    Console console(stdout);
    if (!arguments.empty()) {
        if (arguments.front() == "--help" || arguments.front() == "-h") {
            console.write(kUsage);
            return console.finish(kExitPlayed);
        }
        complain(fmt::format("nim-arena doctor: read {}, expected nothing\n",
                             protocol::quoted(arguments.front())));
        return kExitUsage;
    }
    Examination examination;
    const auto processes = examine_processes(examination, guardian);
    if (!processes) examination.complain_of(describe(processes.error()));
    examine_time(examination);
    examine_cores(examination);
    examine_limits(examination);
    examine_sandbox(examination, guardian);
    console.write(examination.text());
    return console.finish(examination.is_well() ? kExitPlayed : kExitInternal);
}

}  // namespace arena

#include "arena/play/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/clock.hpp"
#include "arena/base/cores.hpp"
#include "arena/game/game_record.hpp"
#include "arena/process/executables.hpp"
#include "arena/record/sharing.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;

// The least speed of a machine, as a share of the first machine's: below the noise of a busy
// machine, above the speed of a slower kind of machine.
constexpr double kLeastSpeed = 0.6;
constexpr int kSpeedRuns = 5;
constexpr double kSpeedRun = 0.008;  // seconds

double cpu_seconds() { return std::chrono::duration<double>(thread_cpu()).count(); }

// Arithmetic and look-ups in a table that fits the first-level cache, each step waiting for the
// one before, as in a search.
std::uint64_t step_often(std::array<std::uint32_t, 4096>& table, std::uint64_t state) {
    constexpr int kSteps = 10'000;
    for (int i = 0; i < kSteps; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        std::uint32_t& cell = table[state % table.size()];
        state += cell;
        cell = static_cast<std::uint32_t>(state >> 16);
    }
    return state;
}

double speed_of_one_run(std::array<std::uint32_t, 4096>& table, std::uint64_t& state) {
    const double began = cpu_seconds();
    double passed = 0;
    double steps = 0;
    while (passed < kSpeedRun) {
        state = step_often(table, state);
        steps += 10;  // thousands
        passed = cpu_seconds() - began;
    }
    return steps / passed;
}

std::string host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    return protocol::printable(name.data());
}

bool has_clock(const TournamentOptions& options) {
    for (std::size_t i = 0; i < options.players.size(); ++i) {
        const TimeControl clock = clock_of(options, i);
        if (clock.movetime || clock.base) return true;
    }
    return false;
}

template <typename Time>
void scale(Time& time, double factor) {
    if constexpr (requires { *time; }) {
        if (time) scale(*time, factor);
    } else {
        time = Time(std::llround(static_cast<double>(time.count()) * factor));
    }
}

// The hashes without the paths, which differ from machine to machine.
std::vector<std::string> hashes_in(const std::string& executables) {
    auto hashes = split_printable(executables);
    for (std::string& line : hashes) line = line.substr(0, line.find(' '));
    return hashes;
}

// Players of the arena itself play alike where it is the same program.
std::string program_of(const PlayerSpec& player, const Launcher& launcher) {
    if (player.kind == PlayerKind::Builtin) {
        const std::string own = hash_executables({{"/proc/self/exe"}, {}, {}});
        return own.substr(0, own.find(' ')) + "  nim-arena " NIMARENA_VERSION;
    }
    return launcher.hash_executables(player);
}

Result<void> check_programs(Sharing& sharing, const TournamentOptions& options,
                            const Launcher& launcher) {
    for (std::size_t i = 0; i < options.players.size(); ++i) {
        const PlayerSpec& player = options.players[i];
        const std::string here = program_of(player, launcher);
        if (here.empty()) continue;  // at the other end of a socket, or not to be found
        const auto recorded = sharing.build(static_cast<int>(i), here);
        if (!recorded) return recorded.error();
        const auto found = hashes_in(here);
        const auto expected = hashes_in(*recorded);
        if (found == expected) continue;
        return bad_input(
            "{} is another program here than in the record:\n  here        {}\n  the record  "
            "{}\nexpected the same files on all machines; {}",
            player.name, fmt::join(split_printable(here), "\n              "),
            fmt::join(split_printable(*recorded), "\n              "),
            found.size() < expected.size()
                ? "one was not found here: is a path wrong in " + to_string(player) + "?"
                : "a new build needs a record of its own");
    }
    return {};
}

// Compares this machine with the first one that enlisted: the clocks of a record refer to it.
Result<void> fit_clocks(TournamentOptions& options, std::uint64_t speed,
                        const std::vector<WorkerStatus>& workers) {
    const auto first = std::ranges::find_if(
        workers, [](const WorkerStatus& worker) { return worker.info.speed > 0; });
    if (!options.is_worker || first == workers.end() || !has_clock(options)) return {};
    const std::uint64_t reference = first->info.speed;
    const double share = static_cast<double>(speed) / static_cast<double>(reference);
    if (options.scale_time) {
        scale_times(options, 1 / share);
    } else if (share < kLeastSpeed) {
        return bad_input(
            "this machine has {:.0f} % of the speed of the record's first one ({} against {} "
            "thousand steps a second), expected {:.0f} % or more where players have clocks: "
            "--scale-time gives them more time here",
            100 * share, speed, reference, 100 * kLeastSpeed);
    }
    return {};
}

}  // namespace

std::uint64_t measure_speed() {
    std::array<std::uint32_t, 4096> table{};
    std::uint64_t state = 88172645463325252;
    double best = 0;
    for (int i = 0; i < kSpeedRuns; ++i) best = std::max(best, speed_of_one_run(table, state));
    // Else the compiler leaves out the steps.
    [[maybe_unused]] volatile std::uint64_t used = state;
    return static_cast<std::uint64_t>(best);
}

void scale_times(PlayOptions& options, double factor) {
    scale(options.clock.movetime, factor);
    scale(options.clock.base, factor);
    scale(options.clock.increment, factor);
    scale(options.clock.hang, factor);
    for (PlayerSpec& player : options.players) {
        scale(player.clock.movetime, factor);
        scale(player.clock.base, factor);
        scale(player.clock.increment, factor);
    }
}

Result<void> enlist(Store& store, TournamentOptions& options, const Launcher& launcher) {
    Sharing* sharing = store.sharing();
    if (sharing == nullptr) return {};
    const auto same = check_programs(*sharing, options, launcher);
    if (!same) return same;
    const auto workers = sharing->workers();
    if (!workers) return workers.error();
    const std::uint64_t speed = measure_speed();
    const auto fits = fit_clocks(options, speed, *workers);
    if (!fits) return fits;
    const int cores = options.concurrency.value_or(static_cast<int>(allowed_cores().size()));
    const auto id = sharing->enlist({host_name(), ::getpid(), cores, speed, NIMARENA_VERSION,
                                     static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN))});
    if (!id) return id.error();
    options.worker = *id;
    return {};
}

}  // namespace arena

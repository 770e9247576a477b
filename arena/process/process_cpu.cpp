#include "arena/process/process_cpu.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string_view>
#include <utility>

#include "arena/process/process_table.hpp"

namespace arena {
namespace {

constexpr Milliseconds kLeastMeasured{5};

// Calls `take` with the time that each thread of the tree was ready to run and had no core.
void for_queues(pid_t pid, const std::function<void(Microseconds)>& take) {
    visit_tree(pid, [&take](const ProcessInfo& process) {
        const std::string folder = "/proc/" + std::to_string(process.pid) + "/task";
        for (const pid_t thread : list_numbers(folder)) {
            const auto text =
                read_proc_file(folder + "/" + std::to_string(thread) + "/schedstat");
            // "RAN WAITED SLICES", in nanoseconds.
            const auto waited = text ? text->find(' ') : std::string::npos;
            if (waited == std::string::npos) continue;
            const auto nanoseconds = std::strtoull(text->c_str() + waited, nullptr, 10);
            take(Microseconds(nanoseconds / 1000));
        }
    });
}

}  // namespace

Microseconds own_cpu(pid_t pid) {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
        return {};
    return std::chrono::seconds(time.tv_sec) + Microseconds(time.tv_nsec / 1000);
}

Microseconds process_cpu(pid_t pid) {
    static const long ticks_a_second = ::sysconf(_SC_CLK_TCK);
    Microseconds total{};
    visit_tree(pid, [&total](const ProcessInfo& process) {
        total += own_cpu(process.pid) +
                 Microseconds(process.children_ticks * 1'000'000 / ticks_a_second);
    });
    return total;
}

std::optional<Microseconds> queue_time(pid_t pid) {
    std::optional<Microseconds> total;
    for_queues(pid, [&total](Microseconds queued) {
        total = total.value_or(Microseconds(0)) + queued;
    });
    return total;
}

std::optional<Microseconds> longest_queue_time(pid_t pid) {
    std::optional<Microseconds> longest;
    for_queues(pid, [&longest](Microseconds queued) {
        longest = std::max(longest.value_or(Microseconds(0)), queued);
    });
    return longest;
}

std::uint64_t peak_memory(pid_t pid) {
    std::uint64_t kibibytes = 0;
    visit_tree(pid, [&kibibytes](const ProcessInfo& process) {
        const auto status =
            read_proc_file("/proc/" + std::to_string(process.thread) + "/status");
        constexpr std::string_view kPeak = "\nVmHWM:";
        const auto at = status ? status->find(kPeak) : std::string::npos;
        if (at == std::string::npos) return;
        kibibytes += std::strtoull(status->c_str() + at + kPeak.size(), nullptr, 10);
    });
    return kibibytes * 1024;
}

void raise_cpu_limit(pid_t pid, std::chrono::seconds more) {
    visit_tree(pid, [more](const ProcessInfo& process) {
        const auto used = std::chrono::ceil<std::chrono::seconds>(own_cpu(process.pid));
        rlimit limit{};
        if (::prlimit(process.pid, RLIMIT_CPU, nullptr, &limit) != 0) return;
        limit.rlim_cur =
            std::min<rlim_t>(static_cast<rlim_t>((used + more).count()), limit.rlim_max);
        ::prlimit(process.pid, RLIMIT_CPU, &limit, nullptr);
    });
}

OffTurnCpu::OffTurnCpu(std::function<Microseconds()> used, bool is_cheap)
    : used_(std::move(used)),
      is_cheap_(is_cheap),
      bound_(used_()),
      since_(SteadyClock::now()) {}

void OffTurnCpu::begin_turn(SteadyClock::time_point now) {
    count_pause(now);
    since_ = now;
}

void OffTurnCpu::end_turn(SteadyClock::time_point now) {
    const auto took = std::chrono::duration_cast<Microseconds>(now - since_);
    const bool measures = is_cheap_ || took >= kLeastMeasured;
    const Microseconds used = measures ? used_() : Microseconds(0);
    // A process that is gone shows zero, which must not become the bound.
    const bool knows = used > Microseconds(0);
    if (is_cheap_) {
        bound_ = std::max(bound_, used);
    } else {
        bound_ = knows ? std::min(bound_ + took, used) : bound_ + took;
    }
    since_ = now;
}

Microseconds OffTurnCpu::take() {
    count_pause(SteadyClock::now());
    return std::exchange(off_turn_, Microseconds(0));
}

void OffTurnCpu::count_pause(SteadyClock::time_point now) {
    if (!is_cheap_ && now - since_ < kLeastMeasured) return;
    const Microseconds used = used_();
    off_turn_ += std::max(used - bound_, Microseconds(0));
    bound_ = std::max(bound_, used);
}

}  // namespace arena

#include "arena/process/process_cpu.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "arena/process/process_table.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr Milliseconds kWorthALook{5};
constexpr int kMaxDepth = 32;  // of descendants: a process may make chains as long as it likes

std::vector<pid_t> children_of_thread(pid_t pid, pid_t thread) {
    std::vector<pid_t> children;
    const auto text = read_proc_file("/proc/" + std::to_string(pid) + "/task/" +
                                     std::to_string(thread) + "/children");
    if (!text) return children;
    for (const auto word : protocol::split_words(*text)) {
        pid_t child = 0;
        std::from_chars(word.data(), word.data() + word.size(), child);
        if (child > 0) children.push_back(child);
    }
    return children;
}

// Calls `visit` for `pid` and its living descendants.
template <typename Visit>
void for_tree(pid_t pid, const Visit& visit, int depth = 0) {
    const auto process = read_process(pid);
    if (!process) return;
    visit(*process);
    if (depth == kMaxDepth) return;

    std::vector<pid_t> threads{pid};
    if (process->threads > 1) threads = list_numbers("/proc/" + std::to_string(pid) + "/task");
    for (const pid_t thread : threads) {
        for (const pid_t child : children_of_thread(pid, thread)) {
            for_tree(child, visit, depth + 1);
        }
    }
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
    for_tree(pid, [&total](const ProcessInfo& process) {
        total += own_cpu(process.pid) +
                 Microseconds(process.children_ticks * 1'000'000 / ticks_a_second);
    });
    return total;
}

void raise_cpu_limit(pid_t pid, std::chrono::seconds more) {
    for_tree(pid, [more](const ProcessInfo& process) {
        const auto used = std::chrono::ceil<std::chrono::seconds>(own_cpu(process.pid));
        rlimit limit{};
        if (::prlimit(process.pid, RLIMIT_CPU, nullptr, &limit) != 0) return;
        limit.rlim_cur =
            std::min<rlim_t>(static_cast<rlim_t>((used + more).count()), limit.rlim_max);
        ::prlimit(process.pid, RLIMIT_CPU, &limit, nullptr);
    });
}

OffTurnCpu::OffTurnCpu(pid_t pid) : pid_(pid), bound_(process_cpu(pid)), since_(Clock::now()) {}

void OffTurnCpu::begin_turn(Clock::time_point now) {
    count_pause(now);
    since_ = now;
}

void OffTurnCpu::end_turn(Clock::time_point now) {
    const auto took = std::chrono::duration_cast<Microseconds>(now - since_);
    // A process that is gone has used nothing, which must not become the bound.
    bound_ += took;
    if (took >= kWorthALook) {
        const Microseconds used = process_cpu(pid_);
        if (used > Microseconds(0)) bound_ = std::min(bound_, used);
    }
    since_ = now;
}

Microseconds OffTurnCpu::take() {
    count_pause(Clock::now());
    return std::exchange(off_turn_, Microseconds(0));
}

void OffTurnCpu::count_pause(Clock::time_point now) {
    if (now - since_ < kWorthALook) return;
    const Microseconds used = process_cpu(pid_);
    off_turn_ += std::max(used - bound_, Microseconds(0));
    bound_ = std::max(bound_, used);
}

}  // namespace arena

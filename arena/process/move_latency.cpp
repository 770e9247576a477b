#include "arena/process/move_latency.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace arena {

namespace {

constexpr int kRoundTrips = 400;
constexpr int kPatience = 2000;  // ms, for an answer of a child that only copies

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

}  // namespace

MoveLatency latency_of(std::vector<Microseconds> times) {
    std::ranges::sort(times);
    return {times[times.size() / 2], times[times.size() * 99 / 100]};
}

protocol::Result<MoveLatency> measure_latency(const Guardian& guardian) {
    const auto process = guardian.spawn({{"cat"}, {}, {}, {}});
    if (!process) return process.error();
    std::vector<Microseconds> times;
    for (int i = 0; i < kRoundTrips; ++i) {
        constexpr std::string_view kLine = "isready\n";
        const auto start = SteadyClock::now();
        const bool written = ::write(process->in.get(), kLine.data(), kLine.size()) ==
                             static_cast<ssize_t>(kLine.size());
        if (!written || !wait_for_line(process->out.get())) {
            return protocol::Error{protocol::Fault::Disconnected,
                                   "the program cat does not copy what it is sent", 0};
        }
        times.push_back(std::chrono::duration_cast<Microseconds>(SteadyClock::now() - start));
    }
    return latency_of(times);
}

}  // namespace arena

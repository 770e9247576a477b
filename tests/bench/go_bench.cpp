// The time of `go` on nim sums of 100,000 heaps compared with the time to parse such a line,
// for won and lost sums, normal and misere: medians in milliseconds, and their ratio.
//
//     engine_bench go [TIMES]     TIMES each (default 101)
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/commands/engine_bot.hpp"
#include "tests/bench/sections.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kHeaps = 100'000;
constexpr std::uint64_t kLargest = 1'000'000;

// For a lost sum, the last heap makes the XOR 0.
std::string nim_sum(bool won, bool misere) {
    std::mt19937_64 random(1);
    std::string text = "nim:";
    std::uint64_t total = 0;
    for (int i = 1; i < kHeaps; ++i) {
        const std::uint64_t heap = random() % kLargest;
        total ^= heap;
        text += std::to_string(heap) + ",";
    }
    return text + std::to_string(won ? total ^ 1 : total) + (misere ? " misere" : "");
}

// Waits for the lines of a session.
class Answer {
  public:
    bool add(std::string_view text) {
        const std::lock_guard lock(mutex_);
        if (text.find("bestmove") != text.npos) come_ = true;
        changed_.notify_all();
        return true;
    }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return come_; });
        come_ = false;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool come_ = false;
};

template <typename Action>
double milliseconds(const Action& action) {
    const auto start = Clock::now();
    action();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double>& times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
}

void measure(const char* name, const std::string& position, int times) {
    Answer answer;
    protocol::Session session(
        engine::engine_info(),
        std::make_unique<engine::EngineBot>(std::make_shared<const engine::RulesetNames>()),
        [&](std::string_view text) { return answer.add(text); });
    session.feed("position fen " + position);
    std::vector<double> parse, go;
    for (int i = 0; i < times; ++i) {
        parse.push_back(milliseconds([&] {
            if (!protocol::parse_position(position)) std::abort();
        }));
        go.push_back(milliseconds([&] {
            session.feed("go");
            answer.wait();
        }));
    }
    const double parsed = median(parse);
    const double answered = median(go);
    fmt::print("{:<16} {:>8.3f} {:>8.3f} {:>8.2f}\n", name, parsed, answered,
               answered / parsed);
}

}  // namespace

int bench::go(int argc, char** argv) {
    const int times = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 101;
    fmt::print("{:<16} {:>8} {:>8} {:>8}\n", "", "parse", "go", "ratio");
    measure("won", nim_sum(true, false), times);
    measure("lost", nim_sum(false, false), times);
    measure("won, misere", nim_sum(true, true), times);
    measure("lost, misere", nim_sum(false, true), times);
    return 0;
}

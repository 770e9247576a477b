#include "engine/analysis/latency.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "engine/engine_bot.hpp"

namespace engine {
namespace {

using Clock = std::chrono::steady_clock;

// The lines of a session, waited for one by one.
class AwaitedLines {
  public:
    bool add(std::string_view text) {
        const std::lock_guard lock(mutex_);
        text_ += text;
        changed_.notify_all();
        return true;
    }

    // Waits for a line that begins so, and forgets all up to it. Gives when it came.
    Clock::time_point wait_for(const std::string& begin) {
        std::unique_lock lock(mutex_);
        for (;;) {
            const auto at = ("\n" + text_).find("\n" + begin);
            if (at != std::string::npos && text_.find('\n', at) != std::string::npos) {
                text_.erase(0, text_.find('\n', at) + 1);
                return Clock::now();
            }
            changed_.wait(lock);
        }
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string text_;
};

std::string position_of(const std::string& pattern, int time) {
    constexpr int kFirstNumber = 100;
    std::string text = pattern;
    if (const auto at = text.find('#'); at != std::string::npos) {
        text.replace(at, 1, std::to_string(kFirstNumber + time));
    }
    return text;
}

double milliseconds(Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

}  // namespace

void Latencies::add(const Latencies& more) {
    for (auto values : {&Latencies::clock, &Latencies::stop, &Latencies::ready}) {
        auto& own = this->*values;
        own.insert(own.end(), (more.*values).begin(), (more.*values).end());
        std::ranges::sort(own);
    }
}

Latencies measure_latencies(const std::string& position, int times) {
    AwaitedLines lines;
    protocol::Session session(
        engine_info(), std::make_unique<EngineBot>(std::make_shared<const RulesetNames>()),
        [&](std::string_view text) { return lines.add(text); });
    Latencies found;
    for (int time = 0; time < times; ++time) {
        session.feed("position fen " + position_of(position, time));
        session.feed("isready");
        lines.wait_for("readyok");

        const auto begin = Clock::now();
        session.feed("go movetime 1");
        const auto late = lines.wait_for("bestmove") - begin - std::chrono::milliseconds(1);

        session.feed("go infinite");
        const auto asked = Clock::now();
        session.feed("isready");
        const auto ready = lines.wait_for("readyok") - asked;
        const auto stop = Clock::now();
        session.feed("stop");
        const auto stopped = lines.wait_for("bestmove") - stop;
        found.add({{milliseconds(late)}, {milliseconds(stopped)}, {milliseconds(ready)}});
    }
    return found;
}

double percentile(const std::vector<double>& values, double share) {
    const auto place = static_cast<std::size_t>(share * static_cast<double>(values.size()));
    return values[std::min(place, values.size() - 1)];
}

}  // namespace engine

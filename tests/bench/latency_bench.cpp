// How long after the time is up, after `stop` and after `isready` the engine answers while it
// searches positions that take longer than any time given: p50, p99 and the longest, in
// milliseconds.
//
//     latency_bench [TIMES]     TIMES each (default 50)
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/engine_bot.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

// The lines of a session, waited for one by one.
class Lines {
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

struct Delays {
    std::vector<double> values;  // ms

    void add(Clock::duration delay) { values.push_back(Milliseconds(delay).count()); }

    std::string text() {
        std::ranges::sort(values);
        const auto at = [&](double share) {
            const auto place =
                static_cast<std::size_t>(share * static_cast<double>(values.size()));
            return values[std::min(place, values.size() - 1)];
        };
        return fmt::format("{:8.2f} {:8.2f} {:8.2f}", at(0.5), at(0.99), values.back());
    }
};

struct Row {
    const char* name;
    std::string position;
};

// Rulesets whose tables or searches have no end in sight; `take` and `octal` get new ones each
// time, since tables are kept.
std::string position_of(const std::string& pattern, int time) {
    std::string text = pattern;
    if (const auto at = text.find('#'); at != std::string::npos) {
        text.replace(at, 1, std::to_string(100 + time));
    }
    return text;
}

std::string complete_cookies(int count) {
    std::string text = "cookie:(";
    for (int i = 0; i < count; ++i)
        text += fmt::format("{}{}", i > 0 ? "," : "", count / 2 + i / 2);
    return text + ")";
}

std::string long_sum(int heaps) {
    std::string text = "nim:";
    for (int i = 0; i < heaps; ++i)
        text += fmt::format("{}{}", i > 0 ? "," : "", 1000003LL * i + 7);
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const int times = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 50;
    const Row rows[] = {
        {"nim, 50,000 heaps", long_sum(50000)},
        {"take without a law", "take{3,5,#,1000000}:4000000"},
        {"octal", "octal{0.16#}:4000000"},
        {"grundy", "grundy:900000000"},
        {"hex", "hex{0.F1#}:2000000"},
        {"wythoff", "wythoff:(900000,800000)"},
        {"cookie", complete_cookies(40)},
        {"rules{}, tuples",
         "rules{(a,b,c)->(a-k,b,c):k>=1&k<=a;(a,b,c)->(b-k,a,c):k>=1&k*k<b;"
         "(a,b,c)->(a,b-k,c-k):k>=1}:(90,91,92)"},
        {"rules{}, loops",
         "rules{(a,b)->(b,a):a!=b;(a,b)->(a-1,b+1);(a,b)->(a,b-1)}:(3000,3000)"},
        {"misere, kayles", "kayles:60,55,53+grundy:40,41 misere"},
        {"misere, cookie", "cookie:(5,6,7,8,9,10)+wythoff:(15,18) misere"},
    };
    fmt::print("{:<22}{:^27}{:^27}{:^27}\n", "", "movetime 1: after 1 ms", "stop", "isready");
    fmt::print("{:<22}{:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "", "p50",
               "p99", "max", "p50", "p99", "max", "p50", "p99", "max");
    const auto names = std::make_shared<const engine::RulesetNames>();
    for (const Row& row : rows) {
        Lines lines;
        protocol::Session session(engine::engine_info(),
                                  std::make_unique<engine::EngineBot>(names),
                                  [&](std::string_view text) { return lines.add(text); });
        Delays late, stopped, ready;
        for (int time = 0; time < times; ++time) {
            session.feed("position fen " + position_of(row.position, time));
            session.feed("isready");
            lines.wait_for("readyok");

            const auto begin = Clock::now();
            session.feed("go movetime 1");
            late.add(lines.wait_for("bestmove") - begin - std::chrono::milliseconds(1));

            session.feed("go infinite");
            const auto asked = Clock::now();
            session.feed("isready");
            ready.add(lines.wait_for("readyok") - asked);
            const auto stop = Clock::now();
            session.feed("stop");
            stopped.add(lines.wait_for("bestmove") - stop);
        }
        fmt::print("{:<22}{} {} {}\n", row.name, late.text(), stopped.text(), ready.text());
    }
}

// The solvers on fixed tasks, and the latency of the engine.
//
//     engine_bench tasks             for each solver: the work, seconds, units per second
//     engine_bench go [TIMES]        `go` on nim sums of 100,000 heaps compared with the time to
//                                    parse such a line: medians of TIMES (101), and their ratio
//     engine_bench latency [TIMES]   p50, p99 and the maximum in milliseconds from the end of
//                                    `go movetime 1`, from `stop` and from `isready` during a
//                                    search to the answer: TIMES each (50), in searches that
//                                    would take longer than any time given
//
// `tasks` exits with 1 if one is not solved.
#include <cstdlib>

#include <fmt/format.h>

#include "engine/commands/engine_bot.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/game.hpp"
#include "engine/sums/analyst.hpp"
#include "tests/bench/sections.hpp"

namespace engine {
namespace {

using Clock = std::chrono::steady_clock;

// ---- tasks ----

constexpr std::chrono::seconds kTaskTime{60};  // then a task counts as not solved

// The preparation before the clock runs, and the task itself. False: not solved.
using Work = std::function<bool()>;

struct Task {
    std::string_view name;
    std::string_view unit;  // what `amount` counts
    Count amount;
    Work (*prepare)();
};

Game game_of(const std::string& position) {
    auto game = read_game(position);
    return *std::move(game);
}

// Whether the nimber of this heap is found.
Work nimber_work(const std::string& ruleset, const Heap& heap) {
    const protocol::RulesetText text{ruleset};
    const auto rules = find_ruleset(text);
    const auto solver = find_solver(text, *rules);
    return [solver, heap] {
        return solver->nimber(heap, Budget().at_most(kTaskTime)).has_value();
    };
}

// Whether the outcome of each position is found.
Work outcome_work(const std::vector<std::string>& positions, int repetitions) {
    std::vector<Game> games;
    for (const std::string& position : positions) games.push_back(game_of(position));
    return [games, repetitions] {
        const auto analyst = make_analyst();
        const Budget budget = Budget().at_most(kTaskTime);
        for (int i = 0; i < repetitions; ++i) {
            for (const Game& game : games) {
                if (analyst->outcome(game, budget) == Outcome::Unknown) return false;
            }
        }
        return true;
    };
}

// "7,3,9": so many numbers below `end`.
std::string random_list(std::mt19937_64& random, std::size_t count, Count end) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) list += ',';
        list += std::to_string(uniform_below(random, end));
    }
    return list;
}

constexpr std::size_t kNimHeaps = 100000;
constexpr int kNimSums = 50;

Work nim_sums() {
    std::mt19937_64 random(1);
    return outcome_work({"nim:" + random_list(random, kNimHeaps, protocol::kMaxNumber)},
                        kNimSums);
}

// Sets whose law begins beyond these heaps, so that each heap is computed.
constexpr Number kTakeHeaps = Number{1} << 25;
constexpr Number kOutcomeHeaps = Number{1} << 29;

Work take_nimbers() {
    return nimber_work("take{1000003,3000017,5000011}", Heap(kTakeHeaps - 1));
}

Work take_outcomes() {
    const std::string set = "take{2000003,3000017,5000011}";
    return outcome_work({set + ':' + std::to_string(kOutcomeHeaps - 1)}, 1);
}

constexpr Number kOfficersHeaps = 400000;
constexpr Number kGrundyHeaps = 400000;

Work officers() { return nimber_work("officers", Heap(kOfficersHeaps - 1)); }
Work grundy() { return nimber_work("grundy", Heap(kGrundyHeaps - 1)); }

constexpr Number kWythoffSide = 3000;

Work wythoff() {
    return nimber_work("wythoff", protocol::Tuple{{kWythoffSide - 1, kWythoffSide - 1}});
}

constexpr std::size_t kCookies = 16;
constexpr std::size_t kCookiePositions = 1000;

Work cookie() {
    std::mt19937_64 random(2);
    std::vector<std::string> positions;
    for (std::size_t i = 0; i < kCookiePositions; ++i) {
        positions.push_back("cookie:(" + random_list(random, kCookies, kCookies + 1) + ')');
    }
    return outcome_work(positions, 1);
}

constexpr std::size_t kVertices = 250000;
constexpr std::size_t kEdges = 4 * kVertices;

// Mostly onwards, some of them back.
Work graph() {
    std::mt19937_64 random(3);
    std::string text = "graph{";
    for (std::size_t i = 0; i < kEdges; ++i) {
        const Count from = i / 4;
        const bool back = uniform_below(random, 8) == 0;
        const Count to = back
                             ? uniform_below(random, kVertices)
                             : std::min<Count>(from + 1 + uniform_below(random, 50), kVertices);
        if (i > 0) text += ';';
        text += fmt::format("{}->{}", from, to);
    }
    return nimber_work(text + '}', protocol::Vertex{"0"});
}

constexpr Number kRulesSide = 60;

Work rules() {
    return nimber_work("rules{(a,b)->(a-k,b):k>=1;(a,b)->(a,b-k):k>=1;(a,b)->(a-k,b-2*k):k>=1}",
                       protocol::Tuple{{kRulesSide - 1, kRulesSide - 1}});
}

constexpr std::size_t kMisereSums = 200;

Work misere() {
    std::mt19937_64 random(4);
    std::vector<std::string> positions;
    for (std::size_t i = 0; i < kMisereSums; ++i) {
        positions.push_back("kayles:" + random_list(random, 3, 30) +
                            "+grundy:" + random_list(random, 1, 12) + " misere");
    }
    return outcome_work(positions, 1);
}

constexpr std::array kTasks{
    Task{"nim sums", "heaps", kNimHeaps* kNimSums, nim_sums},
    Task{"take nimbers", "heaps", kTakeHeaps, take_nimbers},
    Task{"take outcomes", "heaps", kOutcomeHeaps, take_outcomes},
    Task{"officers", "heaps", kOfficersHeaps, officers},
    Task{"grundy", "heaps", kGrundyHeaps, grundy},
    Task{"wythoff", "cells", kWythoffSide* kWythoffSide, wythoff},
    Task{"cookie", "positions", kCookiePositions, cookie},
    Task{"graph", "edges", kEdges, graph},
    Task{"rules", "cells", kRulesSide* kRulesSide, rules},
    Task{"misere", "positions", kMisereSums, misere},
};

struct Measured {
    bool solved = false;
    double seconds = 0;
};

Measured measure(const Task& task) {
    const Work work = task.prepare();
    const auto start = Clock::now();
    const bool solved = work();
    const std::chrono::duration<double> time = Clock::now() - start;
    return {solved, std::max(time.count(), 1e-9)};
}

std::string row(std::string_view name, Count amount, std::string_view unit, double seconds,
                bool solved) {
    return fmt::format("{:<14}{:>12} {:<10}{:>9.3f} s {:>14.0f}/s{}\n", name, amount, unit,
                       seconds, static_cast<double>(amount) / seconds,
                       solved ? "" : "  not solved");
}

bool run_tasks() {
    Count amount = 0;
    double seconds = 0;
    bool solved = true;
    for (const Task& task : kTasks) {
        const Measured measured = measure(task);
        amount += task.amount;
        seconds += measured.seconds;
        solved = solved && measured.solved;
        fmt::print("{}",
                   row(task.name, task.amount, task.unit, measured.seconds, measured.solved));
    }
    fmt::print("{}", row("total", amount, "nodes", seconds, solved));
    return solved;
}

// ---- latency ----

// Milliseconds from the end of `go movetime 1`, from `stop` and from `isready` to the answer.
struct Latencies {
    std::vector<double> clock, stop, ready;
};

// The lines of a session, waited for one by one.
class AwaitedLines {
  public:
    bool add(std::string_view text) {
        const std::lock_guard lock(mutex_);
        text_ += text;
        changed_.notify_all();
        return true;
    }

    // Waits for a line with this beginning and drops all up to it. Returns its time.
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

protocol::Session session_of(AwaitedLines& lines) {
    return {engine_info(), std::make_unique<EngineBot>(std::make_shared<const RulesetNames>()),
            [&lines](std::string_view text) { return lines.add(text); }};
}

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

// Searches the position several times in a session of the protocol. A `#` in it becomes a new
// number each time, because tables are kept.
Latencies measure_latencies(const std::string& position, int times) {
    AwaitedLines lines;
    protocol::Session session = session_of(lines);
    Latencies found;
    for (int time = 0; time < times; ++time) {
        session.feed("position fen " + position_of(position, time));
        session.feed("isready");
        lines.wait_for("readyok");

        const auto begin = Clock::now();
        session.feed("go movetime 1");
        const auto late = lines.wait_for("bestmove") - begin - std::chrono::milliseconds(1);
        found.clock.push_back(milliseconds(late));

        session.feed("go infinite");
        const auto asked = Clock::now();
        session.feed("isready");
        found.ready.push_back(milliseconds(lines.wait_for("readyok") - asked));
        const auto stop = Clock::now();
        session.feed("stop");
        found.stop.push_back(milliseconds(lines.wait_for("bestmove") - stop));
    }
    return found;
}

// The value below which this share of them lies.
double quantile(std::vector<double>& values, double share) {
    std::ranges::sort(values);
    const auto place = static_cast<std::size_t>(share * static_cast<double>(values.size()));
    return values[std::min(place, values.size() - 1)];
}

std::string text_of(std::vector<double> values) {
    return fmt::format("{:8.2f} {:8.2f} {:8.2f}", quantile(values, 0.5), quantile(values, 0.99),
                       quantile(values, 1));
}

struct Search {
    const char* name;
    std::string position;
};

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

void run_latency(int times) {
    // Rulesets whose tables or searches do not end soon.
    const Search searches[] = {
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
    for (const Search& search : searches) {
        const auto found = measure_latencies(search.position, times);
        fmt::print("{:<22}{} {} {}\n", search.name, text_of(found.clock), text_of(found.stop),
                   text_of(found.ready));
    }
}

// ---- go ----

// Of a lost sum, the last heap makes the XOR 0.
std::string nim_sum(bool won, bool misere) {
    std::mt19937_64 random(1);
    std::string text = "nim:";
    std::uint64_t total = 0;
    for (std::size_t i = 1; i < kNimHeaps; ++i) {
        const std::uint64_t heap = random() % 1'000'000;
        total ^= heap;
        text += std::to_string(heap) + ",";
    }
    return text + std::to_string(won ? total ^ 1 : total) + (misere ? " misere" : "");
}

void run_go(const char* name, bool won, bool misere, int times) {
    const std::string position = nim_sum(won, misere);
    AwaitedLines lines;
    protocol::Session session = session_of(lines);
    session.feed("position fen " + position);
    std::vector<double> parse, go;
    for (int i = 0; i < times; ++i) {
        const auto start = Clock::now();
        if (!protocol::parse_position(position)) std::abort();
        const auto parsed = Clock::now();
        session.feed("go");
        go.push_back(milliseconds(lines.wait_for("bestmove") - parsed));
        parse.push_back(milliseconds(parsed - start));
    }
    const double parsed = quantile(parse, 0.5);
    const double answered = quantile(go, 0.5);
    fmt::print("{:<16} {:>8.3f} {:>8.3f} {:>8.2f}\n", name, parsed, answered,
               answered / parsed);
}

}  // namespace
}  // namespace engine

int bench::tasks(int, char**) { return engine::run_tasks() ? 0 : 1; }

int bench::latency(int argc, char** argv) {
    engine::run_latency(argc > 1 ? std::max(std::atoi(argv[1]), 1) : 50);
    return 0;
}

int bench::go(int argc, char** argv) {
    const int times = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 101;
    fmt::print("{:<16} {:>8} {:>8} {:>8}\n", "", "parse", "go", "ratio");
    engine::run_go("won", true, false, times);
    engine::run_go("lost", false, false, times);
    engine::run_go("won, misere", true, true, times);
    engine::run_go("lost, misere", false, true, times);
    return 0;
}

#include "engine/analysis/bench_command.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <random>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/analysis/latency.hpp"
#include "engine/command.hpp"
#include "engine/rules/game.hpp"
#include "engine/solver/analyst.hpp"
#include "engine/solver/heap_solver.hpp"

namespace engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Number kMilliseconds = 60000;  // for a task that never ends on some machine

// What is there before the clock runs, and what runs then. False: it was not solved.
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

// Is the nimber of this heap found?
Work nimber_work(const std::string& ruleset, const Heap& heap) {
    const protocol::RulesetText text{ruleset};
    const auto rules = find_ruleset(text);
    const auto solver = find_solver(text, *rules);
    return
        [solver, heap] { return solver->nimber(heap, budget_of(kMilliseconds)).has_value(); };
}

// Is the outcome of each of these positions found?
Work outcome_work(const std::vector<std::string>& positions, int repetitions) {
    std::vector<Game> games;
    for (const std::string& position : positions) games.push_back(game_of(position));
    return [games, repetitions] {
        const auto analyst = make_analyst();
        const Budget budget = budget_of(kMilliseconds);
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

// Sets whose law is beyond these heaps, so that each heap counts.
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

boost::json::object json_row(std::string_view name, Count amount, std::string_view unit,
                             double seconds, bool solved) {
    return {{"name", name},
            {"amount", amount},
            {"unit", unit},
            {"seconds", seconds},
            {"per_second", static_cast<double>(amount) / seconds},
            {"solved", solved}};
}

// Searches without an end in sight, ended by the clock and by `stop`.
constexpr const char* kEndless[] = {
    "take{3,5,#,1000000}:4000000",
    "octal{0.16#}:4000000",
    "cookie:(20,20,21,21,22,22,23,23,24,24,25,25,26,26,27,27,28,28,29,29,30,30,31,31,32,32,33,"
    "33,34,34,35,35,36,36)",
    "kayles:60,55,53+grundy:40,41 misere",
};
constexpr int kSearches = 25;  // of each

std::string latency_row(std::string_view name, const std::vector<double>& values) {
    return fmt::format("{:<14}p50 {:.2f} ms, p99 {:.2f} ms\n", name, percentile(values, 0.5),
                       percentile(values, 0.99));
}

boost::json::object json_latency(const std::vector<double>& values) {
    return {{"p50", percentile(values, 0.5)}, {"p99", percentile(values, 0.99)}};
}

}  // namespace

int run_bench(const std::vector<std::string>& words, const RulesetNames&, std::ostream& out,
              std::ostream& errors) {
    constexpr std::array kOptions{CommandWords::Option{"--json"}};
    const auto read = CommandWords::read(words, kOptions, 0, "");
    if (!read) return refuse_usage("bench", read.error(), {}, errors);
    const bool json = read->has("--json");

    boost::json::array rows;
    Count amount = 0;
    double seconds = 0;
    bool solved = true;
    for (const Task& task : kTasks) {
        const Measured measured = measure(task);
        amount += task.amount;
        seconds += measured.seconds;
        solved = solved && measured.solved;
        rows.push_back(
            json_row(task.name, task.amount, task.unit, measured.seconds, measured.solved));
        if (json) continue;
        out << row(task.name, task.amount, task.unit, measured.seconds, measured.solved)
            << std::flush;
    }
    Latencies latencies;
    for (const char* position : kEndless) {
        latencies.add(measure_latencies(position, kSearches));
    }
    if (json) {
        const boost::json::object object{
            {"tasks", rows},
            {"total", json_row("total", amount, "nodes", seconds, solved)},
            {"clock_ms", json_latency(latencies.clock)},
            {"stop_ms", json_latency(latencies.stop)}};
        out << boost::json::serialize(object) << '\n';
    } else {
        out << row("total", amount, "nodes", seconds, solved)
            << latency_row("after time", latencies.clock)
            << latency_row("after stop", latencies.stop);
    }
    return solved ? kExitDone : kExitFailed;
}

}  // namespace engine

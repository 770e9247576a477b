// How long after the time is up, after `stop` and after `isready` the engine answers while it
// searches positions that take longer than any time given: p50, p99 and the longest, in
// milliseconds.
//
//     latency_bench [TIMES]     TIMES each (default 50)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/analysis/latency.hpp"

namespace {

std::string text_of(const std::vector<double>& values) {
    return fmt::format("{:8.2f} {:8.2f} {:8.2f}", engine::percentile(values, 0.5),
                       engine::percentile(values, 0.99), engine::percentile(values, 1));
}

struct Row {
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

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const int times = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 50;
    // Rulesets whose tables or searches have no end in sight.
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
    for (const Row& row : rows) {
        const auto found = engine::measure_latencies(row.position, times);
        fmt::print("{:<22}{} {} {}\n", row.name, text_of(found.clock), text_of(found.stop),
                   text_of(found.ready));
    }
}

// Subtraction sets: nimbers and outcomes per second compared with a plain mex over every heap's
// options, and the memory of a table.
//
//     engine_bench subtraction
#include <time.h>

#include <fmt/format.h>

#include "engine/base/memory.hpp"
#include "engine/heaps/subtraction_table.hpp"
#include "tests/bench/sections.hpp"

namespace {

constexpr std::size_t kHeaps = std::size_t{1} << 22;

engine::TakeSet set_of(const std::string& text) {
    protocol::Scanner scanner(text);
    return *engine::read_take_set(scanner);
}

// By definition: the least number that no option has.
std::vector<std::uint32_t> plain_mex(const engine::TakeSet& set, std::size_t heaps) {
    const std::vector<engine::Number> members = set.members(64);
    std::vector<std::uint32_t> nimbers(heaps);
    std::vector<bool> seen;
    for (std::size_t heap = 0; heap < heaps; ++heap) {
        seen.assign(members.size() + 1, false);
        for (const engine::Number member : members) {
            if (member <= heap) seen[nimbers[heap - member]] = true;
        }
        std::uint32_t least = 0;
        while (seen[least]) ++least;
        nimbers[heap] = least;
    }
    return nimbers;
}

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Millions per second of CPU time, the best of three runs.
template <typename Run>
double rate(std::size_t heaps, Run run) {
    double best = 0;
    for (int i = 0; i < 3; ++i) {
        const double start = cpu_seconds();
        run(heaps);
        best = std::max(best, static_cast<double>(heaps) / (cpu_seconds() - start) / 1e6);
    }
    return best;
}

// Bytes per heap of a table that finds no law, all data included.
double table_bytes(const engine::TakeSet& set) {
    const std::size_t before = engine::Memory::used();
    const engine::SubtractionTable table(set);
    table.value(kHeaps - 1, {});
    return static_cast<double>(engine::Memory::used() - before) / kHeaps;
}

void measure(const std::string& text) {
    const engine::TakeSet set = set_of(text);
    const double plain = rate(kHeaps / 8, [&](std::size_t heaps) { plain_mex(set, heaps); });
    const double nimbers = rate(kHeaps, [&](std::size_t heaps) {
        engine::SubtractionSweep sweep(set);
        sweep.extend(heaps, SIZE_MAX);
    });
    const double outcomes = rate(8 * kHeaps, [&](std::size_t heaps) {
        engine::OutcomeSweep sweep(set);
        sweep.reserve(heaps);
        sweep.extend(heaps);
    });
    fmt::print("{:<34} {:>7.0f} {:>8.0f} {:>6.1f} {:>9.0f} {:>6.1f}\n", "take{" + text + "}",
               plain, nimbers, nimbers / plain, outcomes, outcomes / plain);
}

}  // namespace

int bench::subtraction(int, char**) {
    fmt::print("millions a second                    plain  nimbers  ratio  outcomes  ratio\n");
    for (const char* set :
         {"1,3,4", "2,4,7", "1,9,10", "5,9,12", "3,5,8,21", "20,33,53", "70,121,300",
          "1,4,9,16,25,36,49,64", "2,3,5,7,11,13,17,19,23,29,31,37,41,43,47,53"}) {
        measure(set);
    }
    fmt::print("\nbytes a heap of a table without a law\n");
    for (const char* set : {"3,5,1000000007", "3-5,9,1000000007"}) {
        fmt::print("{:<34} {:>7.2f}\n", "take{" + std::string(set) + "}",
                   table_bytes(set_of(set)));
    }
    return 0;
}

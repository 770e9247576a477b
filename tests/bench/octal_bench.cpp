// Taking-and-breaking games: the method of rare and common nimbers, and of whole sets where
// three heaps may be left, compared with the sweep that marks every option, and how far tables
// reach. Ratios of CPU time within one process.
//
//     engine_bench octal [--long]    --long: also proofs that take minutes
#include <fmt/format.h>

#include <ctime>
#include <limits>

#include "engine/heaps/octal_sweep.hpp"
#include "engine/rules/octal.hpp"
#include "tests/bench/sections.hpp"

namespace {

using engine::BreakMoves;
using engine::OctalSweep;

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

BreakMoves moves_of(const std::string& code) {
    if (code == "grundy") return BreakMoves::of_digits({4}, true);
    protocol::Scanner scanner(code);
    return BreakMoves::of_digits(
        engine::read_octal_code(scanner, engine::CodeBase::Hex)->digits());
}

// Seconds for the nimbers of so many heaps.
double time_of(OctalSweep& sweep, std::size_t heaps) {
    const double start = processor_seconds();
    while (sweep.size() < heaps && sweep.extend(heaps, 1 << 19)) {
    }
    return processor_seconds() - start;
}

// The obvious sweep: marks every option of every heap.
double time_of_plain(const BreakMoves& moves, std::size_t heaps, std::uint64_t& sum) {
    const double start = processor_seconds();
    std::vector<std::uint16_t> values{0};
    std::vector<std::uint32_t> marked(1 << 16);
    while (values.size() < heaps) {
        const std::size_t heap = values.size();
        const auto mark = static_cast<std::uint32_t>(heap);
        for (const std::size_t place : moves.to_none) {
            if (place == heap) marked[0] = mark;
        }
        for (const std::size_t place : moves.to_one) {
            if (place < heap) marked[values[heap - place]] = mark;
        }
        for (const std::size_t place : moves.to_two) {
            if (place + 2 > heap) continue;
            const std::size_t total = heap - place;
            const std::size_t end = moves.unequal ? (total + 1) / 2 : total / 2 + 1;
            for (std::size_t a = 1; a < end; ++a) marked[values[a] ^ values[total - a]] = mark;
        }
        for (const std::size_t place : moves.to_three) {
            for (std::size_t a = 1; 3 * a + place <= heap; ++a) {
                const std::size_t rest = heap - place - a;
                for (std::size_t b = a; b <= rest / 2; ++b) {
                    marked[values[a] ^ values[b] ^ values[rest - b]] = mark;
                }
            }
        }
        std::uint16_t value = 0;
        while (marked[value] == mark) ++value;
        values.push_back(value);
        sum += value;
    }
    return processor_seconds() - start;
}

void compare(const char* name, const char* code, std::size_t heaps, double goal) {
    constexpr int kRounds = 3;  // the fastest counts, because machines are shared
    constexpr int kSparseRuns = 4;
    double fast = std::numeric_limits<double>::infinity();
    double slow = fast;
    std::uint64_t sum = 0;
    OctalSweep sparse(moves_of(code));
    for (int round = 0; round < kRounds; ++round) {
        for (int run = 0; run < kSparseRuns; ++run) {
            sparse = OctalSweep(moves_of(code));
            fast = std::min(fast, time_of(sparse, heaps));
        }
        sum = 0;
        slow = std::min(slow, time_of_plain(moves_of(code), heaps, sum));
    }
    fast = std::max(fast, 1e-9);
    for (std::size_t heap = 0; heap < heaps; ++heap) sum -= (*sparse.values())[heap];
    fmt::print("{:<16} to {}: {:.3f} s, plain {:.2f} s, ratio {:.0f}{}; {} rare heaps{}\n",
               name, heaps, fast, slow, slow / fast,
               goal > 0 ? fmt::format(" (goal {:.0f})", goal) : "", sparse.rare().size(),
               sum == 0 ? "" : "; THE NIMBERS DIFFER");
}

void reach(const char* name, const char* code, std::size_t heaps) {
    OctalSweep sweep(moves_of(code));
    const double seconds = time_of(sweep, heaps);
    fmt::print("{:<16} to {}: {:.3f} s, {:.2f} M nimbers/s, {:.1f} bytes a heap\n", name, heaps,
               seconds, static_cast<double>(heaps) / seconds * 1e-6,
               static_cast<double>(sweep.bytes()) / static_cast<double>(heaps));
}

void prove(const char* code) {
    const engine::NimberSequence table = engine::octal_sequence(moves_of(code));
    const double start = processor_seconds();
    const auto law = table.law(engine::NimberSequence::kMostHeaps, {});
    const double seconds = processor_seconds() - start;
    fmt::print("{:<16} period {} from {}: {:.3f} s\n", code, law ? law->period : 0,
               law ? law->preperiod : 0, seconds);
}

}  // namespace

int bench::octal(int argc, char** argv) {
    fmt::print("against the sweep that marks every option\n");
    compare("Kayles", "0.77", 100000, 200);
    compare("Grundy's game", "grundy", 100000, 10);
    compare("Officers", "0.6", 100000, 0);
    compare("hex 0.13B", "0.13B", 1500, 0);
    fmt::print("reach\n");
    reach("Kayles", "0.77", 1000000);
    reach("Grundy's game", "grundy", 1000000);
    reach("Officers", "0.6", 1000000);
    reach("octal 0.106", "0.106", 1000000);
    reach("Treblecross", "0.007", 30000);
    reach("hex 0.8", "0.8", 3000);
    reach("hex 0.13B", "0.13B", 10000);
    fmt::print("proofs\n");
    for (const char* code : {"0.77", "0.156", "0.165", "0.644", "0.16", "0.56", "0.055"}) {
        prove(code);
    }
    if (argc > 1 && std::string(argv[1]) == "--long") {
        for (const char* code : {"0.376", "0.354"}) prove(code);
    }
    return 0;
}

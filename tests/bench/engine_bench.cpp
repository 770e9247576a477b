// The benchmarks of the engine: engine_bench SECTION [ARGUMENT]...
// The head of each section's file says what it measures and what its arguments are.
#include "tests/bench/sections.hpp"

namespace {

struct Section {
    std::string_view name;
    int (*run)(int argc, char** argv);
};

constexpr Section kSections[]{
    {"tasks", bench::tasks},   {"latency", bench::latency}, {"go", bench::go},
    {"octal", bench::octal},   {"rules", bench::rules},     {"subtraction", bench::subtraction},
    {"search", bench::search}, {"graph", bench::graph},
};

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const std::string_view given = argc > 1 ? argv[1] : "";
    for (const Section& section : kSections) {
        if (section.name == given) return section.run(argc - 1, argv + 1);
    }
    std::fprintf(stderr, "engine_bench: read '%.*s', expected a section:",
                 static_cast<int>(given.size()), given.data());
    for (const Section& section : kSections) std::fprintf(stderr, " %s", section.name.data());
    std::fprintf(stderr, "\n");
    return 2;
}

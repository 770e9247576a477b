// The time to read and label graphs of ten million edges, compared with a bare walk along all
// edges (a sum over their ends): without cycles, with vertices in the order of play and in
// random order, with near targets, and with cycles.
//
//   engine_bench graph [EDGES] [EDGES A VERTEX]
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "engine/heaps/smith_labels.hpp"
#include "engine/rules/graph.hpp"
#include "tests/bench/sections.hpp"

namespace {

struct Edges {
    std::vector<std::uint64_t> first{0};
    std::vector<std::uint32_t> targets;

    engine::GraphView view() const { return {first, targets}; }
};

// CPU time of this process, so that other load of the machine does not count.
double seconds_since(std::clock_t start) {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Every vertex but the last hundred has `degree` edges: to any vertex if `cyclic`, else to one
// of the next `reach`.
Edges random_edges(std::uint32_t vertices, std::uint32_t degree, bool cyclic,
                   std::uint32_t reach) {
    std::mt19937_64 random(1);
    Edges edges;
    for (std::uint32_t v = 0; v < vertices; ++v) {
        const bool is_end = v + 100 >= vertices;
        for (std::uint32_t i = 0; i < degree && !is_end; ++i) {
            const std::uint32_t lowest = cyclic ? 0 : v + 1;
            const std::uint32_t choices = std::min(vertices - lowest, reach);
            edges.targets.push_back(lowest + static_cast<std::uint32_t>(random() % choices));
        }
        edges.first.push_back(edges.targets.size());
    }
    return edges;
}

// The same graph with its vertices in any order.
Edges shuffled(const Edges& edges) {
    std::vector<std::uint32_t> old(edges.view().size());
    std::iota(old.begin(), old.end(), 0U);
    std::shuffle(old.begin(), old.end(), std::mt19937_64(2));
    std::vector<std::uint32_t> name(old.size());
    for (std::uint32_t v = 0; v < old.size(); ++v) name[old[v]] = v;
    Edges renamed;
    for (const std::uint32_t v : old) {
        for (const std::uint32_t option : edges.view().options(v)) {
            renamed.targets.push_back(name[option]);
        }
        renamed.first.push_back(renamed.targets.size());
    }
    return renamed;
}

void label(const char* name, const Edges& edges) {
    std::vector<std::uint32_t> numbers(edges.view().size());
    for (std::uint32_t v = 0; v < numbers.size(); ++v) numbers[v] = v;
    auto start = std::clock();
    std::uint64_t sum = 0;
    for (const std::uint32_t target : edges.targets) sum += numbers[target];
    const double walk = seconds_since(start);

    start = std::clock();
    std::optional<engine::SmithLabels> found;
    engine::find_smith_labels(edges.view(), {}, found).run({});
    const engine::SmithLabels& labels = *found;
    const double time = seconds_since(start);

    std::uint32_t highest = 0;
    std::uint32_t infinite = 0;
    for (std::uint32_t v = 0; v < edges.view().size(); ++v) {
        if (labels.is_finite(v)) {
            highest = std::max(highest, labels.value(v));
        } else {
            ++infinite;
        }
    }
    fmt::print(
        "{:<8} {} vertices, {} edges: labels {:.3f} s, walk {:.3f} s, ratio {:.1f}; "
        "{:.1f} M edges/s; labels to {}, {} infinite (checksum {})\n",
        name, numbers.size(), edges.targets.size(), time, walk, time / walk,
        static_cast<double>(edges.targets.size()) / time / 1e6, highest, infinite, sum % 1000);
}

void read(const Edges& edges) {
    const auto path = std::filesystem::temp_directory_path() / "graph_bench.graph";
    {
        std::ofstream file(path);
        for (std::uint32_t v = 0; v < edges.view().size(); ++v) {
            file << (v == 0 ? "v" : ";\nv") << v;
            const char* separator = "->v";
            for (const std::uint32_t target : edges.view().options(v)) {
                file << separator << target;
                separator = ",v";
            }
        }
    }
    const auto size = static_cast<double>(std::filesystem::file_size(path));
    const auto start = std::clock();
    const auto graph = engine::load_graph(path.string());
    const double time = seconds_since(start);
    std::filesystem::remove(path);
    fmt::print("reading  {:.0f} MB, {} edges: {:.3f} s\n", size / 1e6,
               graph ? graph->graph.edge_count() : 0, time);
}

}  // namespace

int bench::graph(int argc, char** argv) {
    const auto edges = static_cast<std::uint32_t>(argc > 1 ? std::atoi(argv[1]) : 10000000);
    const auto degree = static_cast<std::uint32_t>(argc > 2 ? std::atoi(argv[2]) : 10);
    const std::uint32_t vertices = edges / degree;
    label("near", random_edges(vertices, degree, false, 1000));
    const Edges acyclic = random_edges(vertices, degree, false, vertices);
    label("acyclic", acyclic);
    label("shuffled", shuffled(acyclic));
    const Edges cyclic = random_edges(vertices, degree, true, vertices);
    label("cyclic", cyclic);
    read(cyclic);
    return 0;
}

// node-kayles{GRAPH} and arc-kayles{GRAPH} (Schaefer 1978): a vertex goes with its neighbours,
// or two neighbours go. The graph is read without direction. A heap is a number whose bit i
// says that vertex i is there; what is left falls into connected parts.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/graph.hpp"
#include "engine/rules/ruleset.hpp"
#include "engine/rules/vertex_graph.hpp"

namespace engine {

using protocol::Scanner;

namespace {

class KaylesOnGraph : public Listed {
  public:
    KaylesOnGraph(std::string_view name, VertexGraph graph)
        : name_(name), graph_(std::move(graph)) {}

    Shape shape() const override { return shape::Vertices{graph_}; }

    Result<void> check_heap(const Heap& heap) const override {
        const auto* number = std::get_if<Number>(&heap);
        if (number != nullptr && *number <= most()) return {};
        return refuse_heap(heap, "a number up to " + std::to_string(most()) +
                                     ": bit i of a heap of " + name_ +
                                     " says that vertex i is there");
    }

    bool has_move(const Heap& heap) const override { return graph_.has_move(set_of(heap)); }

    // A path of the sample of its length.
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override {
        std::vector<Heap> parts;
        graph_.visit_parts(set_of(heap), [&](Vertices part) {
            if (!graph_.has_move(part)) return;
            const Vertices path = graph_.path_like(part);
            parts.emplace_back(path != 0 ? path : part);
        });
        return parts;
    }

    // All moves are listed and compared.
    Count work(const Heap&) const override { return 128 * graph_.size() * graph_.size(); }

  protected:
    // 1953 moves at most: 63 vertices, each joined to each.
    void list(const Heap& heap, const AddResult& add) const override {
        graph_.visit_moves(set_of(heap), [&](Vertices left) {
            std::vector<Heap> result;
            graph_.visit_parts(left, [&](Vertices part) { result.emplace_back(part); });
            if (result.empty()) result.emplace_back(Number{0});
            std::ranges::sort(result);
            return add(std::move(result));
        });
    }

  private:
    Number most() const { return (Number{1} << graph_.size()) - 1; }
    Vertices set_of(const Heap& heap) const { return std::get<Number>(heap) & most(); }

    std::string name_;
    VertexGraph graph_;
};

// A graph of at most 63 vertices without loops and double edges.
Result<std::vector<Vertices>> read_neighbours(Scanner& scanner) {
    constexpr std::size_t kMostVertices = 63;
    const std::size_t at = scanner.at();
    const auto written = read_written_graph(scanner);
    if (!written) return written.error();
    const Digraph& graph = written->graph;
    if (graph.vertex_count() > kMostVertices) {
        return Error{Fault::BadInput,
                     "read a graph of " + std::to_string(graph.vertex_count()) +
                         " vertices, expected at most " + std::to_string(kMostVertices),
                     at + 1};
    }
    const auto only = [](std::size_t vertex) { return Vertices{1} << vertex; };
    std::vector<Vertices> neighbours(graph.vertex_count());
    for (const auto [from, to] : written->edges) {
        const bool is_loop = from == to;
        if (is_loop || (neighbours[from] & only(to)) != 0) {
            const std::string edge =
                std::string(graph.name(from)) + "->" + std::string(graph.name(to));
            return Scanner::refuse_word(
                at, edge,
                is_loop ? "edges between different vertices: no loops"
                        : "each edge once, in either direction: no double edges");
        }
        neighbours[from] |= only(to);
        neighbours[to] |= only(from);
    }
    return neighbours;
}

FoundRuleset read_kayles(std::string_view name, bool by_pairs, Scanner& scanner) {
    auto neighbours = read_neighbours(scanner);
    if (!neighbours) return neighbours.error();
    return FoundRuleset(
        std::make_shared<KaylesOnGraph>(name, VertexGraph(*std::move(neighbours), by_pairs)));
}

}  // namespace

VertexGraph::VertexGraph(std::vector<Vertices> neighbours, bool by_pairs)
    : neighbours_(std::move(neighbours)), by_pairs_(by_pairs), paths_(size() + 1) {
    int steps = 2000;
    for (std::size_t v = 0; v < size(); ++v) find_paths(v, only(v), only(v), steps);
}

// Induced ones. `used`: the path and all neighbours of its vertices but the last.
void VertexGraph::find_paths(std::size_t last, Vertices path, Vertices used, int& steps) {
    if (steps == 0) return;
    --steps;
    Vertices& sample = paths_[static_cast<std::size_t>(std::popcount(path))];
    if (sample == 0) sample = path;
    visit_vertices(neighbours_[last] & ~used, [&](std::size_t next) {
        find_paths(next, path | only(next), used | neighbours_[last], steps);
    });
}

bool VertexGraph::has_move(Vertices set) const {
    if (!by_pairs_) return set != 0;
    bool has_edge = false;
    visit_vertices(set, [&](std::size_t v) { has_edge |= (neighbours_[v] & set) != 0; });
    return has_edge;
}

// A connected part of degrees up to 2 is a path or a circle.
Vertices VertexGraph::path_like(Vertices part) const {
    std::size_t count = 0, ends = 0;
    bool is_path = true;
    visit_vertices(part, [&](std::size_t v) {
        const Vertices around = neighbours_[v] & part;
        const Vertices others = around & (around - 1);  // all but the first of them
        is_path = is_path && (others & (others - 1)) == 0;
        ends += others == 0 ? 1 : 0;
        ++count;
    });
    return is_path && ends > 0 ? paths_[count] : 0;
}

FoundRuleset read_node_kayles(Scanner& scanner) {
    return read_kayles("node-kayles", false, scanner);
}

FoundRuleset read_arc_kayles(Scanner& scanner) {
    return read_kayles("arc-kayles", true, scanner);
}

}  // namespace engine

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

namespace engine {

using protocol::Error;
using protocol::Fault;
using protocol::Scanner;

namespace {

// Vertices 0 to 62 of a graph, a bit each.
using Vertices = std::uint64_t;
using Neighbours = std::vector<Vertices>;  // of each vertex

constexpr Vertices only(std::size_t vertex) { return Vertices{1} << vertex; }

// Calls `visit` with each vertex, from 0 on.
template <typename Visit>
void visit_vertices(Vertices set, Visit visit) {
    for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

// Induced paths of a graph by their number of vertices: one of each length that a short search
// finds. It stands for all paths of this length.
class PathSamples {
  public:
    explicit PathSamples(const Neighbours& neighbours) : neighbours_(neighbours) {
        samples_.resize(neighbours.size() + 1);
        for (std::size_t v = 0; v < neighbours.size(); ++v) extend(v, only(v), only(v));
    }

    // 0: none is known.
    Vertices of_length(int vertices) const {
        return samples_[static_cast<std::size_t>(vertices)];
    }

  private:
    // `used`: the path and all neighbours of its vertices but the last.
    void extend(std::size_t last, Vertices path, Vertices used) {
        if (steps_ == 0) return;
        --steps_;
        Vertices& sample = samples_[static_cast<std::size_t>(std::popcount(path))];
        if (sample == 0) sample = path;
        visit_vertices(neighbours_[last] & ~used, [&](std::size_t next) {
            extend(next, path | only(next), used | neighbours_[last]);
        });
    }

    const Neighbours& neighbours_;
    std::vector<Vertices> samples_;
    int steps_ = 2000;
};

// All but the moves, of which a heap has 1953 at most: 63 vertices, each joined to each.
class KaylesOnGraph : public Listed {
  public:
    KaylesOnGraph(std::string_view name, Neighbours neighbours)
        : name_(name), neighbours_(std::move(neighbours)), paths_(neighbours_) {}

    Result<void> check_heap(const Heap& heap) const override {
        const auto* number = std::get_if<Number>(&heap);
        if (number != nullptr && *number <= most()) return {};
        return refuse_heap(heap, "a number up to " + std::to_string(most()) +
                                     ": bit i of a heap of " + name_ +
                                     " says that vertex i is there");
    }

    // A path of the sample of its length.
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override {
        std::vector<Heap> parts;
        for (const Vertices part : parts_of(set_of(heap))) {
            if (!has_move(Heap(part))) continue;
            const Vertices path = is_path(part) ? paths_.of_length(std::popcount(part)) : 0;
            parts.emplace_back(path != 0 ? path : part);
        }
        return parts;
    }

    // All moves are listed and compared.
    Count work(const Heap&) const override {
        return 128 * neighbours_.size() * neighbours_.size();
    }

  protected:
    Vertices neighbours(std::size_t vertex) const { return neighbours_[vertex]; }
    Vertices set_of(const Heap& heap) const { return std::get<Number>(heap) & most(); }

    bool add_parts(Vertices left, const AddResult& add) const {
        std::vector<Heap> result;
        for (const Vertices part : parts_of(left)) result.emplace_back(part);
        if (result.empty()) result.emplace_back(Number{0});
        std::ranges::sort(result);
        return add(std::move(result));
    }

  private:
    Number most() const { return only(neighbours_.size()) - 1; }

    std::vector<Vertices> parts_of(Vertices set) const {
        std::vector<Vertices> parts;
        while (set != 0) {
            Vertices part = 0;
            for (Vertices next = set & -set; next != 0;) {
                part |= next;
                Vertices around = 0;
                visit_vertices(next, [&](std::size_t v) { around |= neighbours_[v]; });
                next = around & set & ~part;
            }
            parts.push_back(part);
            set &= ~part;
        }
        return parts;
    }

    // Of a connected part.
    bool is_path(Vertices part) const {
        int ends = 0, most = 0;
        visit_vertices(part, [&](std::size_t v) {
            const int degree = std::popcount(neighbours_[v] & part);
            ends += degree;
            most = std::max(most, degree);
        });
        return most <= 2 && ends == 2 * (std::popcount(part) - 1);
    }

    std::string name_;
    Neighbours neighbours_;
    PathSamples paths_;
};

class NodeKayles : public KaylesOnGraph {
  public:
    using KaylesOnGraph::KaylesOnGraph;

    bool has_move(const Heap& heap) const override { return set_of(heap) != 0; }

  protected:
    void list(const Heap& heap, const AddResult& add) const override {
        const Vertices set = set_of(heap);
        visit_vertices(set, [&, goes_on = true](std::size_t v) mutable {
            if (goes_on) goes_on = add_parts(set & ~neighbours(v) & ~only(v), add);
        });
    }
};

class ArcKayles : public KaylesOnGraph {
  public:
    using KaylesOnGraph::KaylesOnGraph;

    bool has_move(const Heap& heap) const override {
        bool has_edge = false;
        const Vertices set = set_of(heap);
        visit_vertices(set, [&](std::size_t v) { has_edge |= (neighbours(v) & set) != 0; });
        return has_edge;
    }

  protected:
    // Each edge is taken from its first vertex.
    void list(const Heap& heap, const AddResult& add) const override {
        const Vertices set = set_of(heap);
        bool goes_on = true;
        visit_vertices(set, [&](std::size_t v) {
            const Vertices later = neighbours(v) & set & ~(only(v + 1) - 1);
            visit_vertices(later, [&](std::size_t w) {
                if (goes_on) goes_on = add_parts(set & ~only(v) & ~only(w), add);
            });
        });
    }
};

// A graph of at most 63 vertices without loops and double edges.
Result<Neighbours> read_neighbours(Scanner& scanner) {
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
    Neighbours neighbours(graph.vertex_count());
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

template <typename Rules>
FoundRuleset read_kayles(std::string_view name, Scanner& scanner) {
    auto neighbours = read_neighbours(scanner);
    if (!neighbours) return neighbours.error();
    return FoundRuleset(std::make_shared<Rules>(name, *std::move(neighbours)));
}

}  // namespace

FoundRuleset read_node_kayles(Scanner& scanner) {
    return read_kayles<NodeKayles>("node-kayles", scanner);
}

FoundRuleset read_arc_kayles(Scanner& scanner) {
    return read_kayles<ArcKayles>("arc-kayles", scanner);
}

}  // namespace engine

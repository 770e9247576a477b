#include "engine/rules/hackenbush.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "engine/rules/catalogue.hpp"

namespace engine {

using protocol::Scanner;

// ---- the picture ----

Picture::Picture(std::size_t vertices, std::vector<Digraph::Edge> edges, Vertex ground)
    : edges_(std::move(edges)), edges_at_(vertices), ground_(ground) {
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        edges_at_[edges_[i].from] |= Edges{1} << i;
        edges_at_[edges_[i].to] |= Edges{1} << i;
    }
}

Picture::Edges Picture::reach(std::vector<Vertex> from, Edges edges) const {
    Edges reached = 0;
    while (!from.empty()) {
        const Vertex vertex = from.back();
        from.pop_back();
        for (Edges more = edges_at_[vertex] & edges & ~reached; more != 0; more &= more - 1) {
            const auto edge = static_cast<std::size_t>(std::countr_zero(more));
            reached |= Edges{1} << edge;
            if (across(edge, vertex) != ground_) from.push_back(across(edge, vertex));
        }
    }
    return reached;
}

std::vector<Picture::Edges> Picture::parts(Edges edges) const {
    std::vector<Edges> parts;
    for (Edges left = edges_at_[ground_] & edges; left != 0;) {
        const auto edge = static_cast<std::size_t>(std::countr_zero(left));
        Edges part = Edges{1} << edge;
        if (across(edge, ground_) != ground_) part |= reach({across(edge, ground_)}, edges);
        parts.push_back(part);
        left &= ~part;
    }
    return parts;
}

// ---- the ruleset ----

Result<void> Hackenbush::check_heap(const Heap& heap) const {
    const auto refuse = [&](const std::string& expected) {
        return refuse_heap(heap, expected);
    };
    const auto* edges = std::get_if<Number>(&heap);
    if (edges == nullptr || *edges > picture_.all()) {
        return refuse("a number up to " + std::to_string(picture_.all()) +
                      ": bit i of a heap of hackenbush says that edge i is there");
    }
    const Number loose = *edges & ~picture_.hanging(*edges);
    if (loose == 0) return {};
    const auto edge = static_cast<std::size_t>(std::countr_zero(loose));
    const auto [from, to] = picture_.edge(edge);
    return refuse("edges that hang on the ground: edge " + std::to_string(edge) + ", " +
                  std::string(graph_.name(from)) + "->" + std::string(graph_.name(to)) +
                  ", does not");
}

// Play in one part does not touch the others.
std::optional<std::vector<Heap>> Hackenbush::reduced(const Heap& heap, Convention) const {
    const auto parts = picture_.parts(std::get<Number>(heap));
    return std::vector<Heap>(parts.begin(), parts.end());
}

void Hackenbush::list(const Heap& heap, const AddResult& add) const {
    const Number edges = std::get<Number>(heap);
    for (Number left = edges; left != 0; left &= left - 1) {
        if (!add({Heap(picture_.hanging(edges & ~(left & -left)))})) return;
    }
}

FoundRuleset read_hackenbush(Scanner& scanner) {
    constexpr std::string_view kGround = "ground";
    const std::size_t at = scanner.at();
    auto written = read_written_graph(scanner);
    if (!written) return written.error();
    const auto refuse = [&](const std::string& why) {
        return Error{Fault::BadInput, "read a graph " + why, at + 1};
    };
    if (written->edges.size() > Picture::kMostEdges) {
        return refuse("of " + std::to_string(written->edges.size()) +
                      " edges, expected at most " + std::to_string(Picture::kMostEdges));
    }
    const std::size_t vertices = written->graph.vertex_count();
    if (vertices > 2 * Picture::kMostEdges) {
        return refuse("of " + std::to_string(vertices) + " vertices, expected at most " +
                      std::to_string(2 * Picture::kMostEdges) + ", two for each edge");
    }
    const auto ground = written->graph.find(kGround);
    if (!ground) return refuse("without the vertex 'ground', expected edges that hang on it");
    return FoundRuleset(std::make_shared<Hackenbush>(
        std::move(written->graph), Picture(vertices, std::move(written->edges), *ground)));
}

}  // namespace engine

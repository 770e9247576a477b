// hackenbush{GRAPH}: green Hackenbush (Winning Ways, chapters 2 and 7). An edge is cut, and
// edges no longer connected to the ground are removed.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/rules/graph.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {

// Edges without direction, numbered as they are written; loops and double edges are allowed. A
// set of them is a number with a bit for each.
class Picture {
  public:
    using Edges = std::uint64_t;
    using Vertex = Digraph::Index;
    static constexpr std::size_t kMostEdges = 63;

    // At most kMostEdges edges, at vertices below `vertices`.
    Picture(std::size_t vertices, std::vector<Digraph::Edge> edges, Vertex ground);

    Vertex ground() const { return ground_; }
    Edges all() const { return (Edges{1} << edges_.size()) - 1; }
    Edges at(Vertex vertex) const { return edges_at_[vertex]; }
    std::size_t vertex_count() const { return edges_at_.size(); }
    // The other end of an edge at the vertex; of a loop the vertex itself.
    Vertex across(std::size_t edge, Vertex vertex) const {
        return edges_[edge].from == vertex ? edges_[edge].to : edges_[edge].from;
    }
    const Digraph::Edge& edge(std::size_t edge) const { return edges_[edge]; }

    // Those of the edges that hang on the ground.
    Edges hanging(Edges edges) const { return reach({ground_}, edges); }
    // Those that are connected without the ground, for edges that all hang on it.
    std::vector<Edges> parts(Edges edges) const;

  private:
    // Those of the edges to which paths lead that pass no ground after their first vertex.
    Edges reach(std::vector<Vertex> from, Edges edges) const;

    std::vector<Digraph::Edge> edges_;
    std::vector<Edges> edges_at_;
    Vertex ground_;
};

class Hackenbush : public Listed {
  public:
    // The graph names the vertices of the picture.
    Hackenbush(Digraph graph, Picture picture)
        : graph_(std::move(graph)), picture_(std::move(picture)) {}

    const Picture& picture() const { return picture_; }

    Result<void> check_heap(const Heap& heap) const override;
    bool has_move(const Heap& heap) const override { return std::get<Number>(heap) != 0; }
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override;
    std::size_t bytes() const override { return 4096 + graph_.bytes(); }

  protected:
    void list(const Heap& heap, const AddResult& add) const override;

  private:
    Digraph graph_;
    Picture picture_;
};

}  // namespace engine

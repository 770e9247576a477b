// hackenbush{GRAPH}: green Hackenbush (Winning Ways, chapters 2 and 7). An edge is cut, and
// edges no longer connected to the ground are removed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/rules/graph.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {

// Edges without direction, numbered as they are written; loops and double edges are allowed.
// Takes about 16 bytes an edge and 8 a vertex.
class Picture {
  public:
    using Vertex = Digraph::Index;
    using Edge = std::uint32_t;
    // A set of edges: bit i of number j says that edge 63j + i is there. One number at least.
    using Edges = std::vector<Number>;
    using EdgesView = std::span<const Number>;
    static constexpr std::size_t kBits = 63;  // of a number of a heap

    // The edges are at vertices below `vertices`, less than 2^32 of them.
    Picture(std::size_t vertices, std::vector<Digraph::Edge> edges, Vertex ground);

    Vertex ground() const { return ground_; }
    std::size_t vertex_count() const { return first_.size() - 1; }
    // The numbers of the edges at a vertex, ascending; of a loop twice.
    std::span<const Edge> at(Vertex vertex) const {
        return std::span(at_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
    }
    // The other end of an edge at the vertex; of a loop the vertex itself.
    Vertex across(Edge edge, Vertex vertex) const {
        return edges_[edge].from == vertex ? edges_[edge].to : edges_[edge].from;
    }
    const Digraph::Edge& edge(Edge edge) const { return edges_[edge]; }
    std::size_t bytes() const;
    // Walks take microseconds.
    bool is_small() const { return edges_.size() <= kBits && vertex_count() <= 2 * kBits; }

    Edges all() const;
    static bool has(EdgesView edges, Edge edge) {
        return (edges[edge / kBits] >> edge % kBits & 1) != 0;
    }
    // Ascending.
    static std::vector<Edge> list(EdgesView edges);
    static void flip(Edges& edges, Edge edge) {
        edges[edge / kBits] ^= Number{1} << edge % kBits;
    }

    // The functions below are linear in the picture.

    // Those of the edges that hang on the ground.
    Edges hanging(EdgesView edges) const;
    // What hangs there still after one of the edges is cut.
    Edges cut(EdgesView edges, Edge edge) const;
    // The edge whose cut leaves the others; nullopt if there is none.
    std::optional<Edge> cut_between(EdgesView edges, EdgesView left) const;
    // Those that are connected without the ground, for edges that all hang on it.
    std::vector<std::vector<Edge>> parts(EdgesView edges) const;

  private:
    std::vector<Digraph::Edge> edges_;
    std::vector<std::uint64_t> first_;  // in at_, by vertex; and its end
    std::vector<Edge> at_;
    Vertex ground_;
};

// A heap is one number, or a tuple where the picture has more than 63 edges.
class Hackenbush : public Ruleset {
  public:
    // The graph names the vertices of the picture.
    Hackenbush(Digraph graph, Picture picture)
        : graph_(std::move(graph)), picture_(std::move(picture)) {}

    const Picture& picture() const { return picture_; }

    Result<void> check_heap(const Heap& heap) const override;
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override;
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
    Count work(const Heap& heap) const override;
    std::size_t bytes() const override { return graph_.bytes() + picture_.bytes(); }

  private:
    Digraph graph_;
    Picture picture_;
};

}  // namespace engine

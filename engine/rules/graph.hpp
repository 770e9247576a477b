// graph{GRAPH}: a heap is a vertex, and a move goes along an edge. Cycles are allowed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/ruleset.hpp"
#include "protocol/scanner.hpp"

namespace engine {

// A directed graph with named vertices, each known by its index, in the order in which names
// were first read. Takes about 4 bytes an edge, and 36 a vertex besides its name.
class Digraph {
  public:
    using Index = std::uint32_t;

    std::size_t vertex_count() const { return name_ends_.size(); }
    std::size_t edge_count() const { return targets_.size(); }
    std::string_view name(Index vertex) const;
    std::optional<Index> find(std::string_view name) const;
    // The targets of its edges, ascending and distinct.
    std::span<const Index> targets(Index vertex) const {
        return {targets_.data() + first_edge_[vertex],
                static_cast<std::size_t>(first_edge_[vertex + 1] - first_edge_[vertex])};
    }
    // The same in two arrays: the edges of v lead to all_targets()[first_edges()[v]] and so on
    // up to, not including, all_targets()[first_edges()[v + 1]].
    std::span<const std::uint64_t> first_edges() const { return first_edge_; }
    std::span<const Index> all_targets() const { return targets_; }
    // An edge from a vertex to itself is a cycle too. O(vertices + edges).
    bool has_cycle() const;
    std::size_t bytes() const;

    // The vertex of this name, added if it is new; nullopt if there are 2^32-2 already.
    std::optional<Index> add_vertex(std::string_view name);
    // Prefetches the memory that add_vertex() will need for this name, because large graphs do
    // not fit any cache.
    void expect(std::string_view name) const;
    // Sets all edges at once, in any order, repetitions allowed. O(edges log degree).
    struct Edge {
        Index from = 0;
        Index to = 0;
    };
    void set_edges(const std::vector<Edge>& edges);

  private:
    // Names of up to 8 bytes are their own key, so that most lookups touch one slot only.
    struct Slot {
        std::uint64_t key = 0;
        Index vertex = kFree;
    };
    static constexpr Index kFree = 0xFFFFFFFF;

    // The slot of the name, or the free slot for it.
    std::size_t slot_of(std::string_view name, std::uint64_t key) const;
    void grow();

    std::string names_;  // concatenated
    std::vector<std::uint64_t> name_ends_;
    std::vector<Slot> slots_;  // a power of two of them, at most half in use
    std::vector<std::uint64_t> first_edge_{0};
    std::vector<Index> targets_;
};

// Reads a GRAPH up to the '}' after it, or the name of a file that holds one, "@FILE".
Result<Digraph> read_graph(protocol::Scanner& scanner);

// A GRAPH and its edges in the order in which they are written, repetitions included: for games
// that read it without direction.
struct WrittenGraph {
    Digraph graph;
    std::vector<Digraph::Edge> edges;
};
Result<WrittenGraph> read_written_graph(protocol::Scanner& scanner);

// Reads a file that holds a GRAPH: white space and line ends between words, and `#` comments to
// the end of the line, do not count. Errors name the file and the line.
Result<WrittenGraph> load_graph(const std::string& path);

// From now on "@FILE" reads local files in this process. Before that it is an error, because a
// remote peer must not open local files. Call it before threads start.
void allow_graph_files();

class Graph : public Ruleset {
  public:
    explicit Graph(Digraph graph) : graph_(std::move(graph)), can_repeat_(graph_.has_cycle()) {}

    const Digraph& graph() const { return graph_; }
    Shape shape() const override { return shape::Digraph{graph_}; }

    Result<void> check_heap(const Heap& heap) const override;
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
    bool can_repeat() const override { return can_repeat_; }
    std::size_t bytes() const override { return graph_.bytes(); }

  private:
    Digraph graph_;
    bool can_repeat_;
};

}  // namespace engine

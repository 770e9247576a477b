// The vertices of a graph, by their labels: see smith_labels.hpp.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "engine/base/memory.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/smith_labels.hpp"
#include "engine/rules/graph.hpp"

namespace engine {

// The first question labels the whole graph, in steps that threads take in turn. Calls that end
// before know nothing, but later ones continue from there. Then nimbers take O(1), those of
// infinite labels and followers O(degree).
class GraphSolver : public HeapSolver {
  public:
    // Its shape is a digraph.
    explicit GraphSolver(std::shared_ptr<const Ruleset> rules);

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t nimber,
                                   const Budget& budget) const override;
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override;
    std::uint64_t counter(const Heap& heap, const Budget& budget) const override;

  private:
    using Vertex = Digraph::Index;

    GraphView view() const;
    Vertex vertex(const Heap& heap) const;
    Heap heap(Vertex vertex) const;
    // nullptr: not known yet. Valid as long as the solver.
    const SmithLabels* labels(const Budget& budget) const;
    // One step; true when there is nothing left to do.
    bool step() const;

    const std::shared_ptr<const Ruleset> rules_;
    const Digraph& graph_;  // in them

    mutable std::mutex mutex_;
    mutable Reservation memory_;
    mutable std::optional<SmithLabelling> labelling_;  // while at it
    mutable std::optional<SmithLabels> labels_;        // then stays as it is
};

}  // namespace engine

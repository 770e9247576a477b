// The vertices of a graph, by their labels: see smith_labels.hpp.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "engine/rules/graph.hpp"
#include "engine/solver/heap_solver.hpp"
#include "engine/solver/memory.hpp"
#include "engine/solver/smith_labels.hpp"

namespace engine {

// The whole graph is labelled at the first question, in steps that threads take in turn; calls
// that end before that know nothing, but later ones go on from there. Then nimbers take O(1),
// those of infinite labels and followers O(degree).
class GraphSolver : public HeapSolver {
  public:
    explicit GraphSolver(std::shared_ptr<const Graph> graph);

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t nimber,
                                   const Budget& budget) const override;
    Tally count_followers(const Heap& heap, const Nimber& nimber,
                          const Budget& budget) const override;
    std::vector<Heap> follower(const Heap& heap, const Nimber& nimber, Count index,
                               const Budget& budget) const override;
    std::vector<std::vector<Heap>> list_followers(const Heap& heap, const Nimber& nimber,
                                                  std::size_t limit,
                                                  const Budget& budget) const override;
    std::uint64_t counter(const Heap& heap, const Budget& budget) const override;
    std::optional<Length> longest_play(const Heap& heap, const Budget& budget) const override;
    std::optional<std::vector<Heap>> longest_follower(const Heap& heap,
                                                      const Budget& budget) const override;

  private:
    using Vertex = Digraph::Index;

    GraphView view() const;
    Vertex vertex(const Heap& heap) const;
    Heap heap(Vertex vertex) const;
    // nullptr: not known yet. Good as long as the solver.
    const SmithLabels* labels(const Budget& budget) const;
    // One step; true when there is nothing left to do.
    bool step() const;

    const std::shared_ptr<const Graph> graph_;

    mutable std::mutex mutex_;
    mutable Reservation memory_;
    mutable std::optional<SmithLabelling> labelling_;  // while at it
    mutable std::optional<SmithLabels> labels_;        // then stays as it is
};

}  // namespace engine

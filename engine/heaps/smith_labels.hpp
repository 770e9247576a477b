// The generalised Sprague-Grundy labels of a directed graph that may have cycles.
//
// A label is a number, or infinite with the set K of the finite labels of its options, written
// inf{K}. A token on a vertex alone: label 0 is P; a number above 0, or inf{K} with 0 in K, is
// N; else the game is drawn. Labels add as in NimSum.
//
// Sources: C. A. B. Smith, "Graphs and composite games" (J. Combin. Theory 1, 1966);
// A. S. Fraenkel, Y. Perl, "Constructions in combinatorial games with cycles" (1975);
// A. S. Fraenkel, Y. Yesha, "The generalized Sprague-Grundy function and its invariance under
// certain mappings" (J. Combin. Theory A 43, 1986), whose counter function makes wins finite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/steps.hpp"

namespace engine {

// A graph as two arrays: the options of v are targets[first[v]] .. targets[first[v + 1] - 1].
struct GraphView {
    std::span<const std::uint64_t> first;  // one more than there are vertices
    std::span<const std::uint32_t> targets;

    std::uint32_t size() const { return static_cast<std::uint32_t>(first.size() - 1); }
    std::span<const std::uint32_t> options(std::uint32_t vertex) const {
        return targets.subspan(first[vertex], first[vertex + 1] - first[vertex]);
    }
};

class SmithLabels {
  public:
    static constexpr std::uint32_t kInfinite = UINT32_MAX;

    bool is_finite(std::uint32_t vertex) const { return value(vertex) != kInfinite; }
    // The finite label, or kInfinite.
    std::uint32_t value(std::uint32_t vertex) const { return values_[vertex]; }
    // The number of vertices labelled before this one, which has a finite label. Its options
    // with smaller labels have smaller counters, and each other option has itself an option
    // with the vertex's label and a smaller counter (to which a reply goes back).
    std::uint32_t counter(std::uint32_t vertex) const { return counters_[vertex]; }
    // The K of inf{K}, ascending. `graph` is the one that was labelled.
    std::vector<std::uint64_t> finite_options(const GraphView& graph,
                                              std::uint32_t vertex) const;

    std::size_t bytes() const { return 2 * values_.size() * sizeof(std::uint32_t); }

  private:
    friend class SmithLabelling;

    std::vector<std::uint32_t> values_;
    std::vector<std::uint32_t> counters_;
};

// Finds the labels. Vertices from which no cycle is reached: O(V + E). The others: O(E) a level
// (a finite label that occurs), of which there are at most sqrt(2E).
class SmithLabelling {
  public:
    // A vertex without options that has this label all the same.
    struct Given {
        std::uint32_t vertex = 0;
        std::uint32_t label = 0;
    };

    // The arrays behind the view must stay as they are, and the object where it is. At most
    // 2^32 - 2 vertices and 2^32 - 1 edges. Repeated edges do no harm.
    explicit SmithLabelling(const GraphView& graph, std::vector<Given> given = {});
    SmithLabelling(const SmithLabelling&) = delete;
    SmithLabelling& operator=(const SmithLabelling&) = delete;

    // The most memory that a labelling takes, its labels included.
    static std::size_t bytes(const GraphView& graph);

    // Goes on from where the last run stopped; true when all is labelled.
    bool run(const Budget& budget) { return steps_.run(budget); }

    bool step() { return steps_.step(); }

    // Moves the labels out; call it after run() or step() has returned true.
    SmithLabels take() { return std::move(labels_); }

  private:
    using Vertex = std::uint32_t;
    static constexpr std::uint32_t kOpen = SmithLabels::kInfinite - 1;  // not yet labelled

    Steps label();
    Steps settle_in_given_order();
    Steps settle_in_found_order();
    Steps list_predecessors();
    Steps settle_before_cycles();
    Steps label_by_level();
    bool is_step_done();
    std::span<const Vertex> predecessors(Vertex vertex) const {
        return std::span(predecessors_)
            .subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
    }
    std::uint32_t value(Vertex vertex) const { return labels_.value(vertex); }
    bool is_finite(Vertex vertex) const { return value(vertex) < kOpen; }
    bool is_open(Vertex vertex) const { return value(vertex) == kOpen; }
    bool is_marked(Vertex vertex) const { return marked_[vertex] == level_ + 1; }
    void fetch_options(std::size_t i, int direction) const;
    void fetch_labels(Vertex vertex) const;
    void take_from_order(Vertex vertex);
    void settle_acyclic(Vertex vertex);
    std::vector<Vertex> ready_by_label() const;
    void mark_predecessors(Vertex vertex);
    void settle_on_level(Vertex vertex);

    const GraphView graph_;
    std::vector<Given> given_;
    SmithLabels labels_;

    std::vector<std::uint32_t> first_;  // of each vertex's predecessors
    std::vector<Vertex> predecessors_;
    std::vector<std::uint32_t> waits_;  // for how many others a vertex waits
    std::vector<Vertex> ready_;         // can be labelled now
    std::uint32_t settled_ = 0;         // how many have a finite label
    std::vector<std::uint32_t> seen_;   // by label: the vertex (plus 1) whose mex saw it last

    std::uint32_t level_ = 0;
    std::vector<std::uint32_t> marked_;   // 1 + the last level that an option is labelled with
    std::vector<std::uint32_t> blocked_;  // options neither finite nor marked on this level
    std::size_t work_ = 0;                // edges visited

    Steps steps_;
};

}  // namespace engine

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
#include <optional>
#include <span>
#include <utility>
#include <vector>

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

    // Of each vertex, see value() and counter().
    SmithLabels(std::vector<std::uint32_t> values, std::vector<std::uint32_t> counters)
        : values_(std::move(values)), counters_(std::move(counters)) {}

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
    std::vector<std::uint32_t> values_;
    std::vector<std::uint32_t> counters_;
};

// A vertex without options that has this label all the same.
struct GivenLabel {
    std::uint32_t vertex = 0;
    std::uint32_t label = 0;
};

// Finds the labels, which are set by the last step. Vertices from which no cycle is reached:
// O(V + E). The others: O(E) a level (a finite label that occurs), of which there are at most
// sqrt(2E).
// The arrays behind the view must stay as they are. At most 2^32 - 2 vertices and 2^32 - 1
// edges. Repeated edges do no harm.
Steps find_smith_labels(GraphView graph, std::vector<GivenLabel> given,
                        std::optional<SmithLabels>& labels);

// The most memory that this takes, the labels included.
std::size_t smith_labelling_bytes(const GraphView& graph);

}  // namespace engine

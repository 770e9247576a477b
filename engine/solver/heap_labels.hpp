// Labels of heaps whose ruleset is known by its moves alone: all heaps that can be reached are
// looked at, then labelled as a graph.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/rules/ruleset.hpp"
#include "engine/solver/budget.hpp"
#include "engine/solver/heap_pool.hpp"
#include "engine/solver/memory.hpp"
#include "engine/solver/nimber.hpp"
#include "engine/solver/sequence_pool.hpp"
#include "engine/solver/smith_labels.hpp"
#include "engine/solver/steps.hpp"

namespace engine {

// Heaps that can come back to each other (strongly connected components, by Tarjan's algorithm)
// are labelled together by Smith's theory, see smith_labels.hpp, after all that they lead to.
// Where a move splits a heap, its label is the sum of the labels of the parts. But the theory
// is one of sums of graphs: it says nothing of heaps that split into heaps that can come back
// to them. Those have no label here, nor has what leads to them.
//
// For one thread. A call costs some 100 ns for each move of each heap that was not met before.
class HeapLabels {
  public:
    // From where more heaps than this are reached nothing is known.
    static constexpr std::size_t kMostHeaps = std::size_t{1} << 20;
    // Counters end here: only play of such a length comes to larger ones.
    static constexpr std::uint64_t kMostCounter = std::uint64_t{1} << 40;

    explicit HeapLabels(std::shared_ptr<const Ruleset> rules);

    // Whether what the others tell of the heap is final; TooMany: memory or kMostHeaps ends. An
    // interrupted call is gone on with by the next one for the same heap; all heaps that were
    // labelled on the way stay labelled anyhow.
    enum class End { Final, Interrupted, TooMany };
    End explore(const Heap& heap, const Budget& budget);

    // nullopt: no label, or not known yet.
    std::optional<Nimber> nimber(const Heap& heap) const;
    // See HeapSolver::counter; 0 where there is no finite label. The sum of the counters falls
    // with each move to a sum of smaller label, and with the right answer to any other move.
    // Saturates at kMostCounter.
    std::uint64_t counter(const Heap& heap) const;

  private:
    using Index = HeapPool::Index;

    // Finite, or infinite with a set of finite labels in `sets_`.
    struct Label {
        std::uint32_t value = 0;  // SmithLabels::kInfinite: see `set`
        SequencePool::Index set = 0;

        bool is_finite() const { return value != SmithLabels::kInfinite; }
        friend auto operator<=>(const Label&, const Label&) = default;
    };
    static constexpr std::uint64_t kNoCounter = UINT64_MAX;
    enum class State : std::uint8_t { Open, Labelled, Unlabelled };
    struct Entry {
        State state = State::Open;
        std::uint32_t place = 0;  // 1 + where it is on the stack, if it is
        Label label;
        std::uint64_t counter = kNoCounter;
    };

    // A heap on the way down, and the part of a move to look at next.
    struct Frame {
        Index heap = 0;
        std::uint32_t lowest = 0;  // place on the stack that was found to be reached
        std::uint32_t move = 0;
        std::uint32_t part = 0;
    };
    // Heaps that can come back to each other, and the labels they lead to, as a graph: a vertex
    // for each heap, then one for each label.
    struct Component {
        std::span<const Index> heaps;
        std::vector<Label> labels;
        std::map<Label, std::uint32_t> vertices;  // of the labels
        std::vector<std::uint64_t> first{0};
        std::vector<std::uint32_t> targets;
        std::vector<SmithLabelling::Given> given;

        GraphView view() const { return {first, targets}; }
        std::uint32_t vertex(const Label& label);
    };

    const Entry* entry_of(const Heap& heap) const;
    void forget_walk();
    Steps walk(Index root);
    bool enter(Index heap);
    void lower(std::uint32_t place);
    std::optional<Index> next_part(Frame& frame) const;

    // Labels what stands on the stack from `begin` on.
    Steps label(std::size_t begin);
    bool has_worked(std::size_t moves);
    bool has_label(Index heap) const;
    bool add_edges(Component& component, Index heap, std::size_t begin);
    std::size_t add_label(Component& component, std::size_t index);
    bool store(const Component& component, const SmithLabels& labels, std::uint32_t vertex);
    // Of parts that are labelled; nullopt where memory is short.
    std::optional<Label> sum_of(std::span<const Index> parts);

    std::uint64_t counter_of(Index heap);
    std::uint64_t counter_of_answer(std::span<const Index> parts, std::uint32_t value) const;

    HeapPool heaps_;
    SequencePool sets_;  // the K of each inf{K}
    Reservation memory_;
    std::vector<Entry> entries_;
    std::uint64_t next_counter_ = 1;  // while no move was seen that leaves two live heaps
    bool splits_ = false;             // such a move was seen

    // The walk, if one is going on.
    std::optional<Index> root_;
    std::optional<Steps> steps_;
    const Budget* budget_ = nullptr;
    bool too_many_ = false;
    std::size_t work_ = 0;
    std::vector<Frame> frames_;
    std::vector<Index> stack_;  // not yet labelled
};

}  // namespace engine

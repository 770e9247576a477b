// Labels of heaps whose ruleset is known only by its moves: explores all reachable heaps, then
// labels them as a graph.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/sequence_pool.hpp"
#include "engine/base/steps.hpp"
#include "engine/heaps/heap_pool.hpp"
#include "engine/heaps/nimber.hpp"
#include "engine/heaps/smith_labels.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {

// Heaps that can come back to each other (strongly connected components, by Tarjan's algorithm)
// are labelled together by Smith's theory, see smith_labels.hpp, after all that they lead to.
// Where a move splits a heap, its label is the sum of the labels of the parts. But the theory
// is one of sums of graphs: it says nothing of heaps that split into heaps that can come back
// to them. Those, and what leads to them, have a label here where it is finite and can be
// proven answer by answer, as in a graph; else none.
//
// For one thread. A call costs some 100 ns for each move of each heap that was not met before.
class HeapLabels {
  public:
    // Heaps from which more heaps than this can be reached have no known label.
    static constexpr std::size_t kMostHeaps = std::size_t{1} << 20;
    // Counters end here: only play of such a length comes to larger ones.
    static constexpr std::uint64_t kMostCounter = std::uint64_t{1} << 40;

    explicit HeapLabels(std::shared_ptr<const Ruleset> rules);

    // Whether the results of the other functions for the heap are final; TooMany: memory or
    // kMostHeaps is exhausted. An interrupted call is resumed by the next one for the same
    // heap; heaps labelled meanwhile stay labelled.
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

    // A heap on the current path, and the part of a move to visit next.
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

    // How far the proof that a heap has a nimber has come: its first `move` moves are done.
    struct Proof {
        enum class State : std::uint8_t { Unfinished, Stuck, Done };

        std::uint32_t value = 0;
        State state = State::Unfinished;
        std::size_t move = 0;
        std::uint64_t most = 0;  // sum of counters after any of these, and the answer
    };
    // The sum of heaps with finite labels.
    struct Total {
        std::uint32_t value = 0;
        std::uint64_t counter = 0;
    };

    const Entry* entry_of(const Heap& heap) const;
    void forget_walk();
    Steps walk(Index root);
    bool enter(Index heap);
    void lower(std::uint32_t place);
    std::optional<Index> next_part(Frame& frame) const;

    // Labels the heaps on the stack from `begin` on.
    Steps label(std::size_t begin);
    bool has_worked(std::size_t moves);
    bool is_vertex(Index heap) const;
    Steps label_graph(Component& component, std::size_t begin);
    bool add_edges(Component& component, Index heap, std::size_t begin);
    std::size_t add_label(Component& component, std::size_t index);
    bool store(const Component& component, const SmithLabels& labels, std::uint32_t vertex);
    // The label of a sum of labelled heaps; nullopt: memory is short.
    std::optional<Label> sum_of(std::span<const Index> parts);

    Steps label_by_answers(const Component& component);
    void start(Proof& proof, Index heap);
    void go_on(Proof& proof, Index heap);
    void settle(Index heap, const Proof& proof);

    std::uint64_t counter_of(Index heap);
    std::optional<Total> finite_sum(std::span<const Index> parts, Total total) const;
    std::optional<std::uint64_t> counter_of_answer(std::span<const Index> parts,
                                                   std::uint32_t value, std::uint64_t enough);

    HeapPool heaps_;
    SequencePool sets_;  // the K of each inf{K}
    Reservation memory_;
    std::vector<Entry> entries_;
    std::uint64_t next_counter_ = 1;  // while no move was seen that leaves two live heaps
    bool splits_ = false;             // such a move was seen

    // The walk in progress, if any.
    std::optional<Index> root_;
    std::optional<Steps> steps_;
    const Budget* budget_ = nullptr;
    bool too_many_ = false;
    std::size_t work_ = 0;
    std::vector<Frame> frames_;
    std::vector<Index> stack_;  // not yet labelled
};

// HeapLabels behind a lock: threads take turns, each within its budget. If too many heaps are
// reachable from one, that is remembered, and the results are dropped.
class ExploredLabels {
  public:
    explicit ExploredLabels(std::shared_ptr<const Ruleset> rules) : rules_(std::move(rules)) {}

    // nullopt: there is no label (see HeapLabels), or it is not found within the budget, the
    // memory, or HeapLabels::kMostHeaps. A call that ends too early is resumed by the next call
    // for the same heap.
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const;

    // See HeapSolver::counter. 0 where the heap has no finite label, or none that is known.
    std::uint64_t counter(const Heap& heap, const Budget& budget) const;

  private:
    // Explores and labels the heap, and returns the lock under which `labels_` may be read; a
    // lock that is not held if the budget ends before this thread's turn.
    std::unique_lock<std::timed_mutex> explore(const Heap& heap, const Budget& budget) const;

    const std::shared_ptr<const Ruleset> rules_;
    mutable std::timed_mutex mutex_;
    mutable std::unique_ptr<HeapLabels> labels_;
    mutable std::set<Heap> hopeless_;  // from where too many heaps are reached
};

}  // namespace engine

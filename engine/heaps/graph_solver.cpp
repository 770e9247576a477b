// The vertices of a graph, by their labels: see smith_labels.hpp.
#include <memory>
#include <mutex>
#include <optional>

#include "engine/base/memory.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/smith_labels.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/rules/graph.hpp"

namespace engine {
namespace {

// The label that a vertex must have to have this nimber; nullopt where no vertex has it.
std::optional<std::uint32_t> label_of(const Nimber& nimber) {
    const auto* value = std::get_if<std::uint64_t>(&nimber);
    if (value == nullptr || *value >= SmithLabels::kInfinite) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
}

// The first question labels the whole graph, in steps that threads take in turn. Calls that end
// before know nothing, but later ones continue from there. Then nimbers take O(1), those of
// infinite labels and followers O(degree).
class GraphSolver : public HeapSolver {
  public:
    // Its shape is a digraph.
    explicit GraphSolver(RulesetPtr rules)
        : rules_(std::move(rules)), graph_(shape_as<shape::Digraph>(*rules_)->graph) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        const SmithLabels* labels = this->labels(budget);
        if (labels == nullptr) return std::nullopt;
        const Vertex v = vertex(heap);
        if (labels->is_finite(v)) return finite(labels->value(v));
        return Loopy{labels->finite_options(view(), v), {}};
    }

    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t nimber,
                                   const Budget& budget) const override {
        const SmithLabels* labels = this->labels(budget);
        if (labels == nullptr) return std::nullopt;
        return label_of(finite(nimber)) == labels->value(vertex(heap));
    }

    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        const SmithLabels* labels = this->labels(budget);
        if (labels == nullptr) return false;
        const auto label = label_of(nimber);
        for (const Vertex option : view().options(vertex(heap))) {
            const auto at = [&](Count) { return std::vector{this->heap(option)}; };
            if (labels->value(option) == label && !visit(1, at)) break;
        }
        return true;
    }

    std::uint64_t counter(const Heap& heap, const Budget& budget) const override {
        if (!rules_->can_repeat()) return 0;
        const SmithLabels* labels = this->labels(budget);
        return labels == nullptr ? 0 : labels->counter(vertex(heap));
    }

  private:
    using Vertex = Digraph::Index;

    GraphView view() const { return {graph_.first_edges(), graph_.all_targets()}; }

    Vertex vertex(const Heap& heap) const {
        return *graph_.find(std::get<protocol::Vertex>(heap).name);
    }

    Heap heap(Vertex vertex) const {
        return Heap(protocol::Vertex{std::string(graph_.name(vertex))});
    }

    // nullptr: not known yet. Valid as long as the solver.
    const SmithLabels* labels(const Budget& budget) const {
        for (;;) {
            {
                const std::lock_guard lock(mutex_);
                if (labels_) return &*labels_;
                if (step()) return labels_ ? &*labels_ : nullptr;
            }
            if (budget.is_spent()) return nullptr;
        }
    }

    // One step; true when there is nothing left to do.
    bool step() const {
        if (!labelling_) {
            if (view().targets.size() > UINT32_MAX) return true;
            if (!memory_.resize(smith_labelling_bytes(view()))) return true;
            labelling_ = find_smith_labels(view(), {}, labels_);
        }
        if (!labelling_->step()) return false;
        labelling_.reset();
        memory_.resize(labels_->bytes());
        return true;
    }

    const RulesetPtr rules_;
    const Digraph& graph_;  // in them

    mutable std::mutex mutex_;
    mutable Reservation memory_;
    mutable std::optional<Steps> labelling_;     // while at it
    mutable std::optional<SmithLabels> labels_;  // then stays as it is
};

}  // namespace

SolverPtr make_graph_solver(const RulesetPtr& rules) {
    return std::make_shared<GraphSolver>(rules);
}

}  // namespace engine

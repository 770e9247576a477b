#include "engine/heaps/graph_solver.hpp"

namespace engine {
namespace {

// The label that a vertex must have to have this nimber; nullopt where no vertex has it.
std::optional<std::uint32_t> label_of(const Nimber& nimber) {
    const auto* value = std::get_if<std::uint64_t>(&nimber);
    if (value == nullptr || *value >= SmithLabels::kInfinite) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
}

}  // namespace

GraphSolver::GraphSolver(std::shared_ptr<const Ruleset> rules)
    : rules_(std::move(rules)), graph_(shape_as<shape::Digraph>(*rules_)->graph) {}

GraphView GraphSolver::view() const { return {graph_.first_edges(), graph_.all_targets()}; }

GraphSolver::Vertex GraphSolver::vertex(const Heap& heap) const {
    return *graph_.find(std::get<protocol::Vertex>(heap).name);
}

Heap GraphSolver::heap(Vertex vertex) const {
    return Heap(protocol::Vertex{std::string(graph_.name(vertex))});
}

const SmithLabels* GraphSolver::labels(const Budget& budget) const {
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            if (labels_) return &*labels_;
            if (step()) return labels_ ? &*labels_ : nullptr;
        }
        if (budget.is_spent()) return nullptr;
    }
}

bool GraphSolver::step() const {
    if (!labelling_) {
        if (view().targets.size() > UINT32_MAX) return true;
        if (!memory_.resize(SmithLabelling::bytes(view()))) return true;
        labelling_.emplace(view());
    }
    if (!labelling_->step()) return false;
    labels_ = labelling_->take();
    labelling_.reset();
    memory_.resize(labels_->bytes());
    return true;
}

std::optional<Nimber> GraphSolver::nimber(const Heap& heap, const Budget& budget) const {
    const SmithLabels* labels = this->labels(budget);
    if (labels == nullptr) return std::nullopt;
    const Vertex v = vertex(heap);
    if (labels->is_finite(v)) return finite(labels->value(v));
    return Loopy{labels->finite_options(view(), v), {}};
}

std::optional<bool> GraphSolver::has_nimber(const Heap& heap, std::uint64_t nimber,
                                            const Budget& budget) const {
    const SmithLabels* labels = this->labels(budget);
    if (labels == nullptr) return std::nullopt;
    return label_of(finite(nimber)) == labels->value(vertex(heap));
}

bool GraphSolver::visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                                  VisitFollowers visit) const {
    const SmithLabels* labels = this->labels(budget);
    if (labels == nullptr) return false;
    const auto label = label_of(nimber);
    for (const Vertex option : view().options(vertex(heap))) {
        const auto at = [&](Count) { return std::vector{this->heap(option)}; };
        if (labels->value(option) == label && !visit(1, at)) break;
    }
    return true;
}

std::uint64_t GraphSolver::counter(const Heap& heap, const Budget& budget) const {
    if (!rules_->can_repeat()) return 0;
    const SmithLabels* labels = this->labels(budget);
    return labels == nullptr ? 0 : labels->counter(vertex(heap));
}

}  // namespace engine

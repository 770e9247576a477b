#include "engine/solver/graph_solver.hpp"

namespace engine {
namespace {

// The label that a vertex must have to have this nimber; nullopt where no vertex has it.
std::optional<std::uint32_t> label_of(const Nimber& nimber) {
    const auto* value = std::get_if<std::uint64_t>(&nimber);
    if (value == nullptr || *value >= SmithLabels::kInfinite) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
}

}  // namespace

GraphSolver::GraphSolver(std::shared_ptr<const Graph> graph) : graph_(std::move(graph)) {}

GraphView GraphSolver::view() const {
    return {graph_->graph().first_edges(), graph_->graph().all_targets()};
}

GraphSolver::Vertex GraphSolver::vertex(const Heap& heap) const {
    return *graph_->graph().find(std::get<protocol::Vertex>(heap).name);
}

Heap GraphSolver::heap(Vertex vertex) const {
    return Heap(protocol::Vertex{std::string(graph_->graph().name(vertex))});
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

HeapSolver::Tally GraphSolver::count_followers(const Heap& heap, const Nimber& nimber,
                                               const Budget& budget) const {
    const SmithLabels* labels = this->labels(budget);
    if (labels == nullptr) return {0, false};
    const auto label = label_of(nimber);
    Tally tally;
    for (const Vertex option : view().options(vertex(heap))) {
        if (labels->value(option) == label) ++tally.count;
    }
    return tally;
}

std::vector<std::vector<Heap>> GraphSolver::list_followers(const Heap& heap,
                                                           const Nimber& nimber,
                                                           std::size_t limit,
                                                           const Budget& budget) const {
    std::vector<std::vector<Heap>> found;
    const SmithLabels* labels = this->labels(budget);
    if (labels == nullptr) return found;
    const auto label = label_of(nimber);
    for (const Vertex option : view().options(vertex(heap))) {
        if (found.size() == limit) break;
        if (labels->value(option) == label) found.push_back({this->heap(option)});
    }
    return found;
}

std::vector<Heap> GraphSolver::follower(const Heap& heap, const Nimber& nimber, Count index,
                                        const Budget& budget) const {
    const SmithLabels* labels = this->labels(budget);
    if (labels == nullptr) return {};
    const auto label = label_of(nimber);
    for (const Vertex option : view().options(vertex(heap))) {
        if (labels->value(option) == label && index-- == 0) return {this->heap(option)};
    }
    return {};
}

std::uint64_t GraphSolver::counter(const Heap& heap, const Budget& budget) const {
    if (!graph_->can_repeat()) return 0;
    const SmithLabels* labels = this->labels(budget);
    return labels == nullptr ? 0 : labels->counter(vertex(heap));
}

std::optional<Length> GraphSolver::longest_play(const Heap& heap, const Budget& budget) const {
    const SmithLabels* labels = this->labels(budget);
    const auto most = labels == nullptr ? std::nullopt : labels->longest_play(vertex(heap));
    if (!most) return std::nullopt;
    return *most == 0 ? Length{} : Length{{0, *most}};
}

std::optional<std::vector<Heap>> GraphSolver::longest_follower(const Heap& heap,
                                                               const Budget& budget) const {
    const SmithLabels* labels = this->labels(budget);
    const Vertex v = vertex(heap);
    if (labels == nullptr || !labels->longest_play(v)) return std::nullopt;
    for (const Vertex option : view().options(v)) {
        if (*labels->longest_play(option) + 1 == *labels->longest_play(v)) {
            return std::vector{this->heap(option)};
        }
    }
    return std::nullopt;  // it has no move
}

}  // namespace engine

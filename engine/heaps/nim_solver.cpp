#include "engine/heaps/nim_solver.hpp"

namespace engine {

using protocol::Ordinal;

namespace {

Nimber nimber_of(const Heap& heap) {
    if (const auto* number = std::get_if<Number>(&heap)) return *number;
    return std::get<Ordinal>(heap);
}

Heap heap_of(const Nimber& nimber) {
    if (const auto* finite = std::get_if<std::uint64_t>(&nimber)) return Heap(*finite);
    return Heap(std::get<Ordinal>(nimber));
}

}  // namespace

std::optional<Nimber> NimSolver::nimber(const Heap& heap, const Budget&) const {
    return nimber_of(heap);
}

bool NimSolver::visit_followers(const Heap& heap, const Nimber& nimber, const Budget&,
                                VisitFollowers visit) const {
    if (nimber < nimber_of(heap)) visit(1, [&](Count) { return std::vector{heap_of(nimber)}; });
    return true;
}

}  // namespace engine

#include "engine/solver/nim_solver.hpp"

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

// Below a successor: one less. Below a limit, with w^e last: w^(e-1) taken as often as can be
// written instead of the last w^e.
Ordinal long_ordinal_below(Ordinal ordinal) {
    const Number exponent = ordinal.terms.back().exponent;
    if (--ordinal.terms.back().coefficient == 0) ordinal.terms.pop_back();
    if (exponent > 0) ordinal.terms.push_back({exponent - 1, protocol::kMaxNumber});
    return ordinal;
}

}  // namespace

std::optional<Nimber> NimSolver::nimber(const Heap& heap, const Budget&) const {
    return nimber_of(heap);
}

HeapSolver::Tally NimSolver::count_followers(const Heap& heap, const Nimber& nimber,
                                             const Budget&) const {
    return {nimber < nimber_of(heap) ? Count{1} : Count{0}, true};
}

std::vector<Heap> NimSolver::follower(const Heap&, const Nimber& nimber, Count,
                                      const Budget&) const {
    return {heap_of(nimber)};
}

std::vector<std::vector<Heap>> NimSolver::list_followers(const Heap& heap, const Nimber& nimber,
                                                         std::size_t limit,
                                                         const Budget&) const {
    if (limit == 0 || !(nimber < nimber_of(heap))) return {};
    return {{heap_of(nimber)}};
}

std::optional<Length> NimSolver::longest_play(const Heap& heap, const Budget&) const {
    if (const auto* ordinal = std::get_if<Ordinal>(&heap)) return ordinal->terms;
    const Number number = std::get<Number>(heap);
    return number == 0 ? Length{} : Length{{0, number}};
}

std::optional<std::vector<Heap>> NimSolver::longest_follower(const Heap& heap,
                                                             const Budget&) const {
    if (const auto* number = std::get_if<Number>(&heap)) return std::vector{Heap(*number - 1)};
    Ordinal below = long_ordinal_below(std::get<Ordinal>(heap));
    if (below.terms.front().exponent == 0) {
        return std::vector{Heap(below.terms.front().coefficient)};
    }
    return std::vector{Heap(std::move(below))};
}

}  // namespace engine

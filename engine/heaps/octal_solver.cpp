// octal{CODE}, hex{CODE} and Grundy's game: nimbers by table, and by a law for all heaps where
// one is proven.
#include <algorithm>

#include "engine/heaps/break_moves.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/nimber_sequence.hpp"
#include "engine/heaps/octal_sweep.hpp"
#include "engine/heaps/solvers.hpp"

namespace engine {
namespace {

// Up to this heap followers are known in any case; beyond, as far as the table has grown when
// the nimber of the heap was asked for.
constexpr Number kQuickly = 1 << 13;

class OctalSolver : public HeapSolver {
  public:
    explicit OctalSolver(BreakMoves moves)
        : moves_(std::move(moves)), table_(octal_sequence(moves_)) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        return table_.value(std::get<Number>(heap), budget);
    }

    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        const auto* value = std::get_if<std::uint64_t>(&nimber);
        if (value == nullptr) return true;
        const Number number = std::get<Number>(heap);
        if (number < kQuickly) table_.value(number, budget);
        const auto known = table_.known();
        return visit_families(
            moves_, *known, number, *value, budget, [&](const FollowerFamily& family) {
                return visit(family.size(), [&](Count index) { return family.at(index); });
            });
    }

    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override {
        const auto law = table_.law(limit, budget);
        if (!law) return std::nullopt;
        const Number heaps = heaps_to_prove(*law, moves_.most_heaps(), moves_.last_place());
        if (heaps > limit) return std::nullopt;
        return ProvenLaw{*law, "octal", heaps};
    }

  private:
    const BreakMoves moves_;
    const NimberSequence table_;
};

}  // namespace

SolverPtr make_octal_solver(BreakMoves moves) {
    return std::make_shared<OctalSolver>(std::move(moves));
}

}  // namespace engine

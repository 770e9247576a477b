#include "engine/heaps/octal_solver.hpp"

#include <algorithm>

#include "engine/heaps/break_followers.hpp"
#include "engine/heaps/octal_sweep.hpp"

namespace engine {
namespace {

// Up to this heap followers are known in any case; beyond, as far as the table has grown when
// the nimber of the heap was asked for.
constexpr Number kQuickly = 1 << 13;

}  // namespace

NimberSequence octal_sequence(const BreakMoves& moves) {
    const auto reach = static_cast<std::size_t>(moves.last_place());
    // Unequal parts may become equal once a period is added to one of them.
    return NimberSequence(
        std::make_unique<OctalSweep>(moves),
        {.is_known = !moves.unequal, .parts = moves.most_heaps(), .reach = reach},
        {.first = std::max<std::size_t>(256, 4 * reach),
         .percent = moves.splits() ? std::size_t{125} : 200,
         .ends_for_good = true});
}

std::optional<Nimber> OctalSolver::nimber(const Heap& heap, const Budget& budget) const {
    const auto value = table_.value(std::get<Number>(heap), budget);
    if (!value) return std::nullopt;
    return finite(*value);
}

bool OctalSolver::visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                                  VisitFollowers visit) const {
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

std::optional<ProvenLaw> OctalSolver::law(Number limit, const Budget& budget) const {
    const auto law = table_.law(limit, budget);
    if (!law) return std::nullopt;
    const Number heaps = heaps_to_prove(*law, moves_.most_heaps(), moves_.last_place());
    if (heaps > limit) return std::nullopt;
    return ProvenLaw{*law, "octal", heaps};
}

}  // namespace engine

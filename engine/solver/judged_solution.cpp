#include "engine/solver/judged_solution.hpp"

namespace engine {

std::optional<MoveList> JudgedSolution::best_moves(std::size_t limit) const {
    const Outcome own = outcome();
    if (own == Outcome::Unknown) return std::nullopt;
    if (own == Outcome::P) return MoveList{};
    const Outcome wanted = best_outcome_after(own);
    MoveList list;
    ListFiller filler(list, limit);
    bool known = true;
    const bool all = visit_moves(game_, budget_, [&](const Move& move) {
        const Outcome after = outcome_after(move, budget_);
        if (after == Outcome::Unknown) known = false;
        return after == wanted ? filler.add(move) : known;
    });
    if (!known || (!all && !list.cut)) return std::nullopt;
    return list;
}

// Kept are none of them: there may be 2^63.
std::optional<Count> JudgedSolution::best_move_count() const {
    const Outcome own = outcome();
    if (own == Outcome::Unknown) return std::nullopt;
    if (own == Outcome::P) return 0;
    const Outcome wanted = best_outcome_after(own);
    Count count = 0;
    bool known = true;
    const bool all = visit_moves(game_, budget_, [&](const Move& move) {
        const Outcome after = outcome_after(move, budget_);
        known = after != Outcome::Unknown;
        if (after == wanted) ++count;
        return known;
    });
    return known && all ? std::optional(count) : std::nullopt;
}

std::optional<Move> JudgedSolution::best_move(Choice choice, std::mt19937_64& random) const {
    const Outcome own = outcome();
    if (own != Outcome::N && own != Outcome::D) return std::nullopt;
    const Outcome wanted = best_outcome_after(own);
    std::optional<Move> best;
    std::uint64_t least = 0;
    Count equal = 0;
    visit_moves(game_, budget_, [&](const Move& move) {
        if (outcome_after(move, budget_) != wanted) return true;
        const std::uint64_t remoteness = own == Outcome::N ? remoteness_after(move) : 0;
        if (best && remoteness > least) return true;
        if (!best || remoteness < least) equal = 0;
        ++equal;
        if (equal == 1 || (choice == Choice::Random && uniform_below(random, equal) == 0)) {
            best = move;
        }
        least = remoteness;
        return true;
    });
    return best;
}

}  // namespace engine

#include "engine/sums/solution.hpp"

#include "engine/sums/sum.hpp"

namespace engine {
namespace {

bool can_repeat(const Game& game) {
    for (std::size_t i = 0; i < game.position().components.size(); ++i) {
        if (game.ruleset(i)->can_repeat()) return true;
    }
    return false;
}

// Under misere play: may a heap be wild, or leave several heaps? A tame heap that splits may
// leave firm ones that XOR to 0 or 1, where nimbers alone do not tell fickle from firm.
bool may_be_wild(const Game& game) {
    for (std::size_t i = 0; i < game.position().components.size(); ++i) {
        if (!shape_as<shape::Subtraction>(*game.ruleset(i))) return true;
    }
    return false;
}

// For play that can come back: by labels if these are known, else from the ends of play back.
std::unique_ptr<Solution> solve_loops(const Game& game, const Budget& budget, Aim aim) {
    const bool misere = game.position().convention == Convention::Misere;
    if (!misere) {
        const Sum sum(game, budget.half(), aim);
        const bool is_enough =
            aim == Aim::Winner ? sum.outcome() != Outcome::Unknown : sum.is_known();
        if (is_enough) return std::make_unique<Sum>(game, budget, aim);
    }
    auto back = solve_backwards(game, budget, aim);
    if (misere || back->outcome() != Outcome::Unknown) return back;
    return std::make_unique<Sum>(game, budget, aim);  // which may still know some moves
}

}  // namespace

std::unique_ptr<Solution> solve(const Game& game, const Budget& budget, Aim aim) {
    if (can_repeat(game)) return solve_loops(game, budget, aim);
    if (game.position().convention == Convention::Misere && may_be_wild(game)) {
        return solve_misere(game, budget);
    }
    return std::make_unique<Sum>(game, budget, aim);
}

}  // namespace engine

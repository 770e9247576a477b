#include "engine/solver/solution.hpp"

#include "engine/solver/sum.hpp"

namespace engine {

std::unique_ptr<Solution> solve(const Game& game, const Budget& budget, Aim aim) {
    return std::make_unique<Sum>(game, budget, aim);
}

bool visit_moves(const Game& game, const Budget& budget,
                 const std::function<bool(const Move&)>& visit) {
    constexpr Count kPollEvery = 64;
    const auto& components = game.position().components;
    std::size_t number = 0;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const Ruleset& rules = *game.ruleset(i);
        for (const Heap& heap : components[i].heaps) {
            ++number;
            const Count count = rules.follower_count(heap);
            for (Count j = 0; j < count; ++j) {
                if (j % kPollEvery == kPollEvery - 1 && budget.is_spent()) return false;
                if (!visit({number, rules.follower(heap, j)})) return false;
            }
        }
    }
    return true;
}

Outcome best_outcome_after(Outcome outcome) {
    return outcome == Outcome::D ? Outcome::D : Outcome::P;
}

}  // namespace engine

#include "engine/sums/analyst.hpp"

#include "engine/sums/choice.hpp"
#include "engine/sums/solution.hpp"

namespace engine {
namespace {

class Solver : public Analyst {
  public:
    Outcome outcome(const Game& game, const Budget& budget) const override {
        return solve(game, budget, Aim::Winner)->outcome();
    }

    std::optional<Nimber> nimber(const Game& game, const Budget& budget) const override {
        return solve(game, budget, Aim::Values)->nimber();
    }

    std::optional<MoveList> best_moves(const Game& game, std::size_t limit,
                                       const Budget& budget) const override {
        return solve(game, budget, Aim::Values)->best_moves(limit);
    }

    std::optional<Move> choose(const Game& game, const std::vector<Move>& candidates,
                               const Style& style, std::mt19937_64& random,
                               const Budget& budget) const override {
        const auto solution = solve(game, budget, Aim::Winner);
        auto chosen = choose_move(game, *solution, candidates, style, random, budget);
        if (!chosen) return std::nullopt;
        return std::move(chosen->move);
    }

    bool answers_at_once(const Game& game) const override { return is_quick(game); }
};

}  // namespace

std::string to_string(Outcome outcome) {
    constexpr const char* kNames[]{"N", "P", "D", "unknown"};
    return kNames[static_cast<std::size_t>(outcome)];
}

Outcome outcome_by(std::optional<bool> previous_wins) {
    return !previous_wins ? Outcome::Unknown : *previous_wins ? Outcome::P : Outcome::N;
}

std::unique_ptr<Analyst> make_analyst() { return std::make_unique<Solver>(); }

}  // namespace engine

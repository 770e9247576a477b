// A solution that knows the outcome after each single move, and goes through all of them.
#pragma once

#include "engine/solver/solution.hpp"

namespace engine {

// Derive from it and write outcome(), outcome_after() and reason().
class JudgedSolution : public Solution {
  public:
    // The game must outlive the solution.
    JudgedSolution(const Game& game, const Budget& budget) : game_(game), budget_(budget) {}

    std::optional<MoveList> best_moves(std::size_t limit) const override;
    std::optional<Count> best_move_count() const override;
    // Of several winning moves one after which the game ends soonest.
    std::optional<Move> best_move(Choice choice, std::mt19937_64& random) const override;

  protected:
    // In how many moves the game ends at the latest after a winning move, if the winner
    // hurries; where play cannot come back to a position, 0 will do.
    virtual std::uint64_t remoteness_after(const Move&) const { return 0; }

    const Game& game() const { return game_; }
    const Budget& budget() const { return budget_; }

  private:
    const Game& game_;
    Budget budget_;
};

}  // namespace engine

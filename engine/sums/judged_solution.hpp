// A solution that goes through the best moves one by one.
#pragma once

#include "engine/base/function_ref.hpp"
#include "engine/sums/solution.hpp"

namespace engine {

// Derive from it and write outcome(), outcome_after() and reason().
class JudgedSolution : public Solution {
  public:
    // The game must outlive the solution.
    JudgedSolution(const Game& game, const Budget& budget) : game_(game), budget_(budget) {}

    std::optional<MoveList> best_moves(std::size_t limit) const override;
    std::optional<Count> best_move_count() const override;
    // Prefers winning moves after which the game ends soonest, if lengths are known.
    std::optional<Move> best_move(Choice choice, std::mt19937_64& random) const override;

  protected:
    struct Judgement {
        Outcome outcome = Outcome::Unknown;
        // Within so many moves the winner can end the game, if tells_remoteness().
        std::uint64_t remoteness = 0;
    };
    using VisitMoves = FunctionRef<bool(const Move&, std::uint64_t remoteness)>;

    // Calls `visit` for each best move of a won or drawn position, until it returns false;
    // without `all`, for as many as there is time for. Returns whether no best move was skipped
    // before the last one. Looks at every move.
    virtual bool visit_best(bool all, VisitMoves visit) const;
    // More are not counted.
    virtual Count most_counted() const { return kMany; }
    // Only solutions of games that can come back to a position tell the remoteness; then all
    // moves are looked at.
    virtual bool tells_remoteness() const { return false; }
    virtual Judgement judge_after(const Move& move) const {
        return {outcome_after(move, budget_), 0};
    }

    const Game& game_;
    const Budget budget_;
};

}  // namespace engine

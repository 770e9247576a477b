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
    using VisitMoves = FunctionRef<bool(const Move&)>;

    // Calls `visit` for each best move of a position that is won or drawn until it returns
    // false; for some of them where `all` are not wanted, as many as there is time for. Says
    // whether none was left out before the end. This one looks at every move.
    virtual bool visit_best(bool all, VisitMoves visit) const;
    // More are not counted.
    virtual Count most_counted() const { return kMany; }
    // The number of moves within which the winner can end the game after a winning move. Only
    // solutions of games that can come back to a position tell it; then all moves are looked
    // at.
    virtual bool tells_remoteness() const { return false; }
    virtual std::uint64_t remoteness_after(const Move&) const { return 0; }

    const Game& game_;
    const Budget budget_;
};

}  // namespace engine

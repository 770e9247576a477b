// A position solved as far as time and memory allow: who wins, by which moves, and why.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "engine/misere/canonical_form.hpp"
#include "engine/rules/moves.hpp"
#include "engine/sums/analyst.hpp"

namespace engine {

// Each way to solve a sum is a Solution. Its claims are proven; everything else is unknown. The
// game and the budget given at construction must outlive it or be copied by it.
class Solution {
  public:
    virtual ~Solution() = default;

    virtual Outcome outcome() const = 0;

    // nullopt: not known, or misere, where a sum has no nimber.
    virtual std::optional<Nimber> nimber() const { return std::nullopt; }

    // For the player who is to move after a legal move.
    virtual Outcome outcome_after(const Move& move, const Budget& budget) const = 0;

    // See Analyst::best_moves.
    virtual std::optional<MoveList> best_moves(std::size_t limit) const = 0;
    // How many there are, saturating. nullopt: not known.
    virtual std::optional<Count> best_move_count() const = 0;

    // A winning move; playing such moves wins in finitely many moves. If none wins, one that
    // holds the draw. nullopt: there is none, or none is known.
    virtual std::optional<Move> best_move(Choice choice, std::mt19937_64& random) const = 0;

    // Under misere play, where nimbers do not tell all, of heap number `heap`, from 0: its
    // genus, nullopt where it was not found; and who wins it alone.
    virtual bool has_genera() const { return false; }
    virtual std::optional<misere::Genus> genus(std::size_t, const Budget&) const {
        return std::nullopt;
    }
    virtual Outcome heap_outcome(std::size_t) const { return Outcome::Unknown; }

    // A sentence for people: the reason of the outcome.
    virtual std::string reason() const = 0;
};

// The goal. Finding the winner may take less work than finding all nimbers.
enum class Aim { Winner, Values };

// Chooses the way by the kinds of heaps: nimbers (sum.hpp) or one of those below. The game must
// outlive the solution.
std::unique_ptr<Solution> solve(const Game& game, const Budget& budget, Aim aim);

// Misere play where heaps need not be tame, and no ruleset leads back to earlier heaps.
std::unique_ptr<Solution> solve_misere(const Game& game, const Budget& budget);
// By retrograde analysis: for positions that can recur, if labels do not decide who wins.
std::unique_ptr<Solution> solve_backwards(const Game& game, const Budget& budget, Aim aim);

// Goes through the best moves one by one. Derive from it and write outcome(), outcome_after()
// and reason().
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
    using VisitMoves = const std::function<bool(const Move&, std::uint64_t remoteness)>&;

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

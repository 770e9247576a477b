// A position, solved as far as time and memory allow: who wins, by which moves, and why.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "engine/solver/analyst.hpp"

namespace engine {

// What stands in a heap or a move, in units of two bytes of text at least: a long tuple or
// ordinal counts by its entries or terms.
std::size_t text_units(const Heap& heap);
std::size_t text_units(const Move& move);

// About what fits a line: no list of moves holds more, however few they are.
inline constexpr std::size_t kMaxListUnits = 1 << 19;

// Fills a list of moves.
class ListFiller {
  public:
    ListFiller(MoveList& list, std::size_t limit) : list_(list), limit_(limit) {}

    // False where there is no room for it: then the list is cut.
    bool add(Move move);

  private:
    MoveList& list_;
    std::size_t limit_;
    std::size_t units_ = 0;
};

// Each way to solve a sum is a Solution. What it claims is proven; the rest it calls unknown.
// The game and the budget given at its making must outlive it or be copied by it.
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

    // A move that wins, and that wins in finitely many moves if it is asked for again each
    // time; where none wins, one that holds the draw. nullopt: there is none, or none is known.
    virtual std::optional<Move> best_move(Choice choice, std::mt19937_64& random) const = 0;

    // A sentence for people: why the outcome is what it is.
    virtual std::string reason() const = 0;
};

// What is asked for. Who wins may be found with less work than all nimbers.
enum class Aim { Winner, Values };

// Chooses the way by what the heaps are. The game must outlive the solution.
std::unique_ptr<Solution> solve(const Game& game, const Budget& budget, Aim aim);

// Calls `visit` for each legal move, heap by heap, until it returns false or the budget ends.
// Says whether all were visited.
bool visit_moves(const Game& game, const Budget& budget,
                 const std::function<bool(const Move&)>& visit);

// How many legal moves there are, saturating; nullopt where the budget ends.
std::optional<Count> count_moves(const Game& game, const Budget& budget);

// What a player wants to leave: P where he wins, else D where the position is a draw.
Outcome best_outcome_after(Outcome outcome);

}  // namespace engine

// Who wins, by which moves, with which value: what the arena asks of the solver. It is an
// interface, so that tests can replace it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/heaps/nimber.hpp"
#include "engine/rules/moves.hpp"

namespace engine {

// For the player to move: N: the next player (the mover) wins, P: the previous one, D: neither.
enum class Outcome { N, P, D, Unknown };
std::string to_string(Outcome outcome);  // "N", "P", "D", "unknown"
// Where play ends: P if the previous player wins, N if not; nullopt is unknown.
Outcome outcome_by(std::optional<bool> previous_wins);

// Choice: which of several winning moves. Losing: what to play if none wins: any, the one after
// which play can last longest, or the one after which the smallest share of replies is best.
enum class Choice { First, Random };
enum class Losing { Random, Longest, Trap };
struct Style {
    Choice choice = Choice::Random;
    Losing losing = Losing::Random;
};

// Thread-safe. All functions depend on the position only, not on its history.
class Analyst {
  public:
    virtual ~Analyst() = default;

    virtual Outcome outcome(const Game& game, const Budget& budget) const = 0;

    // nullopt: not known, or misere, where a sum has no nimber.
    virtual std::optional<Nimber> nimber(const Game& game, const Budget& budget) const = 0;

    // The winning moves; where none wins, those that hold the draw; else none. At most `limit`,
    // heap by heap. nullopt: not known.
    virtual std::optional<MoveList> best_moves(const Game& game, std::size_t limit,
                                               const Budget& budget) const = 0;

    // A move to play: a best one, or one by `style` if all lose. From `candidates` only, unless
    // that is empty. nullopt if there is no legal move. O(heaps) without candidates.
    virtual std::optional<Move> choose(const Game& game, const std::vector<Move>& candidates,
                                       const Style& style, std::mt19937_64& random,
                                       const Budget& budget) const = 0;

    // Whether choose() without candidates takes microseconds here, in the style of
    // Losing::Random.
    virtual bool answers_at_once(const Game&) const { return false; }
};

// The solver itself.
std::unique_ptr<Analyst> make_analyst();

}  // namespace engine

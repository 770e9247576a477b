// The one door to the solver: who wins, by which moves, with which value.
// Players, adjudication, reviews and statistics go through it, so that a test can stand in for
// it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/game.hpp"
#include "engine/solver/budget.hpp"
#include "engine/solver/nimber.hpp"

namespace engine {

// For the player to move: N the next player (who moves) wins, P the previous one, D neither.
enum class Outcome { N, P, D, Unknown };
std::string to_string(Outcome outcome);  // "N", "P", "D", "unknown"

struct MoveList {
    std::vector<Move> moves;
    bool cut = false;  // there are more than the limit that was given
};

// Choice: which of several winning moves. Losing: what to play where none wins: any, the one
// after which play can last longest, or the one after which the least share of replies is best.
enum class Choice { First, Random };
enum class Losing { Random, Longest, Trap };
struct Style {
    Choice choice = Choice::Random;
    Losing losing = Losing::Random;
};

// Safe to call from any thread. All functions look at the position alone, not at its history.
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

    // A move to play: a best one, or one by `style` where all lose. From `candidates` only,
    // unless that is empty. nullopt where there is no legal move. O(heaps) without candidates.
    virtual std::optional<Move> choose(const Game& game, const std::vector<Move>& candidates,
                                       const Style& style, std::mt19937_64& random,
                                       const Budget& budget) const = 0;
};

// The solver itself.
std::unique_ptr<Analyst> make_analyst();

}  // namespace engine

// Which move to play in a solved position; traps for opponents that make mistakes; moves drawn
// without listing all.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/heaps/heaps.hpp"
#include "engine/rules/game.hpp"
#include "engine/sums/solution.hpp"

namespace engine {

// A move, and the outcome that it is proven to keep for its player: N: it wins, D: it holds the
// draw, P: it loses, as perhaps every move does. Unknown: nothing is proven of it.
struct ChosenMove {
    Move move;
    Outcome keeps = Outcome::Unknown;
};

// See Analyst::choose. The solution is that of the game; further searches end with the budget.
std::optional<ChosenMove> choose_move(const Game& game, const Solution& solution,
                                      const std::vector<Move>& candidates, const Style& style,
                                      std::mt19937_64& random, const Budget& budget);

// Whether a move is chosen in microseconds, in the style of Losing::Random: the nimbers of all
// heaps are computed, or known by formula.
bool is_quick(const Game& game);

// Among these lost or drawn moves, the one after which the smallest share of replies is best
// (wins, or holds the draw); among equals the one after which play can last longest, then a
// random one. Each move costs solving a position; moves beyond the budget are left out. There
// must be a move.
Move best_trap(const Game& game, const std::vector<Move>& moves, std::mt19937_64& random,
               const Budget& budget);

// The most units of text (see text_units) that one of its heaps has, 1 at least.
std::size_t longest_heap(const Game& game);

// All moves if there are at most `limit`; else at most that many, each drawn from all. Fewer if
// they are long, such as those of a tuple with very many entries. If the budget ends before all
// moves are counted, they come from some heaps, or are the first ones found. There must be a
// move; at least one is found.
std::vector<Move> sample_moves(const Game& game, std::size_t limit, std::mt19937_64& random,
                               const Budget& budget);

// How long play can last in each heap, followed for kMostMoves moves at most. Of heaps with
// many moves only some are tested. As the longest play of a sum is the sum of the longest
// plays of its heaps, what a move loses in one heap is what it loses in the sum.
class LookAhead {
  public:
    static constexpr int kMostMoves = 32;

    // The game must outlive it.
    LookAhead(const Game& game, const Budget& budget) : heaps_(game), budget_(budget) {}

    // The plies that a move costs a player who wants play to last.
    struct Loss {
        int moves = 0;          // of the longest play
        std::int64_t size = 0;  // of the numbers in the heap; stands for play beyond kMostMoves

        friend auto operator<=>(const Loss&, const Loss&) = default;
    };
    Loss loss(const Move& move);

    // Whether the limit of work or the budget is reached: then losses are no longer known.
    bool is_spent() const { return looked_ >= kMostLooked || budget_.is_spent(); }

  private:
    static constexpr std::size_t kMostLooked = 1 << 14;  // units of the text of heaps

    struct Known {
        int moves = 0;
        int most = 0;  // for how many moves play was followed
    };
    int longest(const Ruleset& rules, const Heap& heap, int most);
    int search(const Ruleset& rules, const Heap& heap, int most);

    const Heaps heaps_;
    const Budget budget_;
    std::map<std::pair<const Ruleset*, Heap>, Known> known_;
    std::size_t looked_ = 0;
};

// Chooses, of these moves, one that loses least, at random among equal ones. There must be a
// move.
Move longest_move(const Game& game, const std::vector<Move>& moves, std::mt19937_64& random,
                  const Budget& budget);

}  // namespace engine

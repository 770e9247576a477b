// Losing slowly, as far as a look some moves ahead tells.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "engine/heaps/heaps.hpp"

namespace engine {

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

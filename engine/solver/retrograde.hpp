// Who wins a sum, by going back from the ends of play: needs no theory, and so answers where
// there is none, as for misere play with loops and for rules that both split and loop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/game.hpp"
#include "engine/solver/analyst.hpp"
#include "engine/solver/budget.hpp"
#include "engine/solver/heap_pool.hpp"
#include "engine/solver/long_array.hpp"
#include "engine/solver/memory.hpp"
#include "engine/solver/sequence_pool.hpp"

namespace engine {

// Explores the sums that can be reached, breadth first, equal heaps merged and heaps without a
// move left out; then plays back from the ends. What was not explored, because there is no end
// to it or the budget or the memory ends, counts as unknown, so that whatever is claimed is
// proven: N and P by a strategy within what was explored, D only where no unexplored sum can
// change it.
//
// About 10 bytes and 50 ns for each pair of a sum and a move.
class Retrograde {
  public:
    struct Verdict {
        Outcome outcome = Outcome::Unknown;
        // Of N and P: in how many moves play ends if the winner hurries and the loser does not;
        // at most that, where not all was explored. Who always moves to the P with the least of
        // them wins.
        std::uint32_t remoteness = 0;

        friend bool operator==(const Verdict&, const Verdict&) = default;
    };

    // No more sums than this are explored.
    static constexpr std::size_t kMostSums = std::size_t{1} << 22;

    // How far to explore: until the position is decided, or until each move is.
    enum class Goal { Outcome, EveryMove };

    // Keeps the rulesets, not the game.
    Retrograde(const Game& game, Goal goal, const Budget& budget);

    // Of the position.
    Verdict verdict() const { return verdict_of(root_); }
    // Of any position with rulesets of the first one; Unknown where it was not explored, or has
    // the other convention.
    Verdict verdict(const Position& position) const;

    // Was all that can be reached explored?
    bool is_complete() const { return listed_ == sums_.size() && !is_cut_; }
    std::size_t size() const { return sums_.size(); }

  private:
    using Sum = SequencePool::Index;
    using Key = std::vector<HeapPool::Index>;  // ascending

    std::optional<Key> key_of(const Position& position) const;
    Verdict verdict_of(std::optional<Sum> sum) const;
    void explore(Goal goal, const Budget& budget);
    bool list_moves(Sum sum, const Budget& budget);
    bool is_settled(Goal goal) const;
    bool play_back(const Budget& budget);

    const bool misere_;
    std::vector<std::string> rulesets_;  // texts, one a component
    HeapPool heaps_;
    SequencePool sums_;  // of live heaps
    std::optional<Sum> root_;

    // Moves of the first `listed_` sums.
    Reservation memory_;
    LongArray<std::uint64_t> first_;  // and one more, where the next will begin
    LongArray<Sum> targets_;
    std::vector<bool> cut_sums_;  // there are more moves than these
    Sum listed_ = 0;
    std::size_t work_ = 0;  // since the budget was looked at
    bool is_cut_ = false;
    std::uint32_t depth_ = 0;  // all sums within so many moves are listed

    LongArray<Verdict> verdicts_;  // as far as played back
};

}  // namespace engine

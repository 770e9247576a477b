// Retrograde analysis of a sum: works backwards from the ends of play. Needs no theory, so it
// covers misere play with loops, and rules that both split and loop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/long_array.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/sequence_pool.hpp"
#include "engine/heaps/heap_pool.hpp"
#include "engine/rules/game.hpp"
#include "engine/sums/analyst.hpp"

namespace engine {

// Explores the reachable sums breadth first, with equal heaps merged and heaps without a
// move left out; then works backwards from the ends. Unexplored sums (there are
// infinitely many, or the budget or the memory ended) count as unknown, so all claims are
// proven: N and P by a strategy within the explored sums, D only if no unexplored sum can
// change it.
//
// About 10 bytes and 50 ns for each pair of a sum and a move.
class Retrograde {
  public:
    struct Verdict {
        Outcome outcome = Outcome::Unknown;
        // For N and P: the number of moves to the end if the winner plays the quickest win and
        // the loser the slowest loss; an upper bound if not everything was explored. Always
        // moving to the P with the smallest number wins.
        std::uint32_t remoteness = 0;

        friend bool operator==(const Verdict&, const Verdict&) = default;
    };

    // No more sums than this are explored.
    static constexpr std::size_t kMostSums = std::size_t{1} << 22;

    // How far to explore: until the position is decided, or until each move is.
    enum class Goal { Outcome, EveryMove };

    // Keeps the rulesets, not the game.
    Retrograde(const Game& game, Goal goal, const Budget& budget);

    // The verdict on the position.
    Verdict verdict() const { return verdict_of(root_); }
    // The verdict on any position with rulesets of the first one, or on what a move makes of
    // it; Unknown if it was not explored, or has the other convention.
    Verdict verdict(const Position& position, const Move* move = nullptr) const;

    // Whether all reachable sums were explored, and played back.
    bool is_complete() const {
        return played_back_ == listed_ && listed_ == sums_.size() && !is_cut_;
    }
    std::size_t size() const { return sums_.size(); }

  private:
    class PlayBack;
    using Sum = SequencePool::Index;
    using Key = std::vector<HeapPool::Index>;  // ascending

    std::optional<Key> key_of(const Position& position, const Move* move = nullptr) const;
    Verdict verdict_of(std::optional<Sum> sum) const {
        return sum && *sum < verdicts_.size() ? verdicts_[*sum] : Verdict{};
    }
    void explore(Goal goal, const Budget& budget);
    bool list_moves(Sum sum, const Budget& budget, BudgetPoll& poll);
    bool is_settled(Goal goal) const;
    bool play_back(const Budget& budget);

    const bool misere_;
    std::vector<std::string> rulesets_;  // texts, each once
    HeapPool heaps_;
    SequencePool sums_;  // of live heaps
    std::optional<Sum> root_;

    // Moves of the first `listed_` sums.
    Reservation memory_;
    LongArray<std::uint64_t> first_;  // and one more, where the next will begin
    LongArray<Sum> targets_;
    std::vector<bool> cut_sums_;  // there are more moves than these
    Sum listed_ = 0;
    bool is_cut_ = false;
    std::uint32_t depth_ = 0;  // all sums within so many moves are listed

    LongArray<Verdict> verdicts_;
    Sum played_back_ = 0;  // how many were listed when the verdicts were found
};

}  // namespace engine

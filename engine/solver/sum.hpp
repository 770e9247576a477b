// A sum of heaps, solved heap by heap: who wins it, and by which moves.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/solver/analyst.hpp"
#include "engine/solver/heap_solver.hpp"

namespace engine {

// Normal play: the player to move wins unless the nimbers XOR to 0 (Sprague, Grundy).
// Misere, where all heaps are tame: the same where some nimber is 2 or more; else he wins
// unless they XOR to 1.
//
// Heaps are counted from 0 here. If the nimber of one heap is not known, the moves in it to
// known nimbers are; if more are not known, nothing is, but for one thing: unknown nimbers are
// finite (only nim has others, and knows them all), and cannot bring a transfinite XOR to 0.
class Sum {
  public:
    struct Part {
        const HeapSolver* solver;
        const Heap* heap;  // in the game
        std::optional<Nimber> nimber;
    };

    // The game must outlive the sum.
    Sum(const Game& game, const Budget& budget);

    const std::vector<Part>& parts() const { return parts_; }
    bool is_misere() const { return misere_; }
    bool is_known() const { return unknown_.empty(); }
    // Of the known heaps: how many have a nimber of 2 or more, and the XOR of all.
    std::size_t firm_count() const { return firm_count_; }
    const Nimber& total() const { return total_; }
    const Budget& budget() const { return budget_; }

    Outcome outcome() const;
    // nullopt: not known, or misere, where a sum has no nimber.
    std::optional<Nimber> nimber() const;

    // The winning moves in one heap.
    Count winning_count(std::size_t part) const;
    Move winning_move(std::size_t part, Count index) const;
    // Is there one, as can be told in O(1)? The nimber to leave is smaller than the heap's, so
    // some follower has it. Under normal play a won sum has such a heap.
    bool surely_wins(std::size_t part) const;
    std::vector<Move> winning_moves(std::size_t part, std::size_t limit) const;

    // Is this legal move a winning one? O(1) for finite nimbers. False where it is not known.
    bool is_winning(const Move& move, const Budget& budget) const;

  private:
    bool is_decidable(std::size_t part) const;
    bool others_are_fickle(std::size_t part) const;
    // The nimber a winning move must leave in the heap.
    Nimber target(std::size_t part) const;
    bool holds_leading_bit(std::size_t part) const;

    std::vector<std::shared_ptr<const HeapSolver>> solvers_;
    std::vector<Part> parts_;
    bool misere_ = false;
    Nimber total_;
    std::size_t firm_count_ = 0;
    std::vector<std::size_t> unknown_;  // parts whose nimber is not known
    Budget budget_;
};

}  // namespace engine

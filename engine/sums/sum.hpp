// A sum of heaps, solved heap by heap through their nimbers: who wins it, and by which moves.
#pragma once

#include <optional>
#include <vector>

#include "engine/heaps/heaps.hpp"
#include "engine/sums/solution.hpp"

namespace engine {

// Normal play: the player to move wins unless the nimbers XOR to 0 (Sprague, Grundy); with one
// loopy heap they win if a move in it makes the XOR 0, else it is a draw, and with two it is a
// draw (Smith 1966; Fraenkel and Yesha 1986).
// Misere, where all heaps are tame: as in normal play where some nimber is 2 or more; else the
// player to move wins unless they XOR to 1.
//
// Heaps are counted from 0 here. If the nimber of one heap is not known, the sum may be: a
// search tells whether it is the one nimber that loses, and moves in it to known nimbers are
// found.
class Sum : public JudgedSolution {
  public:
    // With Aim::Winner the nimber of the heap that takes most work is not looked for. The game
    // must outlive the sum.
    Sum(const Game& game, const Budget& budget, Aim aim = Aim::Values);

    // The nimber of each heap; nullopt: not known.
    const std::vector<std::optional<Nimber>>& nimbers() const { return nimbers_; }
    bool is_misere() const { return misere_; }
    // Under misere play only sums of tame heaps are solved here.
    bool is_solvable() const { return !misere_ || tame_; }
    bool is_known() const { return unknown_.empty() && is_solvable(); }
    // The sum of the known heaps.
    const Nimber& total() const { return total_; }

    Outcome outcome() const override;
    std::optional<Nimber> nimber() const override;
    Outcome outcome_after(const Move& move, const Budget& budget) const override;
    std::optional<MoveList> best_moves(std::size_t limit) const override;
    std::optional<Count> best_move_count() const override;
    std::optional<Move> best_move(Choice choice, std::mt19937_64& random) const override;
    std::string reason() const override;

  private:
    std::optional<Nimber> find_nimber(std::size_t part) const {
        return heaps_[part].solver->nimber(*heaps_[part].heap, budget_);
    }
    Outcome find_outcome() const;
    Outcome outcome_of(const Nimber& total, bool fickle) const;
    // The sum of all other heaps; which must be known.
    Nimber others(std::size_t part) const;
    bool others_are_fickle(std::size_t part) const;
    bool others_are_known(std::size_t part) const {
        return unknown_.empty() || (unknown_.size() == 1 && unknown_.front() == part);
    }
    bool can_repeat(std::size_t part) const { return heaps_[part].rules->can_repeat(); }

    // ---- moves that win ----
    // The nimber a winning move must leave in the heap; nullopt where no move in it can win.
    std::optional<Nimber> target(std::size_t part) const;
    bool holds_leading_bit(std::size_t part, const Nimber& total) const;
    // Known also for the one heap without a nimber: what its moves have to leave is known.
    HeapSolver::Tally winning_tally(std::size_t part) const;
    std::optional<Move> find_winning(std::size_t part) const;
    // Whether the heap has a winning move by an argument of O(1): the nimber that has to be
    // left is smaller than the heap's, so some follower has it. Under normal play every won sum
    // without loops has such a heap.
    bool surely_wins(std::size_t part) const;
    std::optional<Move> sure_winning() const;
    std::optional<Move> first_winning() const;
    std::optional<Move> random_winning(std::mt19937_64& random) const;
    std::optional<Move> progress(Choice choice, std::mt19937_64& random) const;
    std::optional<MoveList> list_winning(std::size_t limit) const;

    Heaps heaps_;
    std::vector<std::optional<Nimber>> nimbers_;
    bool misere_ = false;
    bool tame_ = true;     // all heaps are
    bool costly_ = false;  // some nimber takes a search
    Nimber known_total_;   // of the known heaps that are not loopy
    Nimber total_;
    std::size_t firm_count_ = 0;        // known heaps with a nimber of 2 or more
    std::vector<std::size_t> loopy_;    // parts whose nimber is loopy
    std::vector<std::size_t> unknown_;  // parts whose nimber is not known
    mutable std::optional<Outcome> outcome_;
};

}  // namespace engine

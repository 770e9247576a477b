// A misere position without loops, solved exactly where its heaps need not be tame.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/solver/heaps.hpp"
#include "engine/solver/misere/tables.hpp"
#include "engine/solver/solution.hpp"

namespace engine::misere {

// A heap of the sum.
struct Part {
    Heaps::Place place;
    std::size_t ruleset = 0;                 // in the graph of the tables
    std::optional<HeapGraph::Index> number;  // there; nullopt: too large to look at all of it
};

// One way to tell who wins what a move leaves; see the files that make them.
class Way {
  public:
    virtual ~Way() = default;

    // Does the previous player win, once a heap is replaced by what a move in it leaves?
    // nullopt: not known.
    virtual std::optional<bool> is_previous_win(std::size_t part, std::span<const Heap> left,
                                                const Budget& budget) const = 0;
    // The same for the sum as it stands.
    virtual std::optional<bool> is_previous_win(const Budget& budget) const = 0;

    // The same for a heap on its own.
    virtual std::optional<bool> is_previous_win_alone(std::size_t part,
                                                      const Budget& budget) const = 0;

    // For heaps with too many moves to look at: some of these, and what is among them. None:
    // that is not known. One: a winning move if there is one in the heap. All: all of those.
    enum class Cover { None, One, All };
    struct Candidates {
        std::vector<std::vector<Heap>> results;
        Cover cover = Cover::None;
    };
    virtual Candidates candidates(std::size_t part, const Budget& budget) const = 0;

    virtual std::string reason() const = 0;
};

// Where all heaps are tame, by a theorem or by their forms: misere nim. Null: they are not, or
// their forms are not found.
std::unique_ptr<Way> find_tame_way(Tables& tables, const std::vector<Part>& parts,
                                   const Budget& budget);
// Where the heaps have a quotient of at most `max_order` elements that is found.
std::unique_ptr<Way> find_quotient_way(Tables& tables, const std::vector<Part>& parts,
                                       std::size_t max_order, const Budget& budget);
// Where forms of the heaps are found, but for one nim heap of any size: with it the previous
// player wins exactly if it is the g- of the rest. The tame way where these forms show that all
// heaps are tame: their sums need no forms then.
std::unique_ptr<Way> find_form_way(Tables& tables, const std::vector<Part>& parts,
                                   const Budget& budget);

// Tries the three ways in that order, first with little work each, then again and again with
// more while there is time. For one thread.
class MisereSolution : public Solution {
  public:
    // The convention is misere and no ruleset leads back to earlier heaps. The game must
    // outlive the solution.
    MisereSolution(const Game& game, const Budget& budget);

    Outcome outcome() const override { return outcome_; }
    Outcome outcome_after(const Move& move, const Budget& budget) const override;
    std::optional<MoveList> best_moves(std::size_t limit) const override;
    std::optional<Count> best_move_count() const override;
    std::optional<Move> best_move(Choice choice, std::mt19937_64& random) const override;
    std::string reason() const override;

    // Who wins heap number `heap`, from 0, alone.
    Outcome heap_outcome(std::size_t heap) const;
    // The genus symbol of heap number `heap`, from 0; nullopt: not found.
    std::optional<std::string> genus(std::size_t heap, const Budget& budget) const;

  private:
    bool number_heaps();
    bool number_rest();
    bool has_few_moves(const Heaps::Place& place, const Budget& budget) const;
    void find_way();
    bool judge(std::unique_ptr<Way> way, const Budget& budget);
    template <typename Visit>
    bool visit_winning(std::size_t part, bool all, const Visit& visit) const;

    const Game& game_;
    const Budget budget_;
    const Heaps heaps_;
    mutable BorrowedTables tables_;
    std::vector<Part> parts_;
    std::unique_ptr<Way> way_;  // null: none
    Outcome outcome_ = Outcome::Unknown;
};

}  // namespace engine::misere

// The misere quotient of finitely many heaps whose moves lead to sums of one another.
#pragma once

#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/misere/monoid.hpp"

namespace engine::misere {

// A heap, by the words its moves leave. Generator number i stands for it; the words have as
// many letters as there are generators, with none from number i on. It has a move.
using WordMoves = std::vector<Word>;

// Who wins the sums of such heaps, by playing them out; cached.
class WordOutcomes {
  public:
    explicit WordOutcomes(std::vector<WordMoves> heaps);

    // nullopt: the budget or the memory ended, or a heap occurs more than 255 times.
    std::optional<bool> is_previous_win(Word word, const Budget& budget);

    const std::vector<WordMoves>& heaps() const { return heaps_; }
    // Whether a heap occurred too often.
    bool has_overflowed() const { return overflowed_; }

  private:
    // A word at work, and which move comes next.
    struct Pending {
        Word word;
        std::size_t heap = 0;
        std::size_t move = 0;
    };

    // Two heaps whose only move is to nothing cancel each other.
    void cancel_pairs(Word& word) const;
    bool store(const Word& word, bool previous_wins);

    std::vector<WordMoves> heaps_;
    std::vector<bool> is_star_;
    unsigned steps_ = 0;
    bool overflowed_ = false;
    boost::unordered_flat_map<Word, bool, std::hash<Word>> known_;
    Reservation reservation_;
};

// What ended a search: the order or the length of a word, the budget, the memory.
enum class Shortage { Order, Time, Memory };

// Two words are one element of the misere quotient if in every sum with a third the same player
// wins (Plambeck and Siegel 2008). Learned as finite automata are (Angluin 1987, with the
// counterexamples of Rivest and Schapire 1993): words are told apart by third ones found so
// far; the monoid that this gives either passes the proof of state_closure.hpp, and is the
// quotient, or the sum that breaks it yields another word to tell by. nullopt: not found, and
// `shortage` says why; so it ends for infinite quotients.
std::optional<Monoid> learn_quotient(WordOutcomes& outcomes, std::size_t max_order,
                                     const Budget& budget, Shortage& shortage);

}  // namespace engine::misere

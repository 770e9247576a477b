// octal{CODE} and hex{CODE} with digits that repeat for ever, such as octal{4.[3]}.
#pragma once

#include "engine/heaps/enumerating_solver.hpp"
#include "engine/heaps/nimber_sequence.hpp"

namespace engine {

// Nimbers by table, heap after heap. No theorem proves a law of theirs: any number can be
// taken.
class RepeatingSolver : public EnumeratingSolver {
  public:
    // Heaps that the table reaches at most: fewer where three heaps may be left, which costs
    // the square of a heap.
    static constexpr std::size_t kMostHeaps = std::size_t{1} << 17;
    static constexpr std::size_t kMostHeapsOfThree = std::size_t{1} << 12;

    // `moves` lives in the rules.
    RepeatingSolver(std::shared_ptr<const Ruleset> rules, shape::TakeAndBreak moves);

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;

  private:
    NimberSequence table_;
};

}  // namespace engine

// Solves sums by retrograde analysis, where positions can recur and labels do not decide who
// wins.
#pragma once

#include <memory>

#include "engine/sums/judged_solution.hpp"
#include "engine/sums/retrograde.hpp"

namespace engine {

class RetrogradeSolution : public JudgedSolution {
  public:
    // The latest tables that were finished are kept for the process and asked first: most
    // positions of a game are in the table of an earlier one.
    RetrogradeSolution(const Game& game, const Budget& budget, Aim aim);

    Outcome outcome() const override;
    Outcome outcome_after(const Move& move, const Budget& budget) const override;
    std::string reason() const override;

  private:
    bool tells_remoteness() const override { return true; }
    std::uint64_t remoteness_after(const Move& move) const override;
    Retrograde::Verdict verdict_after(const Move& move) const;

    std::shared_ptr<const Retrograde> table_;
};

}  // namespace engine

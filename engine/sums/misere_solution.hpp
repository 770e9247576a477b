// A misere position without loops, solved exactly where its heaps need not be tame.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/misere/way.hpp"
#include "engine/sums/judged_solution.hpp"

namespace engine {

// Tries the ways of misere/way.hpp, first with little work each, then again and
// again with more while there is time. For one thread.
class MisereSolution : public JudgedSolution {
  public:
    // The convention is misere and no ruleset leads back to earlier heaps. The game must
    // outlive the solution.
    MisereSolution(const Game& game, const Budget& budget);

    Outcome outcome() const override { return outcome_; }
    Outcome outcome_after(const Move& move, const Budget& budget) const override;
    std::string reason() const override;

    bool has_genera() const override { return true; }
    std::optional<std::string> genus(std::size_t heap, const Budget& budget) const override;
    Outcome heap_outcome(std::size_t heap) const override;

  private:
    bool visit_best(bool all, VisitMoves visit) const override;
    Count most_counted() const override { return 1'000'000; }
    bool number_heaps(const Budget& budget);
    bool number_rest(const Budget& budget);
    bool has_few_moves(const Heaps::Place& place, const Budget& budget) const;
    void find_way(const Budget& budget);
    bool judge(std::unique_ptr<misere::Way> way, const Budget& budget);
    bool is_decided_by(const misere::Way& way, const Budget& budget);
    template <typename Visit>
    bool visit_winning(std::size_t part, bool all, const Visit& visit) const;

    const Heaps heaps_;
    mutable misere::BorrowedTables tables_;
    std::vector<misere::Part> parts_;
    std::unique_ptr<misere::Way> way_;  // null: none
    Outcome outcome_ = Outcome::Unknown;
};

}  // namespace engine

// A solver that finds followers by listing them through the rules, if there is no better way.
#pragma once

#include "engine/heaps/heap_solver.hpp"

namespace engine {

// Derive from it and write nimber(), and has_nimber() where that is cheaper.
class EnumeratingSolver : public HeapSolver {
  public:
    explicit EnumeratingSolver(std::shared_ptr<const Ruleset> rules)
        : rules_(std::move(rules)) {}

    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override;

  protected:
    const Ruleset& rules() const { return *rules_; }

  private:
    // Whether the sum of these heaps has the nimber. nullopt: not known.
    std::optional<bool> have_nimber(const std::vector<Heap>& heaps, const Nimber& nimber,
                                    const Budget& budget) const;

    std::shared_ptr<const Ruleset> rules_;
};

}  // namespace engine

// take{SET}: nimbers by formula or table.
#pragma once

#include <map>
#include <mutex>

#include "engine/rules/take.hpp"
#include "engine/solver/heap_solver.hpp"
#include "engine/solver/take_values.hpp"

namespace engine {

class TakeSolver : public HeapSolver {
  public:
    explicit TakeSolver(const TakeSet& set) : set_(set), values_(find_take_values(set)) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    bool is_quick() const override { return true; }
    Tally count_followers(const Heap& heap, const Nimber& nimber,
                          const Budget& budget) const override;
    std::vector<Heap> follower(const Heap& heap, const Nimber& nimber, Count index,
                               const Budget& budget) const override;
    std::vector<std::vector<Heap>> list_followers(const Heap& heap, const Nimber& nimber,
                                                  std::size_t limit,
                                                  const Budget& budget) const override;
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override {
        return values_->law(limit, budget);
    }
    // Ferguson 1974 for finite sets; the argument holds for infinite ones too: a nimber is 1
    // exactly where taking the least member leaves 0.
    bool is_tame() const override { return true; }
    // Taking the least number each time lasts longest.
    std::optional<Length> longest_play(const Heap& heap, const Budget& budget) const override;
    std::optional<std::vector<Heap>> longest_follower(const Heap& heap,
                                                      const Budget& budget) const override;

  private:
    // What serves for a heap and all below it.
    std::shared_ptr<const TakeValues> values_for(Number heap) const;

    TakeSet set_;
    std::shared_ptr<const TakeValues> values_;  // of the whole set
    mutable std::mutex mutex_;
    mutable std::map<std::size_t, std::shared_ptr<const TakeValues>> by_prefix_;
};

}  // namespace engine

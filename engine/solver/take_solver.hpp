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
    Count count_followers(const Heap& heap, const Nimber& nimber) const override;
    std::vector<Heap> follower(const Heap& heap, const Nimber& nimber,
                               Count index) const override;
    std::vector<std::vector<Heap>> list_followers(const Heap& heap, const Nimber& nimber,
                                                  std::size_t limit) const override;
    // Taking the least number each time lasts longest.
    Length longest_play(const Heap& heap) const override;
    std::vector<Heap> longest_follower(const Heap& heap) const override;

  private:
    // What serves for a heap and all below it.
    std::shared_ptr<const TakeValues> values_for(Number heap) const;

    TakeSet set_;
    std::shared_ptr<const TakeValues> values_;  // of the whole set
    mutable std::mutex mutex_;
    mutable std::map<std::size_t, std::shared_ptr<const TakeValues>> by_prefix_;
};

}  // namespace engine

// A solver that finds followers by listing them through the rules: where nothing is cleverer.
#pragma once

#include <map>
#include <mutex>

#include "engine/solver/heap_solver.hpp"
#include "engine/solver/memory.hpp"

namespace engine {

// Derive from it and write nimber(), and has_nimber() where that is cheaper.
class EnumeratingSolver : public HeapSolver {
  public:
    explicit EnumeratingSolver(std::shared_ptr<const Ruleset> rules)
        : rules_(std::move(rules)) {}

    Tally count_followers(const Heap& heap, const Nimber& nimber,
                          const Budget& budget) const override;
    std::vector<Heap> follower(const Heap& heap, const Nimber& nimber, Count index,
                               const Budget& budget) const override;
    std::vector<std::vector<Heap>> list_followers(const Heap& heap, const Nimber& nimber,
                                                  std::size_t limit,
                                                  const Budget& budget) const override;
    std::optional<std::vector<Heap>> find_follower(const Heap& heap, const Nimber& nimber,
                                                   const Budget& budget) const override;

    // By playing everything out; what has been found is kept.
    std::optional<Length> longest_play(const Heap& heap, const Budget& budget) const override;
    std::optional<std::vector<Heap>> longest_follower(const Heap& heap,
                                                      const Budget& budget) const override;

  protected:
    const Ruleset& rules() const { return *rules_; }

  private:
    // Have these heaps together the nimber? nullopt: not known.
    std::optional<bool> have_nimber(const std::vector<Heap>& heaps, const Nimber& nimber,
                                    const Budget& budget) const;
    // Calls `visit(follower)` for each follower known to have the nimber until it returns
    // false. Says whether nothing stayed unknown on the way.
    template <typename Visit>
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         Visit visit) const;
    std::optional<Number> longest(const Heap& heap, const Budget& budget) const;

    std::shared_ptr<const Ruleset> rules_;
    mutable std::timed_mutex longest_mutex_;
    mutable std::map<Heap, Number> longest_;
    mutable Reservation longest_memory_;
};

}  // namespace engine

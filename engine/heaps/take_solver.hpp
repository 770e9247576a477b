// take{SET}: nimbers by formula or table.
#pragma once

#include <map>
#include <mutex>

#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/outcome_sweep.hpp"
#include "engine/heaps/take_values.hpp"
#include "engine/rules/take.hpp"

namespace engine {

class TakeSolver : public HeapSolver {
  public:
    explicit TakeSolver(const TakeSet& set)
        : set_(set), whole_(std::make_shared<const Prefix>(set)) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    bool is_quick() const override { return true; }
    // For heaps beyond the tables of nimbers, 0 and 1 are told by the outcomes alone.
    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t nimber,
                                   const Budget& budget) const override;
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override;
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override {
        return whole_->values->law(limit, budget);
    }
    // Ferguson 1974 for finite sets; the argument holds for infinite ones too: a nimber is 1
    // exactly where taking the least member leaves 0.
    bool is_tame() const override { return true; }

  private:
    // The members that can be taken from some heaps, and what is known of these.
    struct Prefix {
        explicit Prefix(const TakeSet& set);
        std::shared_ptr<const TakeValues> values;
        std::unique_ptr<OutcomeTable> outcomes;  // null where it does not serve
    };
    // What serves for a heap and all below it.
    std::shared_ptr<const Prefix> prefix_for(Number heap) const;
    std::optional<bool> is_p_position(Number heap, const Budget& budget) const;

    TakeSet set_;
    std::shared_ptr<const Prefix> whole_;
    mutable std::mutex mutex_;
    mutable std::map<std::size_t, std::shared_ptr<const Prefix>> by_length_;
};

}  // namespace engine

// take{SET}: nimbers by formula or table.
#include <algorithm>
#include <mutex>
#include <vector>

#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/heaps/subtraction_table.hpp"
#include "engine/heaps/take_values.hpp"
#include "engine/rules/take.hpp"

namespace engine {
namespace {

class TakeSolver : public HeapSolver {
  public:
    explicit TakeSolver(const TakeSet& set)
        : set_(set), whole_(std::make_shared<const Prefix>(set)) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        const Number number = std::get<Number>(heap);
        if (number < set_.smallest()) return finite(0);
        const auto prefix = prefix_for(number, budget);
        return prefix ? prefix->values->value(number, budget) : std::nullopt;
    }

    bool is_quick() const override { return true; }

    // For heaps beyond the tables of nimbers, 0 and 1 are told by the outcomes alone.
    // A nimber is 1 exactly where taking the least member leaves 0 (Ferguson 1974).
    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t wanted,
                                   const Budget& budget) const override {
        const Number number = std::get<Number>(heap);
        if (number < set_.smallest()) return wanted == 0;
        if (wanted == 0) return is_p_position(number, budget);
        if (wanted == 1) return is_p_position(number - set_.smallest(), budget);
        return HeapSolver::has_nimber(heap, wanted, budget);
    }

    // Visits the followers in ascending order. If the heap itself is beyond the tables, some of
    // its followers may be, too; where the members are few, outcomes tell 0 and 1 of these.
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        const auto* wanted = std::get_if<std::uint64_t>(&nimber);
        if (wanted == nullptr) return true;
        const Number number = std::get<Number>(heap);
        const auto prefix = prefix_for(number, budget);
        if (!prefix) return false;
        const auto& values = prefix->values;
        // What follows counts in the table that this makes.
        const bool complete =
            number < set_.smallest() || values->value(number, budget).has_value();
        const bool uses_outcomes = !complete && prefix->outcomes;
        const Occurrences* all = uses_outcomes ? nullptr : values->occurrences();
        const auto& intervals = set_.intervals();
        auto next = std::ranges::upper_bound(intervals, number, {}, &Interval::first);
        while (next != intervals.begin()) {
            --next;
            const Number most = std::min(next->last, number);
            if (all == nullptr || next->first == next->last) {
                for (Number member = most + 1; member-- > next->first;) {
                    const Number left = number - member;
                    const auto one = [left](Count) { return std::vector{Heap(left)}; };
                    const auto value = values->value(left, budget);
                    const bool has = value ? *value == *wanted
                                           : uses_outcomes && has_by_outcomes(*prefix, left,
                                                                              *wanted, budget);
                    if (has && !visit(1, one)) return complete;
                }
                continue;
            }
            const Count begin = all->count_below(number - most, *wanted);
            const Count end = all->count_below(number - next->first + 1, *wanted);
            const auto at = [&](Count index) {
                return std::vector{Heap(all->heap_with(*wanted, begin + index))};
            };
            if (end > begin && !visit(end - begin, at)) return complete;
        }
        return complete;
    }

    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override {
        return whole_->values->law(limit, budget);
    }
    // Ferguson 1974 for finite sets; the argument holds for infinite ones too: a nimber is 1
    // exactly where taking the least member leaves 0.
    bool is_tame() const override { return true; }

  private:
    // The members that can be taken from some heaps, and what is known of these.
    struct Prefix {
        explicit Prefix(const TakeSet& set) : values(make_take_values(set)) {
            if (OutcomeSweep::serves(set)) outcomes = std::make_unique<OutcomeTable>(set);
        }
        std::shared_ptr<const TakeValues> values;
        std::unique_ptr<OutcomeTable> outcomes;  // null where it does not serve
    };
    struct Kept {
        std::ptrdiff_t length = 0;  // of the part, in intervals
        std::shared_ptr<const Prefix> prefix;
    };
    // A line can have a heap between any two of a hundred thousand members.
    static constexpr std::ptrdiff_t kMostKept = 1 << 20;  // intervals
    static constexpr std::ptrdiff_t kLong = 1000;

    // The part that serves for a heap and all below it. Null: the budget has ended, and a long
    // one is to be made, which takes as long as reading it.
    // A set too large for tables may still have a small part that matters: members above the
    // heap cannot be taken.
    std::shared_ptr<const Prefix> prefix_for(Number heap, const Budget& budget) const {
        const auto& intervals = set_.intervals();
        if (heap < SubtractionTable::kFewHeaps || intervals.back().first <= heap) return whole_;
        if (heap < intervals.front().first) return whole_;

        const auto end = std::ranges::upper_bound(intervals, heap, {}, &Interval::first);
        const std::lock_guard lock(mutex_);
        const auto kept = std::ranges::find(kept_, end - intervals.begin(), &Kept::length);
        if (kept != kept_.end()) {
            std::rotate(kept, kept + 1, kept_.end());
            return kept_.back().prefix;
        }
        const std::ptrdiff_t length = end - intervals.begin();
        if (length > kLong && budget.is_spent()) return nullptr;
        for (intervals_kept_ += length; intervals_kept_ > kMostKept && !kept_.empty();) {
            intervals_kept_ -= kept_.front().length;
            kept_.erase(kept_.begin());
        }
        kept_.push_back(
            {length, std::make_shared<const Prefix>(TakeSet({intervals.begin(), end}))});
        return kept_.back().prefix;
    }

    // Whether the outcomes tell that a heap has the nimber.
    bool has_by_outcomes(const Prefix& prefix, Number heap, std::uint64_t wanted,
                         const Budget& budget) const {
        if (wanted > 1) return false;
        const Number taken = wanted * set_.smallest();
        return taken <= heap && prefix.outcomes->is_p_position(heap - taken, budget) == true;
    }

    // By a nimber where the heap is small or a law is proven soon, else by outcomes alone.
    std::optional<bool> is_p_position(Number heap, const Budget& budget) const {
        if (heap < set_.smallest()) return true;
        const auto prefix = prefix_for(heap, budget);
        if (!prefix) return std::nullopt;
        constexpr Number kFew = SubtractionTable::kFewHeaps;
        const bool by_nimber = heap < kFew || prefix->values->law(kFew, budget).has_value();
        if (!by_nimber && prefix->outcomes) {
            if (const auto is_p = prefix->outcomes->is_p_position(heap, budget)) return is_p;
        }
        const auto value = prefix->values->value(heap, budget);
        if (!value) return std::nullopt;
        return *value == 0;
    }

    TakeSet set_;
    std::shared_ptr<const Prefix> whole_;
    mutable std::mutex mutex_;
    mutable std::vector<Kept> kept_;  // the one used last at the end
    mutable std::ptrdiff_t intervals_kept_ = 0;
};

}  // namespace

SolverPtr make_take_solver(const TakeSet& set) { return std::make_shared<TakeSolver>(set); }

}  // namespace engine

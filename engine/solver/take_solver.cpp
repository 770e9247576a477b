#include "engine/solver/take_solver.hpp"

#include <algorithm>

#include "engine/solver/subtraction_table.hpp"

namespace engine {
namespace {

// Calls `visit(count of followers, number `index` of them)` for each interval of the set, so
// that the followers ascend, until it returns false.
template <typename Visit>
void visit_followers(const TakeSet& set, const TakeValues& values, Number heap, Number value,
                     const Budget& budget, Visit visit) {
    const auto& intervals = set.intervals();
    const Occurrences* all = values.occurrences();
    auto next = std::ranges::upper_bound(intervals, heap, {}, &Interval::first);
    while (next != intervals.begin()) {
        --next;
        const Number most = std::min(next->last, heap);
        if (all == nullptr || next->first == next->last) {
            for (Number member = most + 1; member-- > next->first;) {
                const Number left = heap - member;
                const bool found = values.value(left, budget) == value;
                if (found && !visit(1, [left](Count) { return left; })) return;
            }
            continue;
        }
        const Count begin = all->count_below(heap - most, value);
        const Count end = all->count_below(heap - next->first + 1, value);
        const auto follower = [&](Count index) { return all->heap_with(value, begin + index); };
        if (end > begin && !visit(end - begin, follower)) return;
    }
}

}  // namespace

TakeSolver::Prefix::Prefix(const TakeSet& set) : values(make_take_values(set)) {
    if (OutcomeSweep::serves(set)) outcomes = std::make_unique<OutcomeTable>(set);
}

// A set too large for tables may still have a small part that matters: members above the heap
// cannot be taken.
std::shared_ptr<const TakeSolver::Prefix> TakeSolver::prefix_for(Number heap) const {
    const auto& intervals = set_.intervals();
    if (heap < SubtractionTable::kFewHeaps || intervals.back().first <= heap) return whole_;
    if (heap < intervals.front().first) return whole_;

    const auto end = std::ranges::upper_bound(intervals, heap, {}, &Interval::first);
    const std::lock_guard lock(mutex_);
    auto& prefix = by_length_[static_cast<std::size_t>(end - intervals.begin())];
    if (!prefix) prefix = std::make_shared<const Prefix>(TakeSet({intervals.begin(), end}));
    return prefix;
}

std::optional<Nimber> TakeSolver::nimber(const Heap& heap, const Budget& budget) const {
    const Number number = std::get<Number>(heap);
    if (number < set_.smallest()) return finite(0);
    const auto value = prefix_for(number)->values->value(number, budget);
    if (!value) return std::nullopt;
    return finite(*value);
}

// A nimber is 1 exactly where taking the least member leaves 0 (Ferguson 1974).
std::optional<bool> TakeSolver::has_nimber(const Heap& heap, std::uint64_t wanted,
                                           const Budget& budget) const {
    const Number number = std::get<Number>(heap);
    if (number < set_.smallest()) return wanted == 0;
    if (wanted == 0) return is_p_position(number, budget);
    if (wanted == 1) return is_p_position(number - set_.smallest(), budget);
    return HeapSolver::has_nimber(heap, wanted, budget);
}

// By a nimber where the heap is small or a law is proven soon, else by outcomes alone.
std::optional<bool> TakeSolver::is_p_position(Number heap, const Budget& budget) const {
    if (heap < set_.smallest()) return true;
    const auto prefix = prefix_for(heap);
    constexpr Number kFew = SubtractionTable::kFewHeaps;
    const bool by_nimber = heap < kFew || prefix->values->law(kFew, budget).has_value();
    if (!by_nimber && prefix->outcomes) {
        if (const auto is_p = prefix->outcomes->is_p_position(heap, budget)) return is_p;
    }
    const auto value = prefix->values->value(heap, budget);
    if (!value) return std::nullopt;
    return *value == 0;
}

// Where the value of the heap itself is beyond the tables, so may be those of some followers.
HeapSolver::Tally TakeSolver::count_followers(const Heap& heap, const Nimber& wanted,
                                              const Budget& budget) const {
    const auto* value = std::get_if<std::uint64_t>(&wanted);
    if (value == nullptr) return {};
    const Number number = std::get<Number>(heap);
    Tally tally{0, nimber(heap, budget).has_value()};
    visit_followers(set_, *prefix_for(number)->values, number, *value, budget,
                    [&](Count count, auto) {
                        tally.count += count;
                        return true;
                    });
    return tally;
}

std::vector<Heap> TakeSolver::follower(const Heap& heap, const Nimber& nimber, Count index,
                                       const Budget& budget) const {
    const Number number = std::get<Number>(heap);
    const Number value = std::get<std::uint64_t>(nimber);
    const auto values = prefix_for(number)->values;
    std::vector<Heap> found;
    visit_followers(set_, *values, number, value, budget, [&](Count count, auto at) {
        if (index >= count) {
            index -= count;
            return true;
        }
        found = {Heap(at(index))};
        return false;
    });
    return found;
}

std::vector<std::vector<Heap>> TakeSolver::list_followers(const Heap& heap,
                                                          const Nimber& nimber,
                                                          std::size_t limit,
                                                          const Budget& budget) const {
    std::vector<std::vector<Heap>> found;
    const auto* value = std::get_if<std::uint64_t>(&nimber);
    if (value == nullptr) return found;
    const Number number = std::get<Number>(heap);
    const auto values = prefix_for(number)->values;
    visit_followers(set_, *values, number, *value, budget, [&](Count count, auto at) {
        for (Count i = 0; i < count && found.size() < limit; ++i) {
            found.push_back({Heap(at(i))});
        }
        return found.size() < limit;
    });
    return found;
}

std::optional<Length> TakeSolver::longest_play(const Heap& heap, const Budget&) const {
    const Number moves = std::get<Number>(heap) / set_.smallest();
    return moves == 0 ? Length{} : Length{{0, moves}};
}

std::optional<std::vector<Heap>> TakeSolver::longest_follower(const Heap& heap,
                                                              const Budget&) const {
    return std::vector{Heap(std::get<Number>(heap) - set_.smallest())};
}

}  // namespace engine

#include "engine/solver/take_solver.hpp"

#include <algorithm>

#include "engine/solver/subtraction_table.hpp"

namespace engine {
namespace {

// Calls `visit(count of followers, index of the first among all heaps of this value)` for each
// interval of the set, so that the followers ascend, until it returns false.
template <typename Visit>
void visit_followers(const TakeSet& set, const TakeValues& values, Number heap, Number value,
                     Visit visit) {
    const auto& intervals = set.intervals();
    auto next = std::ranges::upper_bound(intervals, heap, {}, &Interval::first);
    while (next != intervals.begin()) {
        --next;
        const Count begin = values.count_below(heap - std::min(next->last, heap), value);
        const Count end = values.count_below(heap - next->first + 1, value);
        if (end > begin && !visit(end - begin, begin)) return;
    }
}

}  // namespace

// A set too large for tables may still have a small part that matters: members above the heap
// cannot be taken.
std::shared_ptr<const TakeValues> TakeSolver::values_for(Number heap) const {
    const auto& intervals = set_.intervals();
    if (heap < SubtractionTable::kMaxHeaps || intervals.back().first <= heap) return values_;
    if (heap < intervals.front().first) return values_;

    const auto end = std::ranges::upper_bound(intervals, heap, {}, &Interval::first);
    const std::lock_guard lock(mutex_);
    auto& values = by_prefix_[static_cast<std::size_t>(end - intervals.begin())];
    if (!values) values = find_take_values(TakeSet({intervals.begin(), end}));
    return values;
}

std::optional<Nimber> TakeSolver::nimber(const Heap& heap, const Budget& budget) const {
    const Number number = std::get<Number>(heap);
    if (number < set_.smallest()) return finite(0);
    const auto value = values_for(number)->value(number, budget);
    if (!value) return std::nullopt;
    return finite(*value);
}

// Where the value of the heap itself is beyond the tables, so may be those of some followers.
HeapSolver::Tally TakeSolver::count_followers(const Heap& heap, const Nimber& wanted,
                                              const Budget& budget) const {
    const auto* value = std::get_if<std::uint64_t>(&wanted);
    if (value == nullptr) return {};
    const Number number = std::get<Number>(heap);
    Tally tally{0, nimber(heap, budget).has_value()};
    visit_followers(set_, *values_for(number), number, *value, [&](Count count, Count) {
        tally.count += count;
        return true;
    });
    return tally;
}

std::vector<Heap> TakeSolver::follower(const Heap& heap, const Nimber& nimber, Count index,
                                       const Budget&) const {
    const Number number = std::get<Number>(heap);
    const Number value = std::get<std::uint64_t>(nimber);
    const auto values = values_for(number);
    std::vector<Heap> found;
    visit_followers(set_, *values, number, value, [&](Count count, Count begin) {
        if (index >= count) {
            index -= count;
            return true;
        }
        found = {Heap(values->heap_with(value, begin + index))};
        return false;
    });
    return found;
}

std::vector<std::vector<Heap>> TakeSolver::list_followers(const Heap& heap,
                                                          const Nimber& nimber,
                                                          std::size_t limit,
                                                          const Budget&) const {
    std::vector<std::vector<Heap>> found;
    const auto* value = std::get_if<std::uint64_t>(&nimber);
    if (value == nullptr) return found;
    const Number number = std::get<Number>(heap);
    const auto values = values_for(number);
    visit_followers(set_, *values, number, *value, [&](Count count, Count begin) {
        for (Count i = 0; i < count && found.size() < limit; ++i) {
            found.push_back({Heap(values->heap_with(*value, begin + i))});
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

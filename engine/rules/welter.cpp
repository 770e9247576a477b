// Welter's game (Welter 1954): one entry goes down to a number that no other entry has. A heap
// is a tuple of different numbers, or one number.
#include <algorithm>
#include <vector>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/entries.hpp"

namespace engine {
namespace {

std::vector<Number> sorted_entries(const Heap& heap) {
    auto sorted = entry_list(heap);
    std::ranges::sort(sorted);
    return sorted;
}

class Welter : public ChangingEntries {
  public:
    Result<void> check_heap(const Heap& heap) const override {
        if (has_entries(heap)) {
            const auto sorted = sorted_entries(heap);
            if (std::ranges::adjacent_find(sorted) == sorted.end()) return {};
        }
        return refuse_heap(
            heap, "a number or a tuple of different numbers such as (1,4,6): heaps of welter");
    }

    // Entries 0, 1, 2, … stand as low as they can.
    bool has_move(const Heap& heap) const override {
        const auto entries = entries_of(heap);
        return std::ranges::max(entries) >= entries.size();
    }

    bool is_move(std::span<const Number> from, std::span<const Number> to) const override {
        const auto [before, after] = std::ranges::mismatch(from, to);
        if (before == from.end() || *after > *before) return false;
        return std::ranges::count(from, *after) == 0 &&
               std::equal(before + 1, from.end(), after + 1);
    }

    // The lowest entry can go to every smaller number, the next one to all but one of them, …
    Count follower_count(const Heap& heap) const override {
        Count count = 0, taken = 0;
        for (const Number entry : sorted_entries(heap))
            count = saturating_sum(count, entry - taken++);
        return count;
    }

    // By the entry, from the lowest on.
    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        const auto sorted = sorted_entries(heap);
        std::size_t moved = 0;
        while (index >= sorted[moved] - moved) index -= sorted[moved] - moved, ++moved;
        for (std::size_t i = 0; i < moved && sorted[i] <= index; ++i) ++index;
        auto left = entry_list(heap);
        std::ranges::replace(left, sorted[moved], index);
        return {heap_with(std::move(left))};
    }

    // In any order. An entry of 0 stays where it is, and no other can go there: the rest is
    // the same game with all numbers 1 less.
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override {
        std::vector<Number> entries;
        Number stuck = 0;
        for (const Number entry : sorted_entries(heap)) {
            if (entry == stuck && entries.empty()) {
                ++stuck;
            } else {
                entries.push_back(entry - stuck);
            }
        }
        if (entries.empty()) return std::vector<Heap>();
        return std::vector<Heap>{heap_with(std::move(entries))};
    }
};

}  // namespace

FoundRuleset make_welter(protocol::Scanner&) {
    return FoundRuleset(std::make_shared<Welter>());
}

}  // namespace engine

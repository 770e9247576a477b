// Wythoff's game: take from one of two heaps, or as many from both. A heap is a pair (a,b).
#include <algorithm>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/entries.hpp"

namespace engine {

class Wythoff : public ChangingEntries {
  public:
    Result<void> check_heap(const Heap& heap) const override {
        const auto* tuple = std::get_if<Tuple>(&heap);
        if (tuple != nullptr && tuple->entries.size() == 2) return {};
        return refuse_heap(heap, "a pair such as (3,5): heaps of wythoff are pairs");
    }

    bool is_move(std::span<const Number> from, std::span<const Number> to) const override {
        if (to[0] > from[0] || to[1] > from[1]) return false;
        const Number first = from[0] - to[0], second = from[1] - to[1];  // taken
        return first == 0 || second == 0 ? first != second : first == second;
    }

    Count follower_count(const Heap& heap) const override {
        const auto from = entries_of(heap);
        const Count straight = from[0] + from[1];  // at most 2^64 - 2
        return saturating_sum(straight, std::min(from[0], from[1]));
    }

    // By the first entry, by the second, by both.
    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        const auto from = entries_of(heap);
        if (index < from[0]) return {Heap(Tuple{{index, from[1]}})};
        index -= from[0];
        if (index < from[1]) return {Heap(Tuple{{from[0], index}})};
        const Number taken = index - from[1] + 1;
        return {Heap(Tuple{{from[0] - taken, from[1] - taken}})};
    }
};

FoundRuleset make_wythoff(protocol::Scanner&) {
    return FoundRuleset(std::make_shared<Wythoff>());
}

}  // namespace engine

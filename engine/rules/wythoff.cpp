// Wythoff's game: take from one of two heaps, or as many from both. A heap is a pair (a,b).
#include <algorithm>

#include "engine/rules/catalogue.hpp"

namespace engine {
namespace {

struct Pair {
    Number first = 0;
    Number second = 0;
};

bool is_pair(const Heap& heap) {
    const auto* tuple = std::get_if<Tuple>(&heap);
    return tuple != nullptr && tuple->entries.size() == 2;
}

Pair pair_of(const Heap& heap) {
    const auto& entries = std::get<Tuple>(heap).entries;
    return {entries[0], entries[1]};
}

}  // namespace

class Wythoff : public Ruleset {
  public:
    Result<void> check_heap(const Heap& heap) const override {
        if (is_pair(heap)) return {};
        return refuse_heap(heap, "a pair such as (3,5): heaps of wythoff are pairs");
    }

    bool has_move(const Heap& heap) const override {
        const Pair from = pair_of(heap);
        return from.first > 0 || from.second > 0;
    }

    bool is_follower(const Heap& heap, std::span<const Heap> result) const override {
        if (result.size() != 1 || !is_pair(result.front())) return false;
        const Pair from = pair_of(heap);
        const Pair to = pair_of(result.front());
        if (to.first > from.first || to.second > from.second) return false;
        const Number taken_first = from.first - to.first;
        const Number taken_second = from.second - to.second;
        if (taken_first == 0 || taken_second == 0) return taken_first != taken_second;
        return taken_first == taken_second;
    }

    Count follower_count(const Heap& heap) const override {
        const Pair from = pair_of(heap);
        const Count straight = from.first + from.second;  // at most 2^64 - 2
        const Count diagonal = std::min(from.first, from.second);
        return saturating_sum(straight, diagonal);
    }

    // By the first entry, by the second, by both.
    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        const Pair from = pair_of(heap);
        Pair to = from;
        if (index < from.first) {
            to.first = index;
        } else if (index - from.first < from.second) {
            to.second = index - from.first;
        } else {
            const Number taken = index - from.first - from.second + 1;
            to = {from.first - taken, from.second - taken};
        }
        return {Heap(Tuple{{to.first, to.second}})};
    }
};

FoundRuleset make_wythoff(protocol::Scanner&) {
    return FoundRuleset(std::make_shared<Wythoff>());
}

}  // namespace engine

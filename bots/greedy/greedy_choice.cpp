// The strategy: of the heaps that have a move, play on the largest; of its moves, play the one
// that leaves the fewest stones. Among equals, the first. There is no randomness: the same
// position always gets the same move.
//
// A number n is n stones, a tuple is the sum of its entries, an ordinal is more than any number
// (and ordinals compare as ordinals), and a vertex of a graph is zero stones. So on graphs
// greedy plays the first move of the first heap that has a move.
//
// A heap may have 10^18 moves. Greedy considers the first and the last thousand in the order of
// the ruleset. These are all moves of a small heap, and include the largest take of nim and
// take{SET} for every heap.
#include "bots/greedy/greedy_choice.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace bots {
namespace {

using engine::Count;
using protocol::Heap;
using protocol::Move;
using protocol::Number;
using protocol::Ordinal;

constexpr Count kMostConsidered = 1000;  // of the first moves, and of the last

// A number of stones; the ordinal is used if it exceeds every number.
using Size = std::pair<Number, Ordinal>;

Number add(Number a, Number b) { return a > engine::kMany - b ? engine::kMany : a + b; }

Size size_of(const Heap& heap) {
    if (const auto* number = std::get_if<Number>(&heap)) return {*number, {}};
    if (const auto* ordinal = std::get_if<Ordinal>(&heap)) return {engine::kMany, *ordinal};
    Number sum = 0;
    if (const auto* tuple = std::get_if<protocol::Tuple>(&heap)) {
        for (const Number entry : tuple->entries) sum = add(sum, entry);
    }
    return {sum, {}};
}

Size size_of(std::span<const Heap> heaps) {
    Size total;
    for (const Heap& heap : heaps) {
        const auto [stones, ordinal] = size_of(heap);
        total.first = add(total.first, stones);
        total.second = std::max(total.second, ordinal);
    }
    return total;
}

std::vector<Heap> greatest_take(const engine::Ruleset& rules, const Heap& heap) {
    const Count count = rules.follower_count(heap);
    std::vector<Heap> best = rules.follower(heap, 0);
    Size least = size_of(best);
    for (Count i = 1; i < count; ++i) {
        if (i == kMostConsidered && count > 2 * kMostConsidered) i = count - kMostConsidered;
        auto result = rules.follower(heap, i);
        auto left = size_of(result);
        if (left >= least) continue;
        best = std::move(result);
        least = std::move(left);
    }
    return best;
}

}  // namespace

std::optional<Move> greedy_choice(const engine::Game& game) {
    const Heap* largest = nullptr;
    Size largest_size;
    std::size_t index = 0;
    const engine::Ruleset* rules = nullptr;

    std::size_t number = 0;
    const auto& components = game.position().components;
    for (std::size_t i = 0; i < components.size(); ++i) {
        for (const Heap& heap : components[i].heaps) {
            ++number;
            if (!game.ruleset(i)->has_move(heap)) continue;
            auto size = size_of(heap);
            if (largest != nullptr && size <= largest_size) continue;
            largest = &heap;
            largest_size = std::move(size);
            index = number;
            rules = game.ruleset(i).get();
        }
    }
    if (largest == nullptr) return std::nullopt;
    return Move{index, greatest_take(*rules, *largest)};
}

std::optional<Move> greedy_choice(const protocol::Position& position,
                                  const std::vector<Move>& candidates) {
    const Move* best = nullptr;
    Size best_heap;
    Size best_left;
    for (const Move& move : candidates) {
        auto heap = size_of(find_heap(position, move.heap).heap());
        auto left = size_of(move.result);
        const bool better =
            best == nullptr || heap > best_heap || (heap == best_heap && left < best_left);
        if (!better) continue;
        best = &move;
        best_heap = std::move(heap);
        best_left = std::move(left);
    }
    if (best == nullptr) return std::nullopt;
    return *best;
}

bool is_quick(const protocol::Position& position) {
    return std::ranges::none_of(position.components, [](const protocol::Component& part) {
        return part.ruleset.name() == "rules";
    });
}

}  // namespace bots

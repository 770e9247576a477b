#include "engine/solver/move_sample.hpp"

#include <algorithm>

#include <boost/multiprecision/cpp_int.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "engine/solver/followers.hpp"

namespace engine {
namespace {

// A sum of move counts, which may be more than a Count holds.
using WideCount = boost::multiprecision::uint128_t;

struct CountedHeap {
    std::size_t number = 0;  // from 1
    const Ruleset* rules = nullptr;
    const Heap* heap = nullptr;
    WideCount to = 0;  // moves up to its last
};

// The heaps that have moves, as far as these are counted within the budget.
std::vector<CountedHeap> count_heaps(const Game& game, const Budget& budget) {
    constexpr std::size_t kPollEvery = 64;
    std::vector<CountedHeap> counted;
    counted.reserve(game.position().heap_count());
    WideCount total = 0;
    std::size_t number = 0;
    const auto& components = game.position().components;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const Ruleset& rules = *game.ruleset(i);
        for (const Heap& heap : components[i].heaps) {
            ++number;
            if (number % kPollEvery == 0 && !counted.empty() && budget.is_spent()) {
                return counted;
            }
            const auto followers = find_followers(rules, heap, budget);
            if (!followers || followers->count == 0) continue;
            total += followers->count;
            counted.push_back({number, &rules, &heap, total});
        }
    }
    return counted;
}

void add_some(const Ruleset& rules, const Heap& heap, std::size_t number, std::size_t limit,
              std::vector<Move>& moves) {
    for (auto& result : rules.some_followers(heap, limit)) {
        moves.push_back({number, std::move(result)});
    }
}

// Of the first heap that has moves.
std::vector<Move> first_found(const Game& game, std::size_t limit) {
    std::vector<Move> moves;
    std::size_t number = 0;
    const auto& components = game.position().components;
    for (std::size_t i = 0; i < components.size(); ++i) {
        for (const Heap& heap : components[i].heaps) {
            add_some(*game.ruleset(i), heap, ++number, limit, moves);
            if (!moves.empty()) return moves;
        }
    }
    return moves;
}

// Places in 0..total-1, ascending: all of them where they are no more than the limit.
std::vector<WideCount> draw_places(const WideCount& total, std::size_t limit,
                                   std::mt19937_64& random) {
    std::vector<WideCount> places;
    if (total <= limit) {
        for (WideCount place = 0; place < total; ++place) places.push_back(place);
        return places;
    }
    boost::random::uniform_int_distribution<WideCount> draw(0, total - 1);
    for (std::size_t i = 0; i < limit; ++i) places.push_back(draw(random));
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

}  // namespace

std::vector<Move> sample_moves(const Game& game, std::size_t limit, std::mt19937_64& random,
                               const Budget& budget) {
    const auto heaps = count_heaps(game, budget);
    if (heaps.empty()) return first_found(game, limit);
    std::vector<Move> moves;
    const auto places = draw_places(heaps.back().to, limit, random);
    WideCount passed = 0;  // moves of the heaps before
    auto place = places.begin();
    for (const auto& [number, rules, heap, to] : heaps) {
        const auto end = std::find_if(place, places.end(),
                                      [&to = to](const auto& drawn) { return drawn >= to; });
        if (place == end) {
            passed = to;
            continue;
        }
        // They may have to be listed again.
        const auto followers = find_followers(*rules, *heap, budget);
        for (; followers && place != end; ++place) {
            moves.push_back({number, followers->at(static_cast<Count>(*place - passed))});
        }
        place = end;
        passed = to;
    }
    if (moves.empty()) return first_found(game, limit);
    return moves;
}

}  // namespace engine

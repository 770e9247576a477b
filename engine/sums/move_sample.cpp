#include "engine/sums/choice.hpp"

#include <algorithm>

#include "engine/rules/moves.hpp"
#include "engine/sums/solution.hpp"

namespace engine {
namespace {

// The numbers of moves of the heaps, summed up to each heap, as far as the budget allows.
std::vector<Wide> counts_up_to(const Game& game, const Budget& budget) {
    constexpr std::size_t kPollEvery = 64;  // heaps
    BudgetPoll poll(budget, kPollEvery);
    std::vector<Wide> up_to;
    up_to.reserve(game.position().heap_count());
    Wide total = 0;
    game.visit_heaps([&](std::size_t, const Ruleset& rules, const Heap& heap) {
        if (poll.is_spent() && total > 0) return false;
        const auto followers = find_followers(rules, heap, budget);
        if (followers) total += followers->count;
        up_to.push_back(total);
        return true;
    });
    return up_to;
}

// Up to `limit` moves in the first heap that has some.
std::vector<Move> first_found(const Game& game, std::size_t limit) {
    std::vector<Move> moves;
    game.visit_heaps([&](std::size_t number, const Ruleset& rules, const Heap& heap) {
        for (auto& result : rules.some_followers(heap, limit)) {
            moves.push_back({number, std::move(result)});
        }
        return moves.empty();
    });
    return moves;
}

// Places in 0..total-1, ascending: all of them where they are no more than the limit.
std::vector<Wide> draw_places(Wide total, std::size_t limit, std::mt19937_64& random) {
    std::vector<Wide> places;
    if (total <= limit) {
        for (Wide place = 0; place < total; ++place) places.push_back(place);
        return places;
    }
    for (std::size_t i = 0; i < limit; ++i) places.push_back(wide_below(random, total));
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

// Lowers the limit so that the texts of the moves fit into what a list may hold.
std::size_t limit_by_size(const Game& game, std::size_t limit) {
    return std::min(limit, std::max<std::size_t>(kMaxListUnits / longest_heap(game), 1));
}

}  // namespace

std::size_t longest_heap(const Game& game) {
    std::size_t longest = 1;
    for (const auto& component : game.position().components) {
        for (const Heap& heap : component.heaps) longest = std::max(longest, text_units(heap));
    }
    return longest;
}

std::vector<Move> sample_moves(const Game& game, std::size_t limit, std::mt19937_64& random,
                               const Budget& budget) {
    limit = limit_by_size(game, limit);
    const auto up_to = counts_up_to(game, budget);
    if (up_to.empty() || up_to.back() == 0) return first_found(game, limit);
    MoveList list;
    ListFiller filler(list, limit);  // a vertex may lead to one of a longer name
    const auto places = draw_places(up_to.back(), limit, random);
    auto place = places.begin();
    std::size_t component = 0;
    std::size_t first = 0;  // heap of the component, from 0
    while (place != places.end() && !list.cut) {
        const auto found = std::upper_bound(up_to.begin(), up_to.end(), *place);
        const auto number = static_cast<std::size_t>(found - up_to.begin());
        const auto& components = game.position().components;
        for (; number - first >= components[component].heaps.size(); ++component) {
            first += components[component].heaps.size();
        }
        const Wide passed = number == 0 ? 0 : up_to[number - 1];
        const Heap& heap = components[component].heaps[number - first];
        // They may have to be listed again.
        const auto followers = find_followers(*game.ruleset(component), heap, budget);
        for (; place != places.end() && *place < *found && !list.cut; ++place) {
            if (!followers) continue;
            filler.add(Move{number + 1, followers->at(static_cast<Count>(*place - passed))});
        }
    }
    if (list.moves.empty()) return first_found(game, limit);
    return std::move(list.moves);
}

}  // namespace engine

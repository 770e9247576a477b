#include "engine/rules/moves.hpp"

#include <algorithm>
#include <iterator>

namespace engine {

std::size_t text_units(const Heap& heap) {
    if (const auto* tuple = std::get_if<Tuple>(&heap)) return 1 + tuple->entries.size();
    if (const auto* ordinal = std::get_if<Ordinal>(&heap)) return 1 + ordinal->terms.size();
    if (const auto* vertex = std::get_if<Vertex>(&heap)) return 1 + vertex->name.size() / 2;
    return 1;
}

std::size_t text_units(const Move& move) {
    std::size_t units = 1;
    for (const Heap& heap : move.result) units += text_units(heap);
    return units;
}

bool MoveList::add(Move move, std::size_t limit) {
    units += text_units(move);
    cut = moves.size() == limit || units > kMaxListUnits;
    if (!cut) moves.push_back(std::move(move));
    return !cut;
}

std::vector<Heap> reduced(const Ruleset& rules, std::span<const Heap> heaps,
                          Convention convention) {
    std::vector<Heap> all;
    for (const Heap& heap : heaps) {
        if (auto parts = rules.reduced(heap, convention)) {
            std::ranges::move(*parts, std::back_inserter(all));
        } else {
            all.push_back(heap);
        }
    }
    return all;
}

std::optional<ListedFollowers> find_followers(const Ruleset& rules, const Heap& heap,
                                              const Budget& budget) {
    Reservation memory;
    auto followers = rules.followers(
        heap, [&](std::size_t bytes) { return budget.is_spent() || !memory.cover(bytes, 0); });
    if (!followers) return std::nullopt;
    return ListedFollowers{*std::move(followers), std::move(memory)};
}

bool visit_moves(const Game& game, const Budget& budget,
                 const std::function<bool(const Move&)>& visit) {
    constexpr std::size_t kPollEvery = 64;
    BudgetPoll poll(budget, kPollEvery);
    return game.visit_heaps([&](std::size_t number, const Ruleset& rules, const Heap& heap) {
        const auto followers = find_followers(rules, heap, budget);
        if (!followers) return false;
        const std::size_t units = text_units(heap);
        for (Count i = 0; i < followers->count; ++i) {
            if (poll.is_spent(units) || !visit({number, followers->at(i)})) return false;
        }
        return true;
    });
}

std::optional<Count> count_moves(const Game& game, const Budget& budget) {
    Count total = 0;
    const bool counted =
        game.visit_heaps([&](std::size_t, const Ruleset& rules, const Heap& heap) {
            const auto followers = find_followers(rules, heap, budget);
            if (followers) total = saturating_sum(total, followers->count);
            return followers.has_value();
        });
    return counted ? std::optional(total) : std::nullopt;
}

}  // namespace engine

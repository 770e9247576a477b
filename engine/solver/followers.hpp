// The followers of a heap, listed within the time and the memory there is.
#pragma once

#include "engine/rules/ruleset.hpp"
#include "engine/solver/budget.hpp"
#include "engine/solver/memory.hpp"

namespace engine {

struct ListedFollowers : Followers {
    Reservation memory;
};

// nullopt: not within the budget or the memory.
inline std::optional<ListedFollowers> find_followers(const Ruleset& rules, const Heap& heap,
                                                     const Budget& budget) {
    Reservation memory;
    auto followers = rules.followers(heap, [&](std::size_t bytes) {
        return budget.is_spent() || (bytes > memory.bytes() && !memory.resize(bytes));
    });
    if (!followers) return std::nullopt;
    return ListedFollowers{*std::move(followers), std::move(memory)};
}

}  // namespace engine

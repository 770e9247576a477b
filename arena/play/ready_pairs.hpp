// Pairs of games that are ready, in the order of the schedule, and the players that are busy:
// some have a limit of concurrent instances.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "arena/record/store.hpp"

namespace arena {

// Finding the next pair with free players takes logarithmic time. When a player becomes busy or
// free, only its ready pairs are examined. So there may be thousands of both.
class ReadyPairs {
  public:
    // `instances`: the limit of concurrent instances of each player; 0: none.
    explicit ReadyPairs(std::function<int(int player)> instances)
        : instances_(std::move(instances)) {}

    std::size_t size() const { return pairs_.size(); }
    bool empty() const { return pairs_.empty(); }
    bool is_bounded(int player) const { return instances_(player) > 0; }

    // Appends to the others.
    void add(std::vector<Claim> claims);
    // The first pair whose players are free and present; marks them as busy.
    std::optional<Claim> take();
    // The first pair whose players are free, one of them absent; marks them as busy.
    std::optional<Claim> take_absent();
    // The first pair with a limited player of `seated`, which are busy and stay so; its other
    // player, if not one of them, is free and is marked as busy.
    std::optional<Claim> take_with(const std::array<int, 2>& seated);
    // Marks a player as free.
    void leave(int player);
    // Players are present until something else is said. For players with a limit.
    void set_present(int player, bool is_present);

    // Removes all; gives what was ready.
    std::vector<Claim> clear();

  private:
    using Place = std::uint64_t;  // in the order
    struct Pair {
        Claim claim;
        int busy = 0;    // players of it who are not free
        int absent = 0;  // and who are not present
    };
    bool is_free(int player) const;
    std::optional<Claim> take_from(const std::set<Place>& places);
    void seat(int player);
    void add_busy(int player, int change);
    void sort(Place place, const Pair& pair);
    Claim remove(Place place);

    std::function<int(int)> instances_;
    Place next_ = 0;
    std::map<Place, Pair> pairs_;
    std::set<Place> free_;         // of pairs whose players are free and present
    std::set<Place> free_absent_;  // of pairs whose players are free, and not all present
    std::set<int> absent_;         // players
    std::unordered_map<int, std::set<Place>> places_;  // by bounded player, of its pairs
    std::unordered_map<int, int> playing_;             // instances, by bounded player
};

}  // namespace arena

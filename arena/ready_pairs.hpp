// Pairs of games that are ready to be played, in the schedule's order, and who plays now: of
// some players only so many at once.
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

#include "arena/store/store.hpp"

namespace arena {

// The next pair whose players are free is found in logarithmic time, and when a player comes
// or goes, the ready pairs with it alone are looked at: so there may be thousands of both.
class ReadyPairs {
  public:
    // `instances`: how many of a player may play at once; 0: any number.
    explicit ReadyPairs(std::function<int(int player)> instances)
        : instances_(std::move(instances)) {}

    std::size_t size() const { return pairs_.size(); }
    bool empty() const { return pairs_.empty(); }
    bool is_bounded(int player) const { return instances_(player) > 0; }

    // Behind the others.
    void add(std::vector<Claim> claims);
    // The first pair whose players are free; they play from here on.
    std::optional<Claim> take();
    // The first pair with a bounded one of `seated`, who play now and go on doing so; its other
    // player, if it is not one of them, is free, and plays from here on.
    std::optional<Claim> take_with(const std::array<int, 2>& seated);
    // One that played plays no more.
    void leave(int player);

    std::vector<std::uint64_t> tokens() const;
    void erase(const std::vector<std::uint64_t>& tokens);
    void clear();

  private:
    using Place = std::uint64_t;  // in the order
    struct Pair {
        Claim claim;
        int busy = 0;  // players of it who are not free
    };
    bool is_free(int player) const;
    void seat(int player);
    void add_busy(int player, int change);
    Claim remove(Place place);

    std::function<int(int)> instances_;
    Place next_ = 0;
    std::map<Place, Pair> pairs_;
    std::set<Place> free_;                             // of pairs whose players are free
    std::unordered_map<int, std::set<Place>> places_;  // by bounded player, of its pairs
    std::unordered_map<int, int> playing_;             // instances, by bounded player
};

}  // namespace arena

// Delivers pairs in the order of the schedule, whatever the order in which games end.
// Statistics and stopping rules need that, because quick games differ from others.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "arena/game/game_key.hpp"

namespace arena {

// Holds games back until their pair and all pairs before it are complete. `Value` is the datum
// kept of a game.
template <typename Value>
class InOrder {
  public:
    struct Pair {
        PairKey key;
        std::array<Value, 2> games;  // by leg
    };

    // Appends the next pair of the schedule. Call it before adding its games.
    void expect(const PairKey& key) {
        schedule_.push_back(key);
        expected_.try_emplace(key);
    }

    // Adds a played game. Unexpected or repeated games are ignored.
    void add(const GameKey& key, Value value) {
        const auto pair = expected_.find(key.pair);
        if (pair == expected_.end()) return;
        auto& game = pair->second[key.leg == 2 ? 1 : 0];
        if (!game) game = std::move(value);
    }

    // The next pair, once it is complete. Call until there is none.
    std::optional<Pair> next() {
        if (schedule_.empty()) return std::nullopt;
        const auto found = expected_.find(schedule_.front());
        auto& [first, second] = found->second;
        if (!first || !second) return std::nullopt;
        Pair pair{found->first, {*std::move(first), *std::move(second)}};
        expected_.erase(found);
        schedule_.pop_front();
        return pair;
    }

  private:
    std::deque<PairKey> schedule_;
    std::map<PairKey, std::array<std::optional<Value>, 2>> expected_;
};

}  // namespace arena

// How often a position has occurred in a game, in time that does not depend on its size.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "protocol/heap.hpp"

namespace engine {

// Heaps never become fewer. So a move that leaves several, like one under a ruleset where play
// cannot come back, ends the time in which a position before it could occur again: all that
// was counted is forgotten. Until the next such move heaps keep their numbers, and a position
// is told by what changed since: the sum of a hash for each heap that did. The 128 bits are
// keyed anew in every process, so that nobody can prepare positions that look alike.
class Repetitions {
  public:
    // Forgets all, and counts the position that now stands.
    void start(int player) { *this = {}, counts_[key_of(player)] = 1; }

    // Heap number `heap` became another, `player` is to move. Says how often that position has
    // now occurred.
    int count(std::size_t heap, const protocol::Heap& before, const protocol::Heap& after,
              int player);
    // Undoes the last count(), which was given the same.
    void discount(std::size_t heap, const protocol::Heap& before, const protocol::Heap& after,
                  int player);

  private:
    struct Key {
        std::uint64_t high = 0;
        std::uint64_t low = 0;
        int player = 1;

        friend bool operator==(const Key&, const Key&) = default;
    };
    struct HashOfKey {
        std::size_t operator()(const Key& key) const { return key.low ^ key.high; }
    };

    Key key_of(int player) const { return {high_, low_, player}; }
    void change(std::size_t heap, const protocol::Heap& before, const protocol::Heap& after);

    std::uint64_t high_ = 0;
    std::uint64_t low_ = 0;
    std::unordered_map<Key, int, HashOfKey> counts_;
};

}  // namespace engine

// Counts the occurrences of a position in a game, in time independent of its size.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "protocol/heap.hpp"

namespace engine {

// The number of heaps never decreases. So a move that splits a heap, like one under a ruleset
// without loops, is irreversible: no earlier position can recur, and all counts are dropped.
// Until the next such move heaps keep their numbers, and the position is identified by its
// changes since: the sum of a hash for each changed heap. The 128 bits have a random key in
// every process, so colliding positions cannot be prepared.
class Repetitions {
  public:
    // Drops all counts, and counts the current position.
    void start(int player) { *this = {}, counts_[key_of(player)] = 1; }

    // Heap number `heap` was replaced and `player` is to move. Returns how often that position
    // has occurred.
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

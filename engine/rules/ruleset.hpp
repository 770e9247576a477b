// What every ruleset answers about one heap. A ruleset is immutable and safe to share by
// threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "protocol/heap.hpp"
#include "protocol/result.hpp"

namespace engine {

using protocol::Heap;
using protocol::Number;
using protocol::Result;

// A number of moves. Saturates at kMany, which also stands for infinitely many.
using Count = std::uint64_t;
inline constexpr Count kMany = std::numeric_limits<Count>::max();

// Asked now and then in the middle of long work, which holds so many bytes by then: is it to be
// given up?
using GiveUp = std::function<bool(std::size_t bytes)>;

// All results of the moves from a heap, numbered.
struct Followers {
    Count count = 0;
    // Number `index` < count; as long as ruleset and heap live.
    std::function<std::vector<Heap>(Count index)> at;
};

class Ruleset {
  public:
    virtual ~Ruleset() = default;

    // Is this a heap of the ruleset's form? The error says what was read and what was expected.
    virtual Result<void> check_heap(const Heap& heap) const = 0;

    // The functions below take heaps that check_heap() accepts. A move may lead to one that it
    // does not, where a rule makes heaps larger; only has_move() and work() answer for these.

    virtual bool has_move(const Heap& heap) const = 0;

    // Can `heap` become `result` (canonical, see protocol/move.hpp) in one move?
    // Decided without listing followers: a heap may hold 2^63-1. Any heaps may stand in
    // `result`.
    virtual bool is_follower(const Heap& heap, std::span<const Heap> result) const = 0;

    // How many different results there are.
    virtual Count follower_count(const Heap& heap) const = 0;

    // Result number `index` < follower_count(heap), canonical, in an order of the ruleset's
    // own; each result has one index. Fast enough to draw one at random from a huge heap.
    virtual std::vector<Heap> follower(const Heap& heap, Count index) const = 0;

    // Both of these where to list all results may take long; nullopt if it was given up.
    virtual std::optional<Followers> followers(const Heap& heap, const GiveUp&) const {
        return Followers{follower_count(heap),
                         [this, &heap](Count index) { return follower(heap, index); }};
    }

    // Some results, one at least of a heap that has a move and `limit` at most, for about what
    // has_move() costs.
    virtual std::vector<std::vector<Heap>> some_followers(const Heap& heap,
                                                          std::size_t limit) const {
        std::vector<std::vector<Heap>> some;
        const Count wanted = std::min<Count>(limit, follower_count(heap));
        for (Count i = 0; i < wanted; ++i) some.push_back(follower(heap, i));
        return some;
    }

    // What has_move() and is_follower() cost at most, in steps of about a quarter of a
    // nanosecond; 0 where that is next to nothing. Saturates at kMany.
    virtual Count work(const Heap&) const { return 0; }

    // Can play come back to an earlier heap? Where not, repetitions need not be counted.
    virtual bool can_repeat() const { return false; }

    // The memory it holds, roughly: what keeping it in a cache costs.
    virtual std::size_t bytes() const { return 256; }
};

}  // namespace engine

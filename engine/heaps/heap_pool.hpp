// The heaps found so far, of any rulesets, each identified by its index, with their moves,
// listed once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/long_array.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/sequence_pool.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {

class HeapPool {
  public:
    using Index = std::uint32_t;
    static constexpr Index kDead = UINT32_MAX;  // any heap without a move

    // A heap with more moves than `most_moves` is beyond playing out: a few of them may win.
    explicit HeapPool(Count most_moves = Count{1} << 18) : most_moves_(most_moves) {}

    // Rulesets are numbered in the order of adding.
    void add_ruleset(std::shared_ptr<const Ruleset> ruleset) {
        rulesets_.push_back({std::move(ruleset), {}, {}});
    }

    // The index of the heap, which is added if it is new; nullopt if memory is short.
    std::optional<Index> intern(std::size_t ruleset, const Heap& heap);
    // nullopt: not here.
    std::optional<Index> find(std::size_t ruleset, const Heap& heap) const;
    // The same for the heaps that it reduces to under any convention; appends those with moves.
    // False: memory is short, or not all of them are here.
    bool intern_parts(std::size_t ruleset, const Heap& heap, std::vector<Index>& live);
    bool find_parts(std::size_t ruleset, const Heap& heap, std::vector<Index>& live) const;
    std::size_t size() const { return entries_.size(); }
    std::size_t bytes() const { return memory_.bytes() + heap_bytes_; }
    // Whether its ruleset accepts the heap.
    bool check_heap(Index heap) const {
        return rulesets_[entries_[heap].ruleset].ruleset->check_heap(heap_at(heap)).has_value();
    }

    // Lists the moves of a heap if necessary; returns false if budget or memory ends.
    bool list_moves(Index heap, const Budget& budget);
    bool is_listed(Index heap) const { return entries_[heap].listing != Listing::None; }
    // There are more moves than could be listed; these are some of them.
    bool is_cut(Index heap) const { return entries_[heap].listing == Listing::Cut; }

    // Of a listed heap: the heaps that a move leaves, ascending, without heaps that have no
    // move. Moves with the same result are one. Valid until the next list_moves().
    std::size_t move_count(Index heap) const { return entries_[heap].move_count; }
    std::span<const Index> result(Index heap, std::size_t move) const {
        const std::uint64_t place = entries_[heap].first_move + move;
        const std::uint64_t end =
            place + 1 < begins_.size() ? begins_[place + 1] : parts_.size();
        return {parts_.data() + begins_[place], end - begins_[place]};
    }

  private:
    enum class Listing : std::uint8_t { None, All, Cut };
    struct Entry {
        SequencePool::Index heap = 0;  // among its ruleset's
        std::uint32_t ruleset = 0;
        Listing listing = Listing::None;
        std::uint32_t move_count = 0;
        std::uint64_t first_move = 0;
    };
    template <typename Look>
    bool append_parts(std::size_t ruleset, const Heap& heap, std::vector<Index>& live,
                      Look look) const;
    enum class Visited { All, Some, Interrupted };
    template <typename Visit>
    Visited visit_results(const Ruleset& rules, const Heap& from, const Budget& budget,
                          Visit visit) const;
    Heap heap_at(Index heap) const;
    struct Rules {
        std::shared_ptr<const Ruleset> ruleset;
        SequencePool heaps;        // as words
        LongArray<Index> indices;  // of each of these; kDead for heaps without a move
    };

    Count most_moves_;
    Reservation memory_;
    std::vector<Rules> rulesets_;
    std::size_t heap_bytes_ = 0;  // of the heaps of all rulesets
    LongArray<Entry> entries_;
    LongArray<std::uint64_t> begins_;  // of the results in `parts_`
    LongArray<Index> parts_;
};

}  // namespace engine

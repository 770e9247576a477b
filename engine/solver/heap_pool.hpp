// The heaps that were met, of any rulesets, each known by its index; and their moves, listed
// once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/rules/ruleset.hpp"
#include "engine/solver/budget.hpp"
#include "engine/solver/long_array.hpp"
#include "engine/solver/memory.hpp"
#include "engine/solver/sequence_pool.hpp"

namespace engine {

class HeapPool {
  public:
    using Index = std::uint32_t;
    static constexpr Index kDead = UINT32_MAX;  // any heap without a move

    // Rulesets are known by the order in which they are added.
    void add_ruleset(std::shared_ptr<const Ruleset> ruleset);

    // The index of the heap, which joins if it is new; nullopt where memory is short.
    std::optional<Index> intern(std::size_t ruleset, const Heap& heap);
    // nullopt: not here.
    std::optional<Index> find(std::size_t ruleset, const Heap& heap) const;
    std::size_t size() const { return entries_.size(); }

    // Lists the moves of a heap, if that has not been done; false where budget or memory ends.
    bool list_moves(Index heap, const Budget& budget);
    bool is_listed(Index heap) const { return entries_[heap].listing != Listing::None; }
    // There are more moves than could be listed: those here are some of them.
    bool is_cut(Index heap) const { return entries_[heap].listing == Listing::Cut; }

    // Of a listed heap. What a move leaves, heaps without a move left out, in ascending order;
    // moves that leave the same are one. Good until the next list_moves().
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
    enum class Visited { All, Some, Interrupted };
    template <typename Visit>
    static Visited visit_results(const Ruleset& rules, const Heap& from, const Budget& budget,
                                 Visit visit);
    struct Rules {
        std::shared_ptr<const Ruleset> ruleset;
        SequencePool heaps;        // as words
        LongArray<Index> indices;  // of each of these; kDead for heaps without a move
    };

    Reservation memory_;
    std::vector<Rules> rulesets_;
    LongArray<Entry> entries_;
    LongArray<std::uint64_t> begins_;  // of the results in `parts_`
    LongArray<Index> parts_;
};

}  // namespace engine

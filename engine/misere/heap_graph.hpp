// The reachable heaps of any rulesets, each with its moves.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine::misere {

// Heaps are numbered so that every move leads to smaller numbers. All heaps without moves are
// number 0 and are left out of the results of moves.
class HeapGraph {
  public:
    using Index = std::uint32_t;
    static constexpr Index kDead = 0;

    // Why a heap could not be added: no time, a heap that the ruleset refuses, too many moves
    // of one heap, too long a play, or no memory.
    enum class Shortage { Time, Heap, Moves, Depth, Memory };
    static constexpr Count kMaxMoves = 1'000'000;      // of one heap
    static constexpr std::size_t kMaxDepth = 100'000;  // of play from one heap

    // A ruleset is known by its text.
    std::size_t ruleset_index(const std::string& text);

    // Adds the heap and all that play can come to from it. The ruleset, that of the index, must
    // not lead back to earlier heaps. nullopt: too many heaps or moves, the memory or the
    // budget ended; what was added until then stays.
    std::optional<Index> add(std::size_t ruleset, const Ruleset& rules, const Heap& heap,
                             const Budget& budget);
    // Why the last add() that failed gave up.
    Shortage shortage() const { return shortage_; }
    std::optional<Index> find(std::size_t ruleset, const Heap& heap) const;

    std::size_t size() const { return moves_.size(); }
    std::size_t bytes() const { return reservation_.bytes(); }
    // The reduced heaps each move leaves, ascending; no two moves are the same.
    std::span<const std::vector<Index>> moves(Index heap) const { return moves_[heap]; }

  private:
    class Addition;
    using Key = std::pair<std::size_t, Heap>;

    bool reserve(std::size_t more);

    std::map<std::string, std::size_t> rulesets_;
    std::map<Key, Index> numbers_;
    std::vector<std::vector<std::vector<Index>>> moves_{{}};
    std::size_t bytes_ = 0;
    Reservation reservation_;
    Shortage shortage_ = Shortage::Memory;
};

}  // namespace engine::misere

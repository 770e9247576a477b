// The reachable heaps of any rulesets, each with its moves.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/heaps/heap_pool.hpp"

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

    // A ruleset is known by its text. It must not lead back to earlier heaps.
    std::size_t ruleset_index(const std::string& text,
                              const std::shared_ptr<const Ruleset>& rules);

    // Adds the heap and all that play can come to from it. nullopt: too many heaps or moves,
    // the memory or the budget ended; what was added until then stays.
    std::optional<Index> add(std::size_t ruleset, const Heap& heap, const Budget& budget);
    // Why the last add() that failed gave up.
    Shortage shortage() const { return shortage_; }
    std::optional<Index> find(std::size_t ruleset, const Heap& heap) const;

    std::size_t size() const { return heaps_.size(); }
    std::size_t bytes() const {
        return pool_.bytes() + rules_memory_.bytes() + memory_.bytes();
    }
    // The reduced heaps each move leaves, in any order; no two moves are the same.
    auto moves(Index heap) const {
        const auto number = [this](HeapPool::Index part) { return numbers_[part]; };
        const auto result = [this, number, of = heaps_[heap]](std::size_t move) {
            return pool_.result(of, move) | std::views::transform(number);
        };
        const std::size_t count = heap == kDead ? 0 : pool_.move_count(heaps_[heap]);
        return std::views::iota(std::size_t{0}, count) | std::views::transform(result);
    }

  private:
    // A heap on the way from the one that is added, and the part of a move to look at next.
    struct Open {
        HeapPool::Index heap = 0;
        std::size_t move = 0;
        std::size_t part = 0;
    };

    // The rest of the memory is for forms and quotients of the heaps.
    bool is_full() const { return bytes() > Memory::limit() / 2; }
    bool add_all(HeapPool::Index root, const Budget& budget);
    bool open(HeapPool::Index heap, std::vector<Open>& way, const Budget& budget);
    std::optional<HeapPool::Index> next_part(Open& open) const;
    bool fail(Shortage why, const Budget& budget);

    std::map<std::string, std::size_t> rulesets_;
    HeapPool pool_{kMaxMoves};
    Reservation rules_memory_;  // the rulesets
    Reservation memory_;
    std::vector<Index> numbers_;  // by index in the pool; kDead: none yet
    std::vector<HeapPool::Index> heaps_{HeapPool::kDead};  // by number
    Shortage shortage_ = Shortage::Memory;
};

}  // namespace engine::misere

// The traits of positions and moves in which patterns.hpp finds patterns.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "arena/check/patterns.hpp"
#include "engine/rules/game.hpp"
#include "engine/sums/analyst.hpp"

namespace arena {

// The stones of a heap: a number, the sum of a tuple, the free cells of a board.
std::uint64_t stones_of(const protocol::Heap& heap);
std::uint64_t stones_of(const protocol::Position& position);

// The properties of a position on which traits are based. Heaps without a move do not count.
struct PositionFacts {
    // `right_moves`: those that win, or hold the draw; none for a lost position.
    PositionFacts(const engine::Game& game, std::vector<engine::Move> right_moves);

    struct HeapFacts {
        std::size_t number = 0;  // in the position, from 1
        std::uint64_t stones = 0;
    };
    std::vector<HeapFacts> heaps;
    bool has_empty = false;  // heaps of 0
    bool begins_empty = false;
    bool has_equal = false;  // heaps
    bool all_equal = false;
    bool is_misere = false;
    std::set<std::string> rulesets;
    std::uint64_t stones = 0;
    std::uint64_t largest = 0;
    std::vector<engine::Move> right;
    std::vector<std::uint64_t> taken;  // by the right moves
    bool right_clears = false;         // a right move takes a whole heap
};

// The traits that distinguish positions of a set: those that hold in all or none are left out.
class PositionTraits {
  public:
    // Adds a position to the set.
    void widen(const PositionFacts& facts);
    // Chooses the traits, after all positions have been added; those of right moves last.
    void finish(bool has_right_moves = true);

    const std::vector<Trait>& words() const { return words_; }
    std::uint64_t of(const PositionFacts& facts) const;

  private:
    using Test = std::function<bool(const PositionFacts&)>;
    void add(std::string holds, std::string fails, Test test);
    void add_kinds();
    void add_counts();
    void add_sizes();
    void add_right_moves();

    std::set<std::size_t> heap_counts_;
    std::uint64_t largest_ = 0;
    bool has_misere_ = false;
    bool has_normal_ = false;
    std::set<std::string> rulesets_;
    std::vector<Trait> words_;
    std::vector<Test> tests_;
};

// The traits of a move: "takes from the largest heap".
const std::vector<std::string>& move_trait_words();
// A mistake in the position; nullopt if there are too many legal moves to compare with.
std::optional<MoveCase> describe_mistake(const engine::Game& game, const PositionFacts& facts,
                                         const engine::Move& move,
                                         const engine::Analyst& analyst,
                                         const engine::Budget& budget);

}  // namespace arena

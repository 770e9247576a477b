// The moves of a heap and of a game, listed within the time and the memory there is.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/rules/game.hpp"

namespace engine {

// The size of a heap or a move, in units of at least two bytes of its text: a long tuple or
// ordinal counts by its entries or terms.
std::size_t text_units(const Heap& heap);
std::size_t text_units(const Move& move);

// About what fits a line: no list of moves holds more, however few they are.
inline constexpr std::size_t kMaxListUnits = 1 << 19;

struct MoveList {
    std::vector<Move> moves;
    bool cut = false;       // there are more than the limit that was given
    std::size_t units = 0;  // of what was added

    // False if there is no room for it within the limit: then the list is cut.
    bool add(Move move, std::size_t limit);
};

// Each heap replaced by what it reduces to.
std::vector<Heap> reduced(const Ruleset& rules, std::span<const Heap> heaps,
                          Convention convention);

struct ListedFollowers : Followers {
    Reservation memory;
};

// The followers of one heap; nullopt: the budget or the memory ended.
std::optional<ListedFollowers> find_followers(const Ruleset& rules, const Heap& heap,
                                              const Budget& budget);

// Calls `visit` for each legal move, heap by heap, until it returns false or the budget ends.
// Says whether all were visited.
bool visit_moves(const Game& game, const Budget& budget,
                 const std::function<bool(const Move&)>& visit);

// How many legal moves there are, saturating; nullopt where the budget ends.
std::optional<Count> count_moves(const Game& game, const Budget& budget);

}  // namespace engine

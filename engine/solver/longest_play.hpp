// Losing slowly: how much shorter than before the longest play is after a move.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>

#include "engine/solver/heaps.hpp"

namespace engine {

// The difference of two lengths, by the exponents of w in their natural (Hessenberg) sums: as
// the longest play of a sum is the natural sum of its heaps' longest plays, the loss in one
// heap is the loss in the sum.
using Loss = std::map<Number, std::int64_t, std::greater<>>;

bool is_less(const Loss& left, const Loss& right);

// Of a legal move. nullopt: not known, or play can last for ever.
std::optional<Loss> loss_of(const Heaps& heaps, const Move& move, const Budget& budget);

// A move with the least loss there is among the heaps whose longest play is known; one of those
// drawn at random. nullopt where none is known.
std::optional<Move> longest_move(const Heaps& heaps, std::mt19937_64& random,
                                 const Budget& budget);

}  // namespace engine

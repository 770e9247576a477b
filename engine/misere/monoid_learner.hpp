// The misere quotient of finitely many heaps whose moves lead to sums of one another.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/misere/monoid.hpp"

namespace engine::misere {

// A heap, by the words its moves leave. Generator number i stands for it; the words use only
// generators before it. It has a move.
using WordMoves = std::vector<Word>;

// What ended a search: the order, the budget, the memory.
enum class Shortage { Order, Time, Memory };

// The misere quotient of these heaps: two words are one element if in every sum with a third
// the same player wins. `smaller` is the quotient of all heaps but the last. nullopt: not
// found, and `shortage` says why; so it ends for infinite quotients.
std::optional<Monoid> extend_quotient(const Monoid& smaller, std::span<const WordMoves> heaps,
                                      std::size_t max_order, const Budget& budget,
                                      Shortage& shortage);

}  // namespace engine::misere

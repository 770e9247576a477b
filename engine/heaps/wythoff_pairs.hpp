// Who wins Wythoff's game, by its formula (Wythoff 1907).
#pragma once

#include "protocol/heap.hpp"

namespace engine {

// The player to move loses where the smaller heap is A_k = floor(k * phi) and the larger one
// A_k + k, phi = (1 + sqrt 5) / 2. Each number is in one such pair, and each k the difference
// of one. All in exact integers and O(1).

// floor(x / phi), for x up to 2^63.
protocol::Number floor_over_phi(protocol::Number x);

// The other heap of the lost pair that has a heap of n <= 2^63-1; it can be above 2^63.
protocol::Number wythoff_partner(protocol::Number n);

// A_k, the smaller heap of the lost pair of difference k <= 2^63-1; it can be above 2^63.
protocol::Number wythoff_smaller(protocol::Number k);

}  // namespace engine

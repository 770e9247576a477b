// What a domino of Cram leaves.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/rules/board.hpp"
#include "protocol/heap.hpp"

namespace engine {

// The regions that are left once a domino lies on two free neighbours; the board "x" if none
// has a move.
std::vector<protocol::Heap> after_domino(Board board, std::size_t cell, std::size_t next);

}  // namespace engine

// Puzzles: positions in which few moves win, drawn at random.
#pragma once

#include "arena/web/questions.hpp"

namespace arena::web {

// The answer to /api/puzzle: {"position", "moves", "winning"}, see arena/doc/web.md.
Answered ask_puzzle(const Asked& asked);

}  // namespace arena::web

// The text of a question: `position …` and `go …`, as one message.
#pragma once

#include <string>

#include "arena/player.hpp"

namespace arena {

// Writes both lines into `message`, LF included. `with_history`: the moves so far are told,
// else the position as it stands, in which player 1 is to move. `with_legal_moves`: every legal
// move follows `searchmoves`, as many as fit.
void write_question(std::string& message, const Question& question, bool with_history,
                    bool with_legal_moves);

}  // namespace arena

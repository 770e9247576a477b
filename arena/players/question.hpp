// The text of a question: `position …` and `go …`, as one message.
#pragma once

#include <string>
#include <string_view>

#include "arena/players/player.hpp"
#include "engine/rules/game.hpp"

namespace arena {

// Writes both lines into `message`, LF included. `with_history`: includes the moves so far;
// else sends the current position, in which player 1 is to move. `with_legal_moves`: appends
// the legal moves after `searchmoves`, as many as fit.
void write_question(std::string& message, const Question& question, bool with_history,
                    bool with_legal_moves);

// Writes " searchmoves" and every legal move after it, as many as fit into the line that
// begins at `line_begin`; nothing where no move is left.
void append_search_moves(std::string& message, const engine::Game& game,
                         std::size_t line_begin);

// Appends move number `ply` (from 1) to "position fen POSITION moves M …". A history that does
// not fit a line is dropped: it is empty from then on.
void extend_history(std::string& history, std::size_t ply, std::string_view move);

}  // namespace arena

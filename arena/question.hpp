// The text of a question: `position …` and `go …`, as one message.
#pragma once

#include <string>
#include <string_view>

#include "arena/player.hpp"
#include "engine/rules/game.hpp"

namespace arena {

// Writes both lines into `message`, LF included. `with_history`: the moves so far are told,
// else the position as it stands, in which player 1 is to move. `with_legal_moves`: every legal
// move follows `searchmoves`, as many as fit.
void write_question(std::string& message, const Question& question, bool with_history,
                    bool with_legal_moves);

// Writes " searchmoves" and every legal move behind it, as many as fit into the line that
// begins at `line_begin`.
void append_search_moves(std::string& message, const engine::Game& game,
                         std::size_t line_begin);

// Adds the how many'th move `ply`, from 1, to "position fen POSITION moves M …". A history that
// does not fit a line is not told any more: it is empty from then on.
void extend_history(std::string& history, std::size_t ply, std::string_view move);

}  // namespace arena

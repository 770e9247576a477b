// A game as PGN (Portable Game Notation, Edwards 1994), so that programs which rate chess
// players read who won. The moves, which are not those of chess, are written in one comment.
#pragma once

#include <span>
#include <string>

#include "arena/game/game_record.hpp"

namespace arena {

// Tags, the comment and the result, in lines of 79 bytes at most where words allow it, with a
// blank line at its end. `names` go by player number; those and `event` are fit to be shown.
std::string pgn(const GameRecord& record, std::span<const std::string> names,
                const std::string& event);

}  // namespace arena

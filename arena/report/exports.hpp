// Games and tables for other programs: PGN, and comma separated values (RFC 4180).
#pragma once

#include <span>
#include <string>

#include "arena/contest/results.hpp"
#include "arena/game/game_record.hpp"

namespace arena {

// A game as PGN (Portable Game Notation, Edwards 1994), so that programs which rate chess
// players read who won. The moves, which are not those of chess, are written in one comment.
//
// Tags, the comment and the result, in lines of 79 bytes at most where words allow it, with a
// blank line at its end. `names`: by player number; they and `event` are printable.
std::string pgn(const GameRecord& record, std::span<const std::string> names,
                const std::string& event);

// One line, its end (CRLF) included. Cells with commas, quotes or line ends are quoted. What a
// spreadsheet would take for a formula (it begins with = + - @, a tab or a carriage return)
// is preceded by an apostrophe, which makes it text there.
std::string csv_line(std::span<const std::string> cells);

// The points that each player made against each other: "player,points,games,byes,Ann,Bob,…", a
// line a player, in the order in which they joined; empty where two have not met. A draw is
// half a point; void games count nothing, and points by byes stand in a column of their own.
std::string cross_table(const Results& results, std::span<const std::string> names);

// The points of each player from each start:
// "player,ruleset,position,games,won,drawn,lost,points", a line for each player and position at
// which it played. The ruleset has the convention with it: "nim misere".
std::string start_table(const StartTally& tally, std::span<const std::string> names);

// For a gradebook: a line for each player; arena/doc/record.md describes the columns. Unknown
// values are empty.
std::string grade_table(const Results& results, std::span<const std::string> names);

}  // namespace arena

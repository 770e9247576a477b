// The JSON line of a game, written when the game ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arena/game/game_record.hpp"

namespace arena {

// The object that arena/doc/record.md describes, without the line end. `names` by player
// number; `seed` is that of the match or tournament. A game is named by its number in a match
// if that is known, unless ByKey.
enum class NamedGame { ByNumber, ByKey };
std::string json_line(const GameRecord& record, const std::vector<std::string>& names,
                      std::uint64_t seed, NamedGame named = NamedGame::ByNumber);

// The line that stands for this many games, which a reader was too slow for.
std::string left_out_line(std::uint64_t games);

}  // namespace arena

// `nim-arena show`: a game of a record, for people.
#pragma once

#include <string>
#include <vector>

#include "arena/base/option_table.hpp"
#include "arena/game/game_key.hpp"
#include "arena/record/store.hpp"

namespace arena {

struct ShowOptions {
    std::vector<std::string> words;  // the record's file and the game
    KeyPrefix game;
};
Parsed<ShowOptions> parse_show_options(const Words& words);

// The game move by move. `names` go by player number.
std::string show_text(const StoredGame& game, const std::vector<std::string>& names);

}  // namespace arena

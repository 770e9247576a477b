// `nim-arena games`: the games of a record, a line each.
#pragma once

#include <string>

#include "arena/base/option_table.hpp"

namespace arena {

struct GamesOptions {
    std::string record;  // a file
    std::string player;  // a number or a name; empty: all players
    bool faults = false;
    bool thrown = false;
};
Parsed<GamesOptions> parse_games_options(const Words& words);

}  // namespace arena

// Players of a tournament that are folders or archives: `--player 'dir=submissions/*'` without a
// command. Each bot is found in its folder, and built before the first game.
#pragma once

#include <string>
#include <string_view>

#include "arena/base/option_table.hpp"
#include "arena/play/tournament_options.hpp"
#include "arena/process/guardian.hpp"

namespace arena {

// The keys of a player, with the command kFoundLater where they have a folder and no command.
std::string with_command(std::string keys);

// The rows that say how bots are built, and where.
OptionTable<TournamentOptions> builds_table();

// Finds and builds them, as many at once as there are cores, and puts their commands into the
// players. Gives an exit status: 0, or that of a failure, which has been told. With
// --keep-going a bot that cannot be built becomes one that does not start. `command`: the word
// for messages, "tournament".
int build_found_bots(TournamentOptions& options, const Guardian& guardian,
                     std::string_view command);

}  // namespace arena

// The options that match, tournament, serve and web share: players, positions, clocks, safety.
#pragma once

#include <string_view>

#include "arena/base/option_table.hpp"
#include "arena/players/play_options.hpp"

namespace arena {

OptionTable<PlayOptions> play_table();

// Takes a player that was given by itself, and not by --player.
protocol::Result<void> take_player(PlayOptions& options, const std::string& text);

// Checks the options on where processes run, and gives a confined one a clean environment.
protocol::Result<void> finish_safety(PlayOptions& options, const Given& given);

// Checks the options together: names that differ, positions that the rules know.
protocol::Result<void> finish_play_options(PlayOptions& options, const Given& given);

// The help of commands on players, except people, and on the keys of --player.
extern const std::string_view kPlayerKinds;
extern const std::string_view kPlayerKeys;

}  // namespace arena

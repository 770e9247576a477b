// The options that match, tournament, serve, web and certify share: players, positions, clocks,
// safety.
#pragma once

#include <string>
#include <string_view>

#include "arena/base/option_table.hpp"
#include "arena/players/play_options.hpp"

namespace arena {

OptionTable play_table(PlayOptions& options);
// A row of it, for the help of a command that has it in this group; `help`, if not empty,
// replaces its own.
Option shared_row(PlayOptions& options, const char* group, std::string_view option,
                  std::string help = {});

// The error for a player that is a directory (it names the bot in it, if there is one), keys
// without --player, or a path that its blanks split into several words. nullopt: `text` is none
// of these, or a program in PATH has this name.
std::optional<protocol::Error> refuse_path(const std::string& text);

// The players of --player. An error also for a path whose blanks make several words of it.
protocol::Result<std::vector<PlayerSpec>> read_players(const std::string& keys);

// Whether a record has only a digest of its positions, because there are many.
bool is_digest_of_positions(std::string_view recorded);

// Adds a player that was given without --player.
protocol::Result<void> take_player(PlayOptions& options, const std::string& text);

// Checks the options of the sandbox; a sandbox and --untrusted imply a clean environment.
protocol::Result<void> finish_safety(PlayOptions& options, const Given& given);

// Checks the options together, makes names distinct, and reads the positions.
protocol::Result<void> finish_play_options(PlayOptions& options, const Given& given);

// Help texts: --insecure, the kinds of players without people, and the keys of --player.
inline constexpr char kInsecureHelp[] =
    "listen beyond this machine without TLS; at listen:// the first bot to dial in plays";
extern const std::string_view kPlayerKinds;
extern const std::string_view kPlayerKeys;

}  // namespace arena

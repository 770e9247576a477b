// The command line of `nim-arena tournament`, which match and serve build upon, its file, and
// its players that are folders.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/base/option_table.hpp"
#include "arena/play/run.hpp"
#include "arena/play/tournament_options.hpp"
#include "arena/process/guardian.hpp"

namespace arena {

// Sets `options`. A file of options may come first; options override it. `seed` is taken where
// none is given.
CommandLine tournament_line(TournamentOptions& options, std::uint64_t seed);
OptionTable tournament_table(TournamentOptions& options);
Parsed<TournamentOptions> parse_tournament_options(const Words& words, std::uint64_t seed);

// The options of a contest with a record: tests that stop it, the record, and its suite.
OptionTable contest_table(TournamentOptions& options);
OptionTable output_table(TournamentOptions& options);

// Reads --suite and completes the configuration, after all options are set.
protocol::Result<void> finish_contest(TournamentOptions& options, const Given& given);

// For --report.
extern const ReportWriter kReportWriter;

// ---- a tournament's file: TOML, whose keys are the options (tournament_file.cpp) ----

// `key = value` becomes --key value: numbers and strings unchanged, true for a switch, a list
// for an option that repeats. Each [[player]] becomes a --player with its keys; its options and
// environment are tables. Errors name line and column; an unknown key gets a suggestion.
protocol::Result<std::vector<Argument>> read_tournament_file(
    std::string_view text, const std::string& path, std::span<const OptionText> options);

// ---- folders and archives as players, `--player 'dir=submissions/*'` without a command: each
// bot is found in its folder, and built before the first game (found_bots.cpp) ----

// The keys of a player, with the command kFoundLater where they have a folder and no command.
std::string with_command(std::string keys);

// The rows that say how bots are built, and where.
OptionTable builds_table(TournamentOptions& options);

// Finds and builds them, as many at once as there are cores, and puts their commands into the
// players. Gives an exit status: 0, or that of a failure, which has been told. With
// --keep-going a bot that cannot be built becomes one that does not start. `command`: the word
// for messages, "tournament".
int build_found_bots(TournamentOptions& options, const Guardian& guardian,
                     std::string_view command);

}  // namespace arena

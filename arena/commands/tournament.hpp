// The command line of `nim-arena tournament`, which match and serve build upon.
#pragma once

#include <cstdint>

#include "arena/base/option_table.hpp"
#include "arena/play/run.hpp"
#include "arena/play/tournament_options.hpp"

namespace arena {

// A file of options may come first; options override it. `seed` is taken where none is given.
CommandLine<TournamentOptions> tournament_line(std::uint64_t seed);
Parsed<TournamentOptions> parse_tournament_options(const Words& words, std::uint64_t seed);

// The options of a contest with a record: tests that stop it, the record, and its suite.
OptionTable<TournamentOptions> contest_table();
OptionTable<TournamentOptions> output_table();

// Reads --suite and completes the configuration, after all options are set.
protocol::Result<void> finish_contest(TournamentOptions& options, const Given& given);

// For --report.
extern const ReportWriter kReportWriter;

}  // namespace arena

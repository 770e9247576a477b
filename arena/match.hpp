// A match: all its games played by workers, recorded, and reported.
#pragma once

#include "arena/guardian.hpp"
#include "arena/match_options.hpp"

namespace arena {

// Plays what the options say and gives the exit status (exit_codes.hpp). While games are
// played, a signal that interrupts drops those in progress.
int run_match(const MatchOptions& options, const Guardian& guardian);

}  // namespace arena

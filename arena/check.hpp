// `nim-arena check`: the first thing that the author of a bot runs.
#pragma once

#include "arena/check_options.hpp"
#include "arena/guardian.hpp"

namespace arena {

// Talks to the bot, tells what was found and gives the exit status (exit_codes.hpp).
int run_check(const CheckOptions& options, const Guardian& guardian);

}  // namespace arena

// The command line of `nim-arena match`.
#pragma once

#include <cstdint>

#include "arena/base/option_table.hpp"
#include "arena/play/tournament_options.hpp"

namespace arena {

// Reads the files that are named. `seed` is taken where none is given.
Parsed<TournamentOptions> parse_match_options(const Words& words, std::uint64_t seed);

}  // namespace arena

// The command line of `nim-arena check`.
#pragma once

#include <cstdint>

#include "arena/base/option_table.hpp"
#include "arena/check/check.hpp"

namespace arena {

// `seed` is taken where none is given.
Parsed<CheckOptions> parse_check_options(const Words& words, std::uint64_t seed);

}  // namespace arena

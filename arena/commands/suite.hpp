// `nim-arena suite`: prints the positions of a suite.
#pragma once

#include <cstdint>
#include <string>

#include "arena/base/option_table.hpp"
#include "arena/game/suite.hpp"

namespace arena {

struct SuiteOptions {
    Suite suite;
    std::uint64_t count = 10;
    std::uint64_t seed = 0;
    std::string rulesets;  // a file, or empty
};

// `seed` is taken where none is given.
Parsed<SuiteOptions> parse_suite_options(const Words& words, std::uint64_t seed);

}  // namespace arena

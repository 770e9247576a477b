// Everything that `nim-arena suite` was asked to do, checked, with defaults filled in.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "arena/command_line.hpp"
#include "arena/suite.hpp"

namespace arena {

struct SuiteOptions {
    Suite suite;
    std::uint64_t count = 10;
    std::uint64_t seed = 0;
};

using SuiteCommand = std::variant<SuiteOptions, HelpText, UsageError>;

// `arguments`: what stands behind `nim-arena suite`. `seed` is taken where none is given.
SuiteCommand parse_suite_options(const std::vector<std::string>& arguments, std::uint64_t seed);

}  // namespace arena

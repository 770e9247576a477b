// Everything that `nim-arena match` was asked to do, checked, with defaults filled in.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "arena/play_options.hpp"

namespace arena {

struct MatchOptions : PlayOptions {
    std::uint64_t games = 0;  // total, even
    std::string jsonl;        // a file, "-", or empty
};

using MatchCommand = std::variant<MatchOptions, HelpText, UsageError>;

// `arguments`: what stands behind `nim-arena match`. Reads the files that are named. `seed` is
// taken where none is given.
MatchCommand parse_match_options(const std::vector<std::string>& arguments, std::uint64_t seed);

}  // namespace arena

// A tournament's file: TOML, whose keys are the options of the command line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/base/command_line.hpp"
#include "protocol/result.hpp"

namespace arena {

// `key = value` becomes --key value: numbers and strings unchanged, true for a switch, a list
// for an option that repeats. Each [[player]] becomes a --player with its keys; its options and
// environment are tables. Errors name line and column; an unknown key gets a suggestion.
protocol::Result<std::vector<Argument>> read_tournament_file(
    std::string_view text, const std::string& path, std::span<const OptionText> options);

}  // namespace arena

// The command line of `nim-arena replay`, checked.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arena/command_line.hpp"
#include "arena/store/game_key.hpp"

namespace arena {

struct ReplayOptions {
    std::string record;  // a file
    GameKey game;
    std::optional<int> seat;           // 0 or 1; both where none is given
    std::vector<std::string> command;  // in place of the recorded player; empty: that one
    bool timeouts = true;
    bool insecure = false;  // listens beyond loopback
    std::string log;  // a file, or empty
};
using ReplayCommand = std::variant<ReplayOptions, HelpText, UsageError>;

ReplayCommand parse_replay_options(const std::vector<std::string>& arguments);

}  // namespace arena

// `nim-arena replay`: a recorded game's questions, put to its players again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arena/base/option_table.hpp"
#include "arena/game/game_key.hpp"

namespace arena {

struct ReplayOptions {
    std::string record;  // a file
    KeyPrefix game;
    std::optional<int> seat;           // 0 or 1; both where none is given
    std::vector<std::string> command;  // in place of the recorded player; empty: that one
    bool timeouts = true;
    bool insecure = false;  // listens beyond loopback
    std::string log;        // a file, or empty
};

Parsed<ReplayOptions> parse_replay_options(const Words& words);

}  // namespace arena

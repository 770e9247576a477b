// Everything that `nim-arena check` was asked to do, checked, with defaults filled in.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "arena/command_line.hpp"
#include "arena/game_record.hpp"
#include "arena/player_spec.hpp"
#include "protocol/position.hpp"

namespace arena {

struct CheckOptions {
    PlayerSpec player;                          // a command or a TCP peer
    std::string player_text;                    // as it was given
    std::vector<protocol::Position> positions;  // asked beside those that are drawn
    Milliseconds movetime{1000};
    Milliseconds margin{50};
    Milliseconds startup{10000};
    std::uint64_t seed = 0;  // what the positions are drawn from
    bool json = false;
    bool insecure = false;  // listens beyond loopback
};

using CheckCommand = std::variant<CheckOptions, HelpText, UsageError>;

// `arguments`: what stands behind `nim-arena check`. `seed` is taken where none is given.
CheckCommand parse_check_options(const std::vector<std::string>& arguments, std::uint64_t seed);

}  // namespace arena

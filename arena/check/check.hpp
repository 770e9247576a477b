// `nim-arena check`: tests whether a bot follows the protocol.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/base/console.hpp"
#include "arena/game/given_position.hpp"
#include "arena/players/play_options.hpp"
#include "arena/process/guardian.hpp"
#include "protocol/position.hpp"

namespace arena {

// What a check is asked for, checked, with defaults filled in.
struct CheckOptions {
    PlayerSpec player;        // a command or a TCP peer
    std::string player_text;  // as it was given
    // Further players, by a file or a pattern. The command runs a check for each.
    std::vector<PlayerSpec> more_players;
    std::vector<GivenPosition> given_positions;
    std::string rulesets;                       // a file of names that may stand in them
    std::vector<protocol::Position> positions;  // asked besides those that are drawn
    Milliseconds movetime{1000};
    Milliseconds margin{50};
    Milliseconds startup{10000};
    std::uint64_t seed = 0;  // the seed of the positions
    bool json = false;
    ColorMode color = ColorMode::Auto;
    bool insecure = false;  // listens beyond loopback
    PlayOptions safety;     // of it: the environment, the sandbox and the user of its process
};

// Tests the bot, prints the findings, and returns the exit status (exit_codes.hpp).
int run_check(const CheckOptions& options, const Guardian& guardian);

}  // namespace arena

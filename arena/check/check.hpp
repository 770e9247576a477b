// `nim-arena check`: tests whether a bot follows the protocol.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/base/console.hpp"
#include "arena/base/io.hpp"
#include "arena/check/check_report.hpp"
#include "arena/check/peer.hpp"
#include "arena/players/play_options.hpp"
#include "arena/process/guardian.hpp"
#include "protocol/position.hpp"

namespace arena {

// The options of a check, validated, with defaults filled in.
struct CheckOptions {
    PlayerSpec player;                   // a command or a TCP peer
    std::string player_text;             // as given on the command line
    std::vector<std::string> languages;  // rules for bots that are found in their folders
    std::vector<protocol::Position> positions;  // asked in addition to the drawn ones
    Milliseconds movetime{1000};
    Milliseconds margin{50};
    Milliseconds startup{10000};
    std::uint64_t seed = 0;  // the seed of the positions
    bool json = false;
    ColorMode color = ColorMode::Auto;
    bool insecure = false;  // listens beyond loopback
    // The environment, the sandbox and the user of the process; the given positions; and all
    // players, from a file or a pattern several: the command runs a check for each.
    PlayOptions play;
};

// Tests the points in sequence, and prints each finding unless the report is wanted as JSON.
// All of `report` but the player and the seed is filled in.
Awaitable<void> check_bot(const CheckOptions& options, const MakePeer& make_peer,
                          CheckReport& report, Console& console);

// Tests the bot, prints the findings, and returns the exit status (exit_codes.hpp).
int run_check(const CheckOptions& options, const Guardian& guardian);

}  // namespace arena

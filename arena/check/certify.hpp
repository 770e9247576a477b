// `nim-arena certify`: asks a bot for its move in every position of a family, and compares.
#pragma once

#include <optional>
#include <string>

#include "arena/check/asking.hpp"
#include "arena/check/family.hpp"
#include "arena/players/play_options.hpp"

namespace arena {

// The options of one run, validated, with defaults filled in. For one player.
struct CertifyOptions : PlayOptions {
    std::string player_text;                // as given on the command line
    std::vector<std::string> family_texts;  // as given on the command line
    std::optional<PositionSet> asked;       // families and positions; always set
    int repeat = 0;     // how often each position is asked; 0: a sample is asked twice
    int restarts = 20;  // the most restarts of a bot that ended or hung
    bool json = false;
};

// Asks the bot, prints the report, and returns the exit status (exit_codes.hpp).
int run_certify(const CertifyOptions& options, const AskSetup& setup);

}  // namespace arena

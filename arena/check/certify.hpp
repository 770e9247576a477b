// `nim-arena certify`: asks a bot for its move in every position of a family, and compares.
#pragma once

#include <optional>
#include <string>

#include "arena/check/asking.hpp"
#include "arena/check/certificate.hpp"
#include "arena/check/family.hpp"
#include "arena/players/play_options.hpp"

namespace arena {

// What it is asked for, checked, with defaults filled in. Of one player.
struct CertifyOptions : PlayOptions {
    std::string player_text;                // as it was given
    std::vector<std::string> family_texts;  // as they were given
    std::optional<PositionSet> asked;       // families and positions; always there
    int repeat = 0;     // times that each position is asked; 0: a sample is asked twice
    int restarts = 20;  // of a bot that ends or hangs
    bool json = false;
    std::string certificate;             // a file to write; empty: none
    std::string verify;                  // a file to check; empty: none
    std::optional<Certificate> checked;  // what is in it
};

// Asks, reports, and gives the exit status (exit_codes.hpp). `executable`: the hashes of the
// player's program.
int run_certify(const CertifyOptions& options, const AskSetup& setup,
                const std::string& executable);

}  // namespace arena

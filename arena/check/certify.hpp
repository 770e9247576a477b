// `nim-arena certify`: asks a bot for its move in every position of a family, and compares.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/check/asking.hpp"
#include "arena/players/play_options.hpp"

namespace arena {

// The options of one run, validated, with defaults filled in. For one player.
struct CertifyOptions : PlayOptions {
    std::string player_text;                // as given on the command line
    std::vector<std::string> family_texts;  // as given on the command line
    std::optional<PositionSet> asked;       // families and positions; always set
    int repeat = 0;     // how often each position is asked; 0: a sample is asked twice
    int restarts = 20;  // the most restarts of the bot
    bool json = false;
};

// Asks the bot, prints the report, and returns the exit status (exit_codes.hpp).
int run_certify(const CertifyOptions& options, const AskSetup& setup);

// ---- what came of it (certify_report.cpp) ----

struct CertifyReport {
    const CertifyOptions& options;
    const Survey& survey;
    const AskEnd& end;
    Milliseconds time{};
};

// Certified: all positions were asked, and no answer is known to be wrong.
bool is_certified(const CertifyReport& report);

// What a kind of fault, or of counterexample, is called for a person: "no move in time".
std::string_view words_of_kind(std::string_view kind);

// After "the smallest counterexample", where not all positions were asked.
inline constexpr std::string_view kAmongAsked = " among the positions asked";

// Lines, each with its LF.
std::string to_text(const CertifyReport& report);
// One JSON object on one line, LF included; arena/doc/output.md documents its keys.
std::string to_json(const CertifyReport& report);
// Instead of it, of a bot that did not start.
std::string not_started_json(const std::string& player, const Cause& cause);

}  // namespace arena

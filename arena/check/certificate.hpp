// A certificate: the positions that a bot was asked and its answers, as a file that can be
// verified later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arena/check/survey.hpp"
#include "protocol/result.hpp"

namespace arena {

struct Certificate {
    std::vector<std::string> families;   // canonical
    std::vector<std::string> positions;  // given one by one
    std::uint64_t seed = 0;
    std::int64_t movetime = 0;  // ms; 0: no limit
    SurveyCounts counts;
    std::string player;      // as given on the command line
    std::string name;        // from its handshake
    std::string executable;  // lines "SHA-256  path"; empty: no file of this machine
    bool varies = false;     // the bot answered differently when asked again
    std::string answers;     // for each position the first eight hex digits of the SHA-256 of
                             // "POSITION MOVE"
    std::string sha256;      // of all lines "POSITION MOVE\n"
};

// Fills in the answers of the survey and their hashes.
void add_answers(Certificate& certificate, const Survey& survey);

// JSON, documented in arena/doc/output.md.
std::string to_json(const Certificate& certificate);
// Errors say what was read and what was expected.
protocol::Result<Certificate> parse_certificate_file(std::string_view text);

// Tests whether a file can be written here, before the bot is asked anything.
protocol::Result<void> try_certificate_path(const std::string& path);
// Replaces a file only when the new one is complete.
protocol::Result<void> write_certificate(const std::string& path,
                                         const Certificate& certificate);

// The differences between a certificate and a run on the same positions: sentences.
struct Differences {
    std::vector<std::string> decisive;
    std::vector<std::string> notes;  // about the program's file
};
Differences compare(const Certificate& certificate, const Certificate& now,
                    const Survey& survey);

}  // namespace arena

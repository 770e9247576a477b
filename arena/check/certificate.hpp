// A certificate: which positions a bot was asked, and what it answered, as a file that can be
// checked again.
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
    std::string player;      // as it was started
    std::string name;        // what it called itself
    std::string executable;  // lines "SHA-256  path"; empty: no file of this machine
    bool varies = false;     // asked again, it answered differently
    std::string answers;     // eight hex digits for each position: the beginning of the SHA-256
                             // of "POSITION MOVE"
    std::string sha256;      // of all lines "POSITION MOVE\n"
};

// Fills in what the survey knows.
void add_answers(Certificate& certificate, const Survey& survey);

// JSON, documented in arena/doc/output.md.
std::string to_json(const Certificate& certificate);
// Errors say what was read and what was expected.
protocol::Result<Certificate> parse_certificate_file(std::string_view text);

// Whether a file can be written here, to be asked before the first question.
protocol::Result<void> try_certificate_path(const std::string& path);
// A file is replaced once the new one is complete.
protocol::Result<void> write_certificate(const std::string& path,
                                         const Certificate& certificate);

// What differs between a certificate and a run on the same positions: sentences, none where all
// is the same.
struct Differences {
    std::vector<std::string> decisive;
    std::vector<std::string> notes;  // of the program's file
};
Differences compare(const Certificate& certificate, const Certificate& now,
                    const Survey& survey);

}  // namespace arena

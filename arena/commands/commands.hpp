// The commands of nim-arena, one file each. Each parses the words after its name, runs or
// refuses them, and returns the exit status (exit_codes.hpp).
#pragma once

#include <string>
#include <vector>

#include "arena/process/guardian.hpp"
#include "protocol/result.hpp"

namespace arena {

using protocol::Result;  // as all of these sources name it

}  // namespace arena

namespace arena::commands {

using Words = std::vector<std::string>;

using Run = int(const Words& words, const Guardian& guardian);

Run match, tournament, work, status, serve, web, init, export_record, copy, standings, games,
    show, report, replay, check, certify, grade, new_kit, suite, token, doctor;

}  // namespace arena::commands

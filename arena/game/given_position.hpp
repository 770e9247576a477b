// Positions given by people: on the command line or in files.
#pragma once

#include <string>
#include <vector>

#include "engine/rules/catalogue.hpp"
#include "protocol/position.hpp"
#include "protocol/result.hpp"

namespace arena {

// A position as given, without needless blanks, and where it was given.
struct GivenPosition {
    std::string source;  // "--position" or "FILE, line 3"
    std::string text;
};
// The value of --position, to be checked once all options are known.
protocol::Result<GivenPosition> given_position(const std::string& text);

// The names that the catalogue file `path`, the value of --rulesets, defines; none if it is
// empty.
protocol::Result<engine::RulesetNames> load_names(const std::string& path);

// The position with names expanded. Errors: the rules do not know it, or it does not fit a
// line.
protocol::Result<protocol::Position> check_position(const GivenPosition& given,
                                                    const engine::RulesetNames& names);

// The same for all of them, with the names of the file `rulesets`, if there is one.
protocol::Result<std::vector<protocol::Position>> check_positions(
    const std::vector<GivenPosition>& given, const std::string& rulesets);

// Positions from a file, one a line; # starts a comment.
protocol::Result<std::vector<GivenPosition>> read_positions(const std::string& path);

}  // namespace arena

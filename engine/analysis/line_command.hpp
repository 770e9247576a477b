// nim-engine line: how a game goes on when both sides play perfectly.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engine/rules/catalogue.hpp"

namespace engine {

// One line of play from a position to the end: each position with its outcome and nimber, the
// moves of who loses by option --losing. Returns the exit status.
int run_line(const std::vector<std::string>& words, const RulesetNames& names,
             std::ostream& out, std::ostream& errors);

}  // namespace engine

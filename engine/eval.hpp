// `nim-engine eval`: who wins a position, by which moves, and why.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engine/rules/catalogue.hpp"

namespace engine {

// `words` are those of the position, joined by blanks, and options (--json: one line for a
// program; keys in engine/README.md) anywhere among them. Returns the exit status.
int run_eval(const std::vector<std::string>& words, const RulesetNames& names,
             std::ostream& out, std::ostream& errors);

}  // namespace engine

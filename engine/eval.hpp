// `nim-engine eval`: who wins a position, by which moves, and why.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engine/rules/game.hpp"

namespace engine {

// For a person: outcome, nimbers, winning moves and the XOR in binary columns.
std::string explain(const Game& game);

// The same for a program; keys in engine/README.md. One line.
std::string explain_as_json(const Game& game);

// The command. `words` are those of the position, joined by blanks, and --json anywhere among
// them. Returns the exit status: 2 for a position that cannot be read.
int run_eval(const std::vector<std::string>& words, const RulesetNames& names,
             std::ostream& out, std::ostream& errors);

}  // namespace engine

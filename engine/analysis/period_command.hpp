// `nim-engine period`: the law of the nimbers of a ruleset's heaps, or of a given sequence.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engine/rules/catalogue.hpp"

namespace engine {

// See Command::run and engine/README.md. A sequence may also come from standard input.
int run_period(const std::vector<std::string>& words, const RulesetNames& names,
               std::ostream& out, std::ostream& errors);

}  // namespace engine

// nim-engine quotient: the misere quotient of a ruleset's heaps.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engine/rules/catalogue.hpp"

namespace engine {

// See Command::run and engine/README.md.
int run_quotient(const std::vector<std::string>& words, const RulesetNames& names,
                 std::ostream& out, std::ostream& errors);

}  // namespace engine

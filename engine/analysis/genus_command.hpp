// nim-engine genus: the genus symbols of a ruleset's heaps.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engine/command.hpp"
#include "engine/rules/catalogue.hpp"

namespace engine {

// See Command::run and engine/README.md.
int run_genus(const std::vector<std::string>& words, const RulesetNames& names,
              std::ostream& out, std::ostream& errors);

// Are the heaps numbers, and without loops, so that they have a genus and a misere quotient?
Result<void> check_misere_heaps(const NamedRuleset& ruleset);

}  // namespace engine

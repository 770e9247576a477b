// `nim-engine bench`: the same work for every solver on every machine, and how long it takes.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engine/rules/catalogue.hpp"

namespace engine {

// See Command::run and engine/README.md.
int run_bench(const std::vector<std::string>& words, const RulesetNames& names,
              std::ostream& out, std::ostream& errors);

}  // namespace engine

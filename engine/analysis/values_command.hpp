// `nim-engine values`: the nimbers or the outcomes of a range of heaps, one by one.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "engine/rules/catalogue.hpp"

namespace engine {

// See Command::run and engine/README.md. What is printed goes out as it is found, in memory
// that does not depend on the range.
int run_values(const std::vector<std::string>& words, const RulesetNames& names,
               std::ostream& out, std::ostream& errors);

}  // namespace engine

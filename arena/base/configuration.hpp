// The configuration of a contest, as its record stores it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace arena {

// The options that define a contest, except its players: names such as "format" or "movetime"
// with their values, sorted by name. Options that may differ from run to run (concurrency,
// where to print) are left out.
using Configuration = std::vector<std::pair<std::string, std::string>>;

// The value of a name; empty if it has none.
std::string setting(const Configuration& configuration, std::string_view name);

// "format: the record has swiss, now round-robin", a line for each difference; empty if there
// is none.
std::string difference(const Configuration& recorded, const Configuration& now);

}  // namespace arena

// `nim-arena init`: an example of a tournament's file.
#pragma once

#include <string>
#include <vector>

namespace arena {

// Writes the example to the file that is named, tournament.toml by default, if it is not there
// yet. Gives the exit status.
int write_example(const std::vector<std::string>& arguments);

}  // namespace arena

// `nim-arena show`: a game of a record, for people.
#pragma once

#include <string>
#include <vector>

#include "arena/export/export_options.hpp"
#include "arena/store/store.hpp"

namespace arena {

class Guardian;

// The game move by move. `names` go by player number.
std::string show_text(const StoredGame& game, const std::vector<std::string>& names);

// Gives the exit status.
int run_show(const ShowOptions& options, const Guardian&);

}  // namespace arena

// Finds the game that a person names.
#pragma once

#include <string>

#include "arena/record/store.hpp"

namespace arena {

// The game with this key, or the only one whose key begins so. In the record of a match, a
// single number is that of the game. Errors: there is no such game, or there are several;
// `record` is the file's name.
protocol::Result<StoredGame> find_game(Store& store, const std::string& record,
                                       const KeyPrefix& name);

}  // namespace arena

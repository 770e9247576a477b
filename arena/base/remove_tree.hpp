// Removes a directory that a player has filled.
#pragma once

#include <string>

namespace arena {

// Removes a directory with all its contents, at any depth and with any permissions. Follows no
// links; one in the place of the directory is removed. Nothing may change in it meanwhile. Changes the working directory, so call it in a
// process of its own. Returns false if something is left.
bool remove_tree(const std::string& directory);

}  // namespace arena

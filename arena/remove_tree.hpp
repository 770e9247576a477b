// A directory that a player has filled, removed.
#pragma once

#include <string>

namespace arena {

// Removes a directory and all that is in it, however deep, and whatever the permissions are. No
// link is followed. Nothing may change in it meanwhile. Leaves the working directory of this
// process anywhere: made for a process of its own. False: something is left.
bool remove_tree(const std::string& directory);

}  // namespace arena

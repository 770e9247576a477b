// The cores of the machine, as this process may use them.
#pragma once

#include <vector>

namespace arena {

// Those that this process may use, ascending.
std::vector<int> allowed_cores();

// From now on the calling thread runs on this core.
void pin_to(int core);

}  // namespace arena

// The cores that this process may use.
#pragma once

#include <vector>

namespace arena {

std::vector<int> allowed_cores();  // ascending

// Binds the calling thread to this core.
void pin_to(int core);

}  // namespace arena
